package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Counters are copied together with their ledger or record to another schema of the same server, and both are used from
 * then on.
 */
public abstract class CopiedTableContract {

    private static final int MANY = 2_000;

    private final GivenIds given = new GivenIds();

    /** As in the names of databases that {@link IdAdmin#ddl} takes. */
    protected abstract String product();

    /** To the schema {@code original} or {@code copied}, which are there, and empty. */
    protected abstract String url(String schema);

    @Test
    void aCopiedSequenceTableIsRaisedOnce() throws SQLException {
        assertRaisedOnce("sequence_table");
    }

    protected final void assertRaisedOnce(String backend) throws SQLException {
        try (DistributedIds running = client(backend, "original")) {
            given.take(running, MANY);
            copy(backend);
            given.take(running, MANY);
            try (DistributedIds moved = client(backend, "copied")) {
                given.take(moved, MANY);
                given.take(running, MANY);
            }
        }
        try (DistributedIds later = client(backend, "copied")) {
            given.take(later, MANY);
        }
        given.assertNoneTwice();
        // By what may be lost: twice max_distance.
        long raised = 20_000_000;
        assertThat(given.highest()).isBetween(raised, raised + 10 * MANY);
    }

    private void copy(String backend) throws SQLException {
        List<String> ddl = IdAdmin.ddl(Map.of("distributedid.backend", backend), product());
        Stream<String> rows = ddl.stream()
                .map(statement -> statement.replaceFirst("(?s)^.*?CREATE TABLE (IF NOT EXISTS )?(\\w+).*$", "$2"))
                .flatMap(table -> Stream.of(
                        "DELETE FROM copied." + table,
                        "INSERT INTO copied." + table + " SELECT * FROM original." + table));
        DatabaseRows.execute(url("copied"), Stream.concat(ddl.stream(), rows).toArray(String[]::new));
    }

    private DistributedIds client(String backend, String schema) {
        return GivenIds.client(backend, url(schema));
    }
}
