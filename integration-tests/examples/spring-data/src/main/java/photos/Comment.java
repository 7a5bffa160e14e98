package photos;

import io.distributedid.DistributedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/** Something that was said about a photo. */
@Table("comment")
public record Comment(@Id @DistributedId(seq = "comments") Long id, long photoId, String words) {

    public Comment(long photoId, String words) {
        this(null, photoId, words);
    }
}
