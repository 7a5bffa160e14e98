package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;

/** A test of reactive repositories alone has ids, with nothing imported. */
@R2dbcSlice
class R2dbcSliceTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Slice {}

    @Test
    void aRowGetsItsId(@Autowired R2dbcEntityTemplate rows, @Autowired DistributedIds ids) {
        Entities.Immutable inserted = rows.getDatabaseClient()
                .sql("CREATE TABLE immutable (id BIGINT PRIMARY KEY, title VARCHAR(50))")
                .then()
                .then(rows.insert(new Entities.Immutable(null, "sunset")))
                .block(PATIENCE);

        assertThat(inserted.id()).isPositive();
        assertThat(ids.sequences()).containsExactly("immutables");
    }
}
