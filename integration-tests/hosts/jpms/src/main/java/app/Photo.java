package app;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Photo {
    @Id
    @DistributedId(seq = "photos")
    Long id;
}
