package io.distributedid.eclipse;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** With an id and a number of ours. */
@Entity
public class Photo {

    @Id
    @DistributedId(seq = "photos")
    Long id;

    @DistributedValue(seq = "numbers")
    Long number;

    String title;
}
