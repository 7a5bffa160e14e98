package photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** A slice of JPA alone: neither the beans of the servers nor a worker number. */
@JpaTest
class RepositoryTest {

    @Autowired
    private PhotoRepository photos;

    @Autowired
    private CommentRepository comments;

    @Test
    void newEntitiesGetIds() {
        List<Photo> saved = photos.saveAllAndFlush(List.of(new Photo("one"), new Photo("two")));

        assertThat(saved).extracting(Photo::getId).doesNotHaveDuplicates().allMatch(id -> id > 1_000_000);
        Comment comment = comments.saveAndFlush(new Comment(saved.get(0).getId(), "nice"));
        assertThat(comment.getId()).isGreaterThan(1_000_000);
    }
}
