package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.jdbc.core.JdbcTemplate;

/** A test of repositories alone has ids, with nothing imported. */
@JdbcSlice
class JdbcSliceTest {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Slice {}

    @Test
    void anAggregateGetsItsId(
            @Autowired JdbcAggregateTemplate aggregates, @Autowired JdbcTemplate jdbc, @Autowired DistributedIds ids) {
        jdbc.batchUpdate(Entities.TABLES);

        assertThat(aggregates.save(new Entities.Immutable(null, "sunset")).id()).isPositive();
        assertThat(ids.sequences()).containsExactly("immutables");
    }
}
