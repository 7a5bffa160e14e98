package quickstart;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.time.Instant;

/** A user's photo. */
@Entity
@Table(name = "photos")
public class Photo {

    @Id
    @DistributedId(seq = "photos")
    private Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    private User user;

    private Instant uploaded;

    protected Photo() {}

    Photo(User user, Instant uploaded) {
        this.user = user;
        this.uploaded = uploaded;
    }

    Long id() {
        return id;
    }

    User user() {
        return user;
    }

    Instant uploaded() {
        return uploaded;
    }
}
