package photosite;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A member of the photo site. All that belongs to a user is on the user's shard. */
@Entity
@Table(name = "users")
public class User {

    @Id
    @DistributedId(seq = "users")
    private Long id;

    private String name;

    protected User() {}

    User(String name) {
        this.name = name;
    }

    long id() {
        return id;
    }
}
