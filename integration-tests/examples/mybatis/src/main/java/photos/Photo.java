package photos;

import io.distributedid.DistributedId;

/** A photo, as MyBatis stores it. */
public class Photo {

    @DistributedId(seq = "photos")
    private Long id;

    private String title;

    protected Photo() {}

    Photo(String title) {
        this.title = title;
    }

    Long id() {
        return id;
    }

    String title() {
        return title;
    }
}
