package photos;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Photo {

    @Id
    @DistributedId(seq = "photos")
    public Long id;

    public String words;

    protected Photo() {}

    public Photo(String words) {
        this.words = words;
    }
}
