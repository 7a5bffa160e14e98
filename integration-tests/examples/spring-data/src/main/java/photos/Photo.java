package photos;

import io.distributedid.DistributedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A photo.
 *
 * @param id null until the photo is saved: by that, Spring Data knows that it is to be inserted
 */
@Table("photo")
public record Photo(@Id @DistributedId(seq = "photos") Long id, String title) {

    public Photo(String title) {
        this(null, title);
    }
}
