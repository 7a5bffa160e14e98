package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PreparedAnswersTest {

    private static final Object CONNECTION = "c1";

    private final AtomicLong now = new AtomicLong(1);

    private Object lastConnection = CONNECTION;

    private boolean isLeftOut;

    private record Key(String table, String rowName, boolean isAloneInItsTable) implements CounterKey {}

    private record Access(String label) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            throw new SQLException("not connected to: " + label);
        }
    }

    private final class Server extends CounterServer<Key> {

        Server(int place) {
            super(
                    place,
                    new JdbcLink.Source<>(new Access("t" + place), connection -> {
                        throw new SQLException("not connected to: " + place);
                    }),
                    Duration.ofSeconds(1),
                    ServerPause.outages(Platform.JVM::nanoTime),
                    Platform.JVM);
        }

        @Override
        boolean isOnLastConnection(Seen seen) {
            return seen.isOn(lastConnection);
        }

        @Override
        boolean isLeftOut() {
            return place() == 1 && isLeftOut;
        }
    }

    private final List<CounterServer<Key>> servers = List.of(new Server(0), new Server(1));

    private PreparedAnswers answers(int count, int uses) {
        List<Seen> seen = IntStream.range(0, count)
                .mapToObj(place -> new Seen(
                        place,
                        "t" + place,
                        new Numbering(2, place + 1L),
                        "",
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        OptionalLong.empty(),
                        0,
                        Long.MAX_VALUE,
                        false,
                        CONNECTION))
                .toList();
        return new PreparedAnswers(seen, now::get, now.get(), uses);
    }

    @Test
    void eachSequenceUsesThemOnce() {
        PreparedAnswers answers = answers(2, 2);

        assertThat(answers.take(servers, true)).hasSize(2);
        assertThat(answers.take(servers, true)).hasSize(2);
        assertThat(answers.take(servers, true)).isEmpty();
    }

    @Test
    void theyLastFiveSeconds() {
        PreparedAnswers answers = answers(2, 9);

        now.addAndGet(Duration.ofMillis(4999).toNanos());
        assertThat(answers.take(servers, true)).hasSize(2);
        now.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(answers.take(servers, true)).isEmpty();
    }

    @Test
    void theyEndWithTheConnection() {
        PreparedAnswers answers = answers(2, 9);

        lastConnection = "c2";
        assertThat(answers.take(servers, false)).isEmpty();
    }

    @Test
    void onlyAServerThatIsLeftOutMayBeMissing() {
        PreparedAnswers answers = answers(1, 9);

        assertThat(answers.take(servers, false)).isEmpty();
        isLeftOut = true;
        assertThat(answers.take(servers, false)).hasSize(1);
        assertThat(answers.take(servers, true)).isEmpty();
    }
}
