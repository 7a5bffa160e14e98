package quickstart;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;

/** What somebody wrote about a photo; on the photo's shard. */
@Entity
@Table(name = "comments")
public class Comment {

    @Id
    @DistributedId(seq = "comments")
    private Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    private Photo photo;

    /** A plain number, since the author may live on another shard, where no foreign key reaches. */
    private long authorId;

    private String text;

    protected Comment() {}

    Comment(Photo photo, User author, String text) {
        this.photo = photo;
        this.authorId = author.id();
        this.text = text;
    }
}
