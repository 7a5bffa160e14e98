package photos;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A photo. Its id comes from the sequence {@code photos}. */
@Entity
public class Photo {

    @Id
    @DistributedId(seq = "photos")
    private Long id;

    private String title;

    /** For EclipseLink. */
    protected Photo() {}

    /** A new photo, without an id. */
    public Photo(String title) {
        this.title = title;
    }

    /** Set by {@code persist}. */
    public Long id() {
        return id;
    }

    /** What it shows. */
    public String title() {
        return title;
    }
}
