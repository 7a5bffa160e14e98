package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.spi.Block;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SqlCounterSessionContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each counter is a table with one row, which holds the last id given. */
@Tag("slow")
class H2TicketSessionTest extends SqlCounterSessionContract {

    private static final String DATABASE = "ticket_session";

    @AfterAll
    static void drop() throws SQLException {
        H2Servers.drop(DATABASE);
    }

    @Override
    protected CounterKey counter(String name) {
        return new CounterKey(table + name, "", "SEQ");
    }

    @Override
    protected void set(CounterKey counter, long last) throws SQLException {
        if (execute(toSet(counter, last)) == 0) {
            execute("INSERT INTO " + counter.table() + " (id, stub) VALUES (" + last + ", 'a')");
        }
    }

    @Override
    protected String toSet(CounterKey counter, long last) {
        return "UPDATE " + counter.table() + " SET id = " + last;
    }

    @Override
    protected void delete(CounterKey counter) throws SQLException {
        execute("DELETE FROM " + counter.table());
    }

    @Override
    protected String toLock(CounterKey counter) {
        return "SELECT id FROM " + counter.table() + " FOR UPDATE";
    }

    @Override
    protected long plainId(Connection connection, CounterKey counter) throws SQLException {
        execute(connection, "UPDATE " + counter.table() + " SET id = id + 2");
        return number(connection, "SELECT id FROM " + counter.table());
    }

    @Override
    protected List<String> names() {
        return List.of("The ticket table", "SELECT, INSERT, UPDATE");
    }

    /** The ledger is read first, so a draw never looks like a loss. */
    @Override
    protected void assertWhole(Seen seen) {
        assertThat(seen.counter().orElseThrow())
                .isGreaterThanOrEqualTo(seen.row().number());
    }

    @Override
    protected void allCountersOfTheTableAreNamedAlsoThoseThatLostTheirRow() {
        // A table is one counter.
    }

    @Test
    @Override
    protected void aNewCounterHasTheRemainderOfItsServer() throws SQLException {
        for (long offset : List.of(1L, 2L)) {
            CounterSession session = session(new Numbering(2, offset));
            CounterKey counter = counter("photos" + offset);
            assertThat(drawn(
                            session,
                            draw(counter, 1, created(session, counter, 0).version())))
                    .isEqualTo(Drawn.of(new Block(offset, 2, 1)));
        }
    }

    @Test
    @Override
    protected void aMissingRightIsNamedWithItsGrant() throws SQLException {
        assertThatADrawNamesTheMissingRight();
    }

    @Override
    protected Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:h2:mem:" + DATABASE + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=120000");
    }

    @Override
    protected Connection connectAs(String user) throws SQLException {
        return DriverManager.getConnection("jdbc:h2:mem:" + DATABASE, user, "secret");
    }

    @Override
    protected List<String> createUser(String user) {
        return List.of("CREATE USER " + user + " PASSWORD 'secret'");
    }

    @Override
    protected CounterSession open(Connection connection, String label, Numbering numbering, boolean create)
            throws SQLException {
        return new TicketSession(
                connection, label, Optional.of(numbering), new TicketTable("", TicketTable.Style.REPLACE, 64), create);
    }

    @Override
    protected String waiting() {
        return "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL";
    }

    @Override
    protected String limit() {
        return "CALL LOCK_TIMEOUT()";
    }

    @Override
    protected String schema() {
        return "PUBLIC";
    }

    @Override
    protected String caselessType() {
        return "";
    }
}
