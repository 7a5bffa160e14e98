package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Write;
import io.distributedid.internal.ledger.Version;
import io.distributedid.mysql.MySqlServers;
import io.distributedid.spi.Block;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sequence table, or the ledger, becomes MyISAM, which keeps no row locks. */
@Needs(Need.MYSQL)
class SequenceEngineTest {

    private static final List<CounterKey> COUNTERS =
            List.of(new CounterKey("sequence", "photos", "photos"), new CounterKey("sequence", "users", "users"));

    private static final String SERVER = MySqlServers.shard(0).jdbcUrl("row_engines");

    private static final Version VERSION = Version.first("7f3a");

    /** Runs once before the next batch of {@link #first} writes. */
    private Runnable beforeWrite = () -> {};

    private Connection direct;

    private Connection other;

    private SequenceTableSession first;

    private SequenceTableSession second;

    @BeforeEach
    void open() throws SQLException {
        CountedTrips trips = new CountedTrips(SERVER);
        trips.before(sql -> {
            if (sql.contains("ON DUPLICATE KEY UPDATE")) {
                Runnable hook = beforeWrite;
                beforeWrite = () -> {};
                hook.run();
            }
        });
        direct = trips.getConnection();
        other = DriverManager.getConnection(SERVER);
        DatabaseRows.execute(SERVER, "DROP TABLE IF EXISTS sequence, distributedid");
        first = session(direct);
        second = session(other);
        first.look(COUNTERS, true);
        for (CounterKey counter : COUNTERS) {
            CounterRow row = new CounterRow(VERSION, false, 100, "server of the test", 1, "");
            Write.ToRow create = new Write.ToRow(counter, false, row, OptionalLong.of(100), Map.of(), false);
            assertThat(first.write(List.of(new Write(0, null, create)))).hasSize(1);
        }
        second.look(COUNTERS, true);
    }

    @AfterEach
    void close() throws SQLException {
        direct.close();
        other.close();
    }

    /** One table that keeps locks is enough: with neither, the later batch finds that the rows were changed. */
    @Test
    void twoBatchesThatReadTheSameIdsDoNotGiveThemTwice() throws SQLException {
        alter("sequence");
        alter("distributedid");
        beforeWrite = () -> assertThat(draw(second, 50)).containsOnly(Drawn.of(new Block(101, 1, 50)));

        assertThatThrownBy(() -> draw(first, 100))
                .hasRootCauseInstanceOf(SQLException.class)
                .hasMessageContaining("A row was changed while it was locked: table=");

        // The ledger, which rolls nothing back, is ahead now.
        assertThat(draw(first, 10)).containsOnly(Drawn.REFUSED);
    }

    @Test
    void aNewConnectionRefusesTheSequenceTable() throws SQLException {
        alter("sequence");

        assertThatThrownBy(() -> session(other).look(COUNTERS, true))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("engine=MyISAM, allowed: InnoDB. Change it: ALTER TABLE ");
    }

    @Test
    void aNewConnectionRefusesTheLedger() throws SQLException {
        alter("distributedid");

        assertThatThrownBy(() -> session(other).look(COUNTERS, true))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The ledger must keep row locks, and have one row for each name: table=")
                .hasMessageContaining("engine=MyISAM")
                .hasMessageContaining("Change it: ALTER TABLE ");
    }

    private static void alter(String table) throws SQLException {
        DatabaseRows.execute(SERVER, "ALTER TABLE " + table + " ENGINE=MyISAM");
    }

    private static SequenceTableSession session(Connection connection) throws SQLException {
        return new SequenceTableSession(connection, "here", new Numbering(1, 1), true);
    }

    private static List<Drawn> draw(SequenceTableSession session, long wanted) {
        try {
            Map<CounterKey, Drawn> drawn = session.draw(COUNTERS.stream()
                    .map(each -> new Draw(each, wanted, VERSION, 0, Long.MAX_VALUE, Map.of()))
                    .toList());
            return COUNTERS.stream().map(drawn::get).toList();
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
