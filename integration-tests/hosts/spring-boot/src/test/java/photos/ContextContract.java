package photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

/**
 * Tests with different properties: Spring keeps the context of each open until the JVM ends. All share one database.
 */
abstract class ContextContract {

    static final String DATABASE = "spring.datasource.url=jdbc:h2:mem:shared;DB_CLOSE_DELAY=-1";

    private static final Map<Long, ApplicationContext> GIVEN = new ConcurrentHashMap<>();

    @Autowired
    private PhotoRepository photos;

    @Autowired
    private CommentRepository comments;

    @Autowired
    private ApplicationContext context;

    @Test
    void itsIdsAreOthersThanThoseOfTheOtherContext() {
        for (int i = 0; i < 20; i++) {
            long id = photos.save(new Photo("photo")).getId();
            comments.save(new Comment(id, "nice"));

            assertThat(GIVEN.put(id, context)).isNull();
        }
        assertThat(GIVEN.values().stream().distinct().count()).isEqualTo(GIVEN.size() / 20);
    }
}
