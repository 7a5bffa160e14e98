package sphere;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A user's photo. The shard in its key is {@code userId % 2000}, so that all photos of a user lie together. */
@Entity
@Table(name = "photos")
public class Photo {

    @Id
    @DistributedId(seq = "photos")
    private Long id;

    private long userId;

    protected Photo() {}

    Photo(long userId) {
        this.userId = userId;
    }

    long id() {
        return id;
    }

    long userId() {
        return userId;
    }
}
