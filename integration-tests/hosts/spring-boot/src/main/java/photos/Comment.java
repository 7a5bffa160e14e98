package photos;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Comment {

    @Id
    @DistributedId(seq = "comments")
    private Long id;

    private long photoId;

    private String words;

    protected Comment() {}

    public Comment(long photoId, String words) {
        this.photoId = photoId;
        this.words = words;
    }

    public Long getId() {
        return id;
    }

    public long getPhotoId() {
        return photoId;
    }

    public String getWords() {
        return words;
    }
}
