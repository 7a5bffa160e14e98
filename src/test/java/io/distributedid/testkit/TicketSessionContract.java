package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A session on a ticket server of MySQL or MariaDB. Each counter is a table. The number that is drawn tells how far a
 * counter is, its row does not.
 */
public abstract class TicketSessionContract extends MySqlCounterSessionContract {

    private static final long END = Long.MAX_VALUE;

    @Override
    protected CounterKey counter(String name) {
        return new CounterKey(table + name, "", "SEQ");
    }

    /** The row and the counter. */
    @Override
    protected final void set(CounterKey counter, long last) throws SQLException {
        execute("TRUNCATE " + counter.table());
        execute(toSet(counter, last));
    }

    @Override
    protected final String toSet(CounterKey counter, long last) {
        return "REPLACE INTO " + counter.table() + " (stub, id) VALUES ('a', " + last + ")";
    }

    @Override
    protected final void delete(CounterKey counter) throws SQLException {
        execute("DELETE FROM " + counter.table());
    }

    @Override
    protected final String toLock(CounterKey counter) {
        return "SELECT id FROM " + counter.table() + " WHERE stub = 'a' FOR UPDATE";
    }

    @Override
    protected final long plainId(Connection connection, CounterKey counter) throws SQLException {
        execute(connection, "SET SESSION auto_increment_increment = 2, auto_increment_offset = 2");
        execute(connection, "REPLACE INTO " + counter.table() + " (stub) VALUES ('a')");
        return number(connection, "SELECT LAST_INSERT_ID()");
    }

    @Override
    protected final List<String> names() {
        return List.of("The ticket table", "SELECT, INSERT, DELETE");
    }

    @Override
    protected final String limit() {
        return "SELECT CONV(MD5(CONCAT_WS(' ', @@SESSION.innodb_lock_wait_timeout, @@SESSION.sql_mode,"
                + " @@SESSION.auto_increment_increment, @@SESSION.auto_increment_offset)), 16, 10) >> 2";
    }

    /** A table is one counter. */
    @Override
    protected void allCountersOfTheTableAreNamedAlsoThoseThatLostTheirRow() throws SQLException {}

    /** A look does not tell how far a counter is. */
    @Override
    void aLookSeesNoDrawByHalf() {}

    @Test
    @Override
    protected void aMissingRightIsNamedWithItsGrant() throws SQLException {
        assertThatADrawNamesTheMissingRight();
    }

    @Override
    protected final String caselessType() {
        return "";
    }

    @Test
    @Override
    void aDrawGivesTheNextIdsAndWritesTheLast() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 100);

        assertThat(drawn(session, draw(counter, 1, row.version()))).isEqualTo(Drawn.of(new Block(102, 2, 1)));
        // A multiple of the increment that the session has for ten ids, and the offset.
        assertThat(drawn(session(SECOND), draw(counter, 10, row.version()))).isEqualTo(Drawn.of(new Block(122, 2, 10)));

        Seen seen = look(session, counter);
        assertThat(seen.isBlind()).isTrue();
        assertThat(seen.counter()).hasValue(140);
        assertThat(seen.row()).isEqualTo(row(row.version(), 140));
    }

    /** Only a draw that finds a loss, or ends too far, moves the counter. */
    @ParameterizedTest
    @EnumSource(Reason.class)
    @Override
    void aRefusedDrawChangesNothing(Reason reason) throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey photos = counter("photos");
        CounterKey tags = counter("tags");
        CounterKey users = counter("users");
        CounterRow row = created(session, photos, 100);
        CounterRow other = created(session, users, 100);
        look(session, tags);
        if (reason != Reason.NO_ROW) {
            created(session, tags, 100);
        }
        Draw wanted = refused(session, tags, reason);
        long furthest = reason == Reason.ENDS_TOO_FAR ? 101 : wanted.furthest();
        Draw draw = new Draw(tags, 1, wanted.version(), wanted.known(), furthest, wanted.notes());
        Seen before = look(session, tags);
        boolean isLoss = reason == Reason.BELOW_THE_LEDGER || reason == Reason.BELOW_WHAT_IS_KNOWN;

        assertThat(drawn(session, draw)).isEqualTo(Drawn.REFUSED);
        Seen after = look(session, tags);
        if (isLoss) {
            assertThat(after.row()).isEqualTo(lost(before.row()));
        } else {
            assertThat(after.row()).isEqualTo(before.row());
            assertThat(after.counter().equals(before.counter())).isEqualTo(reason != Reason.ENDS_TOO_FAR);
        }
        assertThat(after.notes()).isEqualTo(before.notes());

        assertThat(session.draw(List.of(draw(photos, 1, row.version()), draw, draw(users, 2, other.version()))))
                .isEqualTo(Map.of(
                        photos,
                        Drawn.of(new Block(102, 2, 1)),
                        tags,
                        Drawn.REFUSED,
                        users,
                        Drawn.of(new Block(102, 2, 2))));
        assertThat(look(session, tags).row()).isEqualTo(after.row());
        assertThat(look(session, users).row().number()).isEqualTo(104);
    }

    private static CounterRow lost(CounterRow row) {
        return new CounterRow(row.version(), true, row.number(), row.identity(), row.era(), row.command());
    }

    /** Later draws pass it, and none is given. */
    @Test
    void aLossIsMarked() throws SQLException {
        CounterSession session = session(LONE);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 100);
        assertThat(drawn(session, draw(counter, 50, row.version())).block()).isNotNull();
        set(counter, 5);

        assertThat(drawn(session, draw(counter, 100, Version.first(token()))))
                .as("another version: draws nothing")
                .isEqualTo(Drawn.REFUSED);
        assertThat(look(session, counter).row().isLost()).isFalse();
        assertThat(drawn(session, draw(counter, 100, row.version()))).isEqualTo(Drawn.REFUSED);
        assertThat(look(session, counter).row().isLost()).isTrue();
        assertThat(drawn(session, draw(counter, 1_000, row.version()))).isEqualTo(Drawn.REFUSED);
    }

    @Test
    void aPlainReplaceThatIsLateLosesNothing() throws Exception {
        CounterSession session = session(LONE);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 100);
        Block first = drawn(session, draw(counter, 10, row.version())).block();
        assertThat(first).isNotNull();
        // It drew its number before.
        execute(toSet(counter, first.first() - 1));

        assertThat(look(session, counter).counter()).hasValue(first.first() - 1);
        assertThat(drawn(session, draw(counter, 10, row.version())).block().first())
                .isGreaterThan(first.last());
    }

    @Test
    @Override
    void aCounterAtItsEndIsExhausted() throws SQLException {
        CounterSession session = session(LONE);
        CounterKey photos = counter("photos");
        CounterKey users = counter("users");
        CounterRow row = created(session, photos, 0);
        CounterRow other = created(session, users, 0);
        long end = look(session, photos).largest();
        assertThat(end).isEqualTo(END - 1);
        set(photos, end - 2);
        Draw one = new Draw(photos, 1, row.version(), 0, Long.MAX_VALUE, Map.of());

        assertThat(drawn(session, one)).isEqualTo(Drawn.of(new Block(end - 1, 1, 1)));
        assertThat(drawn(session, one)).isEqualTo(Drawn.of(new Block(end, 1, 1)));
        Seen before = look(session, photos);
        Draw many = new Draw(photos, 6, row.version(), 0, Long.MAX_VALUE, Map.of());
        for (Draw each : List.of(one, many, one)) {
            assertThat(drawn(session, each)).isEqualTo(Drawn.EXHAUSTED);
        }
        assertThat(session.draw(List.of(many, draw(users, 1, other.version()))))
                .isEqualTo(Map.of(photos, Drawn.EXHAUSTED, users, Drawn.of(new Block(1, 1, 1))));
        assertThat(look(session, photos).row()).isEqualTo(before.row());
    }

    @Test
    @Override
    protected void aNewCounterHasTheRemainderOfItsServer() throws SQLException {
        for (long offset : List.of(1L, 2L)) {
            CounterSession session = session(new Numbering(2, offset));
            CounterKey counter = counter("photos" + offset);
            CounterRow row = created(session, counter, 0);

            assertThat(look(session, counter).counter()).hasValue(0);
            assertThat(drawn(session, draw(counter, 1, row.version()))).isEqualTo(Drawn.of(new Block(offset, 2, 1)));
        }
    }

    @Test
    void aNumberIsDrawnForACommandAndALossMarked() throws SQLException {
        CounterSession session = session(LONE);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 100);

        session.drawNumber(counter);
        assertThat(look(session, counter).counter()).hasValue(101);
        assertThat(look(session, counter).row()).isEqualTo(row);

        set(counter, 50);
        session.drawNumber(counter);
        assertThat(look(session, counter).counter()).hasValue(51);
        assertThat(look(session, counter).row().isLost()).isTrue();
    }

    /** A server reduces larger increments: a block is shorter. */
    @Test
    void aBlockHasAtMostAsManyIdsAsTheServerCanSkip() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey counter = counter("photos");
        CounterRow row = created(session, counter, 0);

        Block block = drawn(session, draw(counter, 100_000, row.version())).block();

        assertThat(block).isNotNull();
        assertThat(block.count()).isEqualTo(32_767);
    }

    /** One id a trip, and no table waits for another. */
    @Test
    void aTableOfMyIsamGivesOneIdATrip() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey photos = counter("photos");
        CounterKey users = counter("users");
        CounterRow row = created(session, photos, 0);
        CounterRow other = created(session, users, 0);
        execute("ALTER TABLE " + photos.table() + " ENGINE=MyISAM");

        // Until the next look, a block would not be ours.
        assertThat(drawn(session, draw(photos, 10, row.version()))).isEqualTo(Drawn.REFUSED);
        assertThat(look(session, photos).row()).isEqualTo(row);
        Block first = drawn(session, draw(photos, 10, row.version())).block();
        assertThat(first).isNotNull();
        assertThat(first.count()).isEqualTo(1);
        assertThat(session.draw(List.of(draw(photos, 10, row.version()), draw(users, 3, other.version()))))
                .isEqualTo(Map.of(
                        photos, Drawn.of(new Block(first.last() + 2, 2, 1)), users, Drawn.of(new Block(2, 2, 3))));
        assertThat(look(session, photos).row().number()).isEqualTo(first.last() + 2);

        set(photos, 2);
        assertThat(drawn(session, draw(photos, 1, row.version()))).isEqualTo(Drawn.REFUSED);
        assertThat(look(session, photos).row().isLost()).isTrue();
    }

    @Test
    void aMissingTableIsNoMatterOfTheOthers() throws SQLException {
        CounterSession session = session(SECOND);
        CounterKey photos = counter("photos");
        CounterKey users = counter("users");
        CounterRow row = created(session, photos, 0);
        CounterRow other = created(session, users, 0);
        execute("DROP TABLE " + photos.table());

        assertThat(session.draw(List.of(draw(photos, 10, row.version()), draw(users, 3, other.version()))))
                .isEqualTo(Map.of(photos, Drawn.REFUSED, users, Drawn.of(new Block(2, 2, 3))));
    }
}
