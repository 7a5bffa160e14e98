package photos;

import io.distributedid.DistributedId;

/** A photo, as MyBatis stores it. */
public class Photo {

    @DistributedId(seq = "photos")
    private Long id;

    private String title;

    protected Photo() {}

    public Photo(String title) {
        this.title = title;
    }

    public Long id() {
        return id;
    }

    public String title() {
        return title;
    }
}
