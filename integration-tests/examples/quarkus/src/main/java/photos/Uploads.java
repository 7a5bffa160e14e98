package photos;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;

/** What is uploaded, each in a JTA transaction. */
@ApplicationScoped
public class Uploads {

    private final EntityManager entities;

    @Inject
    Uploads(EntityManager entities) {
        this.entities = entities;
    }

    @Transactional
    public Photo photo(String words) {
        Photo photo = new Photo(words);
        entities.persist(photo);
        return photo;
    }

    @Transactional
    public Comment comment(String words) {
        Comment comment = new Comment(words);
        entities.persist(comment);
        return comment;
    }

    /** Fails once the photo has its id. */
    @Transactional
    public Photo refused(String words) {
        Photo photo = photo(words);
        throw new IllegalArgumentException("Refused: " + photo.id);
    }
}
