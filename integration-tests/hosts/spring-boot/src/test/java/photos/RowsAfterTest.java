package photos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.jdbc.Sql;

/** Rows that data.sql and a test write after the persistence unit has started: their small ids stay free. */
@JpaTest
@TestPropertySource(
        properties = {
            "spring.jpa.defer-datasource-initialization=true",
            "spring.sql.init.data-locations=classpath:small.sql"
        })
class RowsAfterTest {

    @Autowired
    private PhotoRepository photos;

    @Test
    @Sql(statements = "INSERT INTO photo (id, title) VALUES (4, 'midnight')")
    void newIdsAreNoneOfTheirs() {
        assertThat(photos.findById(3L)).isPresent();
        assertThat(photos.findById(4L)).isPresent();

        for (int i = 0; i < 5; i++) {
            assertThat(photos.saveAndFlush(new Photo("new")).getId()).isGreaterThan(1_000_000);
        }
        assertThat(photos.count()).isEqualTo(9);
    }
}
