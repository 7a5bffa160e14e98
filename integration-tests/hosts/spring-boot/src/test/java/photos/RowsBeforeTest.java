package photos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/** Rows that were there before the persistence unit started, with ids above the first one of tests. */
@JpaTest
@TestPropertySource(
        properties = {"spring.sql.init.schema-locations=classpath:large.sql", "spring.jpa.hibernate.ddl-auto=update"})
class RowsBeforeTest {

    @Autowired
    private PhotoRepository photos;

    @Test
    void theFirstIdLiesAboveThem() {
        assertThat(photos.count()).isEqualTo(1);
        assertThat(photos.saveAndFlush(new Photo("new")).getId()).isGreaterThan(7_000_000);
    }
}
