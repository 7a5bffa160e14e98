package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SentStatements;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls for many keys of the first server wait for the record of the second one. */
class ComparisonQueueTest {

    private static final String URL = "jdbc:h2:mem:compared_calls;DB_CLOSE_DELAY=-1";

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final RowRecord FIRST = RowRecord.of(5, 17, 2, 1, true);

    private static final RowRecord SECOND = RowRecord.of(5, 17, 2, 2, true);

    /** Of another list. */
    private static final RowRecord OTHER = RowRecord.of(6, 18, 2, 2, true);

    private final SentStatements database = SentStatements.to(URL);

    private final List<DedicatedConnection<RowSession>> servers =
            List.of(RowConnections.of(database, 1, TIMEOUT), RowConnections.of(database, 2, TIMEOUT));

    private final RowComparison comparison = new RowComparison(servers, TIMEOUT, () -> 0);

    private final Queue<RowCall> resumed = new ConcurrentLinkedQueue<>();

    private final ComparisonQueue queue = new ComparisonQueue(comparison, resumed::add);

    @AfterEach
    void drop() throws SQLException {
        queue.close();
        servers.forEach(DedicatedConnection::close);
        H2Servers.drop("compared_calls");
    }

    private static List<RowCall> calls() {
        return IntStream.range(0, 40)
                .mapToObj(key -> new RowCall.Spot("messages", Integer.toString(key), RowCall.Want.NUMBERS))
                .map(spot -> new RowCall(spot, 1, System.nanoTime(), TIMEOUT))
                .toList();
    }

    private RowComparison.Next next(RowRecord found) {
        return comparison.next("messages", found, comparison.known("messages"));
    }

    private void pass(int all) {
        queue.add(calls());
        Await.until("they go on", () -> resumed.size() == all);
    }

    @Test
    void allCallsForASequenceShareAQuestion() {
        next(FIRST);
        pass(40);
        assertThat(database.connections()).as("the server has no table").isEqualTo(1);
    }

    /** The others have come while the server was asked. */
    @Test
    void thoseThatAreLateShareTheAnswer() throws SQLException {
        DatabaseRows.execute(URL, new H2RowDialect().ddl("keyed_sequence"));
        next(FIRST);
        pass(40);
        int sent = database.sent().size();
        pass(80);
        assertThat(database.sent()).hasSize(sent);
    }

    @Test
    void soDoThoseThatAreRefused() throws SQLException {
        DatabaseRows.execute(
                URL,
                new H2RowDialect().ddl("keyed_sequence"),
                "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', ' @record', " + OTHER.number()
                        + ")");
        next(FIRST);
        next(SECOND);
        assertThatThrownBy(() -> next(OTHER)).isInstanceOf(IdConfigurationException.class);

        List<RowCall> calls = calls();
        queue.add(calls);
        for (RowCall call : calls) {
            assertThatThrownBy(call::await).isInstanceOf(IdConfigurationException.class);
        }
        assertThat(database.connections()).isEqualTo(1);
    }
}
