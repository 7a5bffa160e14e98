package photos;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Photo {

    /** Null until the photo is saved: by that, Spring Data knows that it is to be inserted without looking for it. */
    @Id
    @DistributedId(seq = "photos")
    private Long id;

    private String title;

    protected Photo() {}

    public Photo(String title) {
        this.title = title;
    }

    public Long getId() {
        return id;
    }

    public String getTitle() {
        return title;
    }
}
