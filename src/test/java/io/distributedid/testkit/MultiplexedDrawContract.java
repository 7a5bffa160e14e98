package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two clients of a sequence table behind a proxy that multiplexes statements. */
public abstract class MultiplexedDrawContract {

    private static final int DRAWS = 64;

    /** More than are reserved ahead: a block of one in use, one that waits, one on its way. */
    private static final int ONE_MORE_BLOCK = 4;

    /** The URL of an empty database. */
    protected abstract String url(String schema);

    @Test
    void aDrawBetweenTwoStatementsOfAnotherClientMakesNoIdComeTwice() throws SQLException {
        GivenIds given = new GivenIds();
        AtomicInteger between = new AtomicInteger();
        try (MultiplexingProxy proxy = new MultiplexingProxy(url("multiplexed_draw"));
                DistributedIds second = client(proxy, () -> {});
                DistributedIds first = client(proxy, () -> {
                    given.take(second, ONE_MORE_BLOCK);
                    between.incrementAndGet();
                })) {
            given.take(first, DRAWS);
        }
        assertThat(between.get()).as("draws between statements").isGreaterThan(DRAWS);
        given.assertNoneTwice();
    }

    /** Every id is a draw of its own. */
    private static DistributedIds client(MultiplexingProxy proxy, Runnable betweenStatements) {
        return GivenIds.sequenceTable(List.of(proxy.server(betweenStatements)), "block.min", 1, "block.max", 1);
    }
}
