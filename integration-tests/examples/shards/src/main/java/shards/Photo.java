package shards;

import io.distributedid.DistributedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A user's photo. It lies on the user's shard, and its key says which one that is. */
@Entity
@Table(name = "photo")
public class Photo {

    @Id
    @DistributedId(seq = "photos")
    private Long id;

    @Column(name = "user_id")
    private long userId;

    private String title;

    protected Photo() {}

    Photo(long userId, String title) {
        this.userId = userId;
        this.title = title;
    }

    Long id() {
        return id;
    }

    long userId() {
        return userId;
    }

    String title() {
        return title;
    }
}
