package photos;

import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Everything that is uploaded. */
@Service
public class Uploads {

    private final PhotoRepository photos;

    private final CommentRepository comments;

    Uploads(PhotoRepository photos, CommentRepository comments) {
        this.photos = photos;
        this.comments = comments;
    }

    /** One photo with its first comment. */
    @Transactional
    public Comment upload(String title, String words) {
        Photo photo = photos.save(new Photo(title));
        return comments.save(new Comment(photo.getId(), words));
    }

    /** An album in one batch of INSERTs. */
    @Transactional
    public List<Photo> upload(List<String> titles) {
        return photos.saveAll(titles.stream().map(Photo::new).toList());
    }
}
