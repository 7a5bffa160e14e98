package photos;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

/** An album. It has no annotation of ours: the generator that it names is the sequence {@code albums}. */
@Entity
public class Album {

    @Id
    @GeneratedValue(generator = "albums")
    private Long id;

    /** Set by {@code persist}. */
    public Long id() {
        return id;
    }
}
