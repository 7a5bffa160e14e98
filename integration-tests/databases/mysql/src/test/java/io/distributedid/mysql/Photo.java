package io.distributedid.mysql;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** What the shards hold. */
@Entity
class Photo {

    @Id
    @DistributedId(seq = "photos")
    private Long id;

    private int owner;

    private String title;

    Photo() {}

    Photo(int owner, String title) {
        this.owner = owner;
        this.title = title;
    }

    Long getId() {
        return id;
    }
}
