package sphere;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;

/** What somebody wrote about a photo. The shard in its key is that of the photo, so that it lies beside it. */
@Entity
@Table(name = "comments")
public class Comment {

    @Id
    @DistributedId(seq = "comments")
    private Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    private Photo photo;

    private String text;

    protected Comment() {}

    Comment(Photo photo, String text) {
        this.photo = photo;
        this.text = text;
    }

    long id() {
        return id;
    }
}
