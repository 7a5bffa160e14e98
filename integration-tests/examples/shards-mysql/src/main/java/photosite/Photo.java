package photosite;

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

    private String title;

    private Instant uploaded;

    protected Photo() {}

    Photo(User user, String title) {
        this.user = user;
        this.title = title;
        uploaded = Instant.now();
    }

    long id() {
        return id;
    }

    String title() {
        return title;
    }

    Instant uploaded() {
        return uploaded;
    }
}
