package io.distributedid.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.Write;
import io.distributedid.internal.counter.Write.ToRow;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.ledger.Version;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Block;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.CounterSessionContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the scripts do with one counter. */
class RedisSessionTest {

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    private abstract static class OnServer extends CounterSessionContract {

        /** The smallest number that a double does not hold. */
        private static final long NO_DOUBLE = (1L << 53) + 1;

        private final List<Link<CounterSession>> links = new ArrayList<>();

        private RedisServer server;

        abstract RedisServer started(Path folder);

        @BeforeAll
        void start(@TempDir Path folder) {
            server = started(folder);
        }

        @AfterEach
        void close() {
            links.forEach(Link::close);
            links.clear();
            command("FLUSHALL");
        }

        @AfterAll
        void stop() {
            server.close();
        }

        @Override
        protected CounterKey counter(String name) {
            return new CounterKey(table + ":{" + name + "}", "", name);
        }

        /** With a look, as each connection begins. */
        @Override
        protected CounterSession session(Numbering numbering) throws SQLException {
            RedisAddress address = RedisAddress.all(Settings.of(Map.of("distributedid.redis.servers", server.url())))
                    .get(0);
            Link<CounterSession> link = new RedisSource(address, numbering, RedisSettings.Durability.ALWAYS)
                    .connect(Duration.ofSeconds(30));
            links.add(link);
            CounterSession session = link.open();
            Map<CounterKey, Seen> unused = session.look(
                    Stream.of(
                                    "ahead", "behind", "changed", "lost", "made", "noted", "photos", "photos1",
                                    "photos2", "tags", "users", "videos", "zones")
                            .map(this::counter)
                            .toList(),
                    true);
            return session;
        }

        @Override
        protected void set(CounterKey counter, long last) {
            command("SET", counter.table(), Long.toString(last));
        }

        @Override
        protected void delete(CounterKey counter) {
            command("DEL", counter.table());
        }

        private void command(String... words) {
            assertThat(server.command(words)).doesNotContain("ERR");
        }

        private Draw draw(CounterKey counter, long wanted, CounterRow row, long known, Map<Long, Long> notes) {
            return new Draw(counter, wanted, row.version(), known, Long.MAX_VALUE, notes);
        }

        @ParameterizedTest
        @CsvSource({"9007199254740991", "9007199254740993", "999999999999999999", "9223372036854775001"})
        void numbersThatNoDoubleHoldsAreExact(long above) throws SQLException {
            CounterSession session = session(SECOND);
            CounterKey photos = counter("photos");
            CounterRow row = created(session, photos, above);
            long first = SECOND.after(above);

            assertThat(drawn(session, draw(photos, 1, row, above, Map.of(1L, above + 2))))
                    .isEqualTo(Drawn.of(new Block(first, 2, 1)));
            assertThat(drawn(session, draw(photos, 3, row, first, Map.of(1L, above))))
                    .isEqualTo(Drawn.of(new Block(first + 2, 2, 3)));

            Seen seen = look(session, photos);
            assertThat(seen.counter()).hasValue(first + 6);
            assertThat(seen.row()).isEqualTo(row(row.version(), first + 6));
            assertThat(seen.notes()).isEqualTo(Map.of(1L, above + 2));
            assertThat(drawn(session, draw(photos, 1, row, first + 8, Map.of())))
                    .isEqualTo(Drawn.REFUSED);
            set(photos, first + 5);
            assertThat(drawn(session, draw(photos, 1, row, 0, Map.of())))
                    .as("another remainder")
                    .isEqualTo(Drawn.REFUSED);
            set(photos, first + 4);
            assertThat(drawn(session, draw(photos, 1, row, 0, Map.of())))
                    .as("set back by one id")
                    .isEqualTo(Drawn.REFUSED);
            assertThat(look(session, photos).counter()).hasValue(first + 4);
        }

        @Test
        void aCounterIsRaisedToExactNumbers() throws SQLException {
            CounterSession session = session(SECOND);
            CounterKey ahead = counter("ahead");
            CounterKey behind = counter("behind");
            set(ahead, NO_DOUBLE);
            set(behind, NO_DOUBLE);

            assertThat(isMade(session, create(ahead, NO_DOUBLE - 8, Map.of()))).isTrue();
            assertThat(isMade(session, create(behind, NO_DOUBLE + 2, Map.of()))).isTrue();

            assertThat(look(session, ahead).counter()).hasValue(NO_DOUBLE + 1);
            assertThat(look(session, behind).counter()).hasValue(NO_DOUBLE + 1);
            assertThat(look(session, behind).row().number()).isEqualTo(NO_DOUBLE + 2);
        }

        /** A new row is noted by a number below all ids. */
        @Test
        void negativeNotesAreCompared() throws SQLException {
            CounterSession session = session(SECOND);
            CounterKey photos = counter("photos");
            CounterRow row = created(session, photos, 100);
            Version version = row.version();
            for (long[] each :
                    new long[][] {{-900, -900}, {-1_000, -900}, {-80, -80}, {Seen.NOT_CREATED, -80}, {0, 0}}) {
                CounterRow later = row(version.next(token()), 100);
                Write write = new Write(
                        0, version, new ToRow(photos, false, later, OptionalLong.empty(), Map.of(1L, each[0]), false));
                assertThat(isMade(session, write)).isTrue();
                assertThat(look(session, photos).notes()).isEqualTo(Map.of(1L, each[1]));
                version = later.version();
            }
        }

        @ParameterizedTest
        @CsvSource({"many", "-5", "007", "1.5", "9223372036854775808"})
        void aCounterThatIsNoNumberIsRefused(String value) throws SQLException {
            CounterSession session = session(LONE);
            CounterKey photos = counter("photos");
            CounterRow row = created(session, photos, 0);
            command("SET", photos.table(), value);

            assertThat(drawn(session, draw(photos, 1, row.version()))).isEqualTo(Drawn.REFUSED);
            assertThatThrownBy(() -> look(session, photos))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "Something else writes to a counter or its ledger: key=" + photos.table() + " on ")
                    .hasMessageEndingWith(". Let the other program use another key, or set another"
                            + " distributedid.redis.key; then delete what it has written, and run: distributedid repair"
                            + " photos --above ID"
                            + Pages.onCall("foreign-key"));
        }

        @ParameterizedTest
        @CsvSource({"number", "version", "state", "text", "header.version", "@1"})
        void aLedgerThatSomebodyElseWroteIsRefused(String field) throws SQLException {
            CounterSession session = session(LONE);
            CounterKey photos = counter("photos");
            created(session, photos, 0);
            command("HSET", photos.table() + ":ledger", field, "x");

            assertThatThrownBy(() -> look(session, photos))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(photos.table());
        }

        @Test
        void aKeyOfAnotherTypeIsRefused() throws SQLException {
            CounterSession session = session(LONE);
            CounterKey photos = counter("photos");
            command("SET", photos.table() + ":ledger", "1");

            assertThatThrownBy(() -> session.look(List.of(photos, counter("users")), true))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "Something else writes to a counter or its ledger: key=" + photos.table() + ", ")
                    .hasMessageContaining("WRONGTYPE");
        }
    }

    @Nested
    @Needs(Need.REDIS)
    class OnRedisTest extends OnServer {

        @Override
        RedisServer started(Path folder) {
            return RedisServer.start(folder);
        }
    }

    @Nested
    @Needs(Need.VALKEY)
    class OnValkeyTest extends OnServer {

        @Override
        RedisServer started(Path folder) {
            return RedisServer.startValkey(folder);
        }
    }
}
