package photos;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Comment {

    @Id
    @DistributedId(seq = "comments")
    public Long id;

    public String words;

    protected Comment() {}

    public Comment(String words) {
        this.words = words;
    }
}
