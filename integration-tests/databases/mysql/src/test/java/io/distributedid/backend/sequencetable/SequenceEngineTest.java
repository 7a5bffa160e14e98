package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Return;
import io.distributedid.mysql.MySqlServers;
import io.distributedid.spi.Block;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The sequence table, or the record, becomes MyISAM, which keeps no row locks. */
@Needs(Need.MYSQL)
class SequenceEngineTest {

    private static final List<SequenceRow> ROWS =
            List.of(new SequenceRow("sequence", "photos"), new SequenceRow("sequence", "users"));

    private static final String SERVER = MySqlServers.shard(0).jdbcUrl("row_engines");

    /** Runs once before the next batch of {@link #first} writes. */
    private Runnable beforeWrite = () -> {};

    private Connection direct;

    private Connection other;

    private SequenceTableSession first;

    private SequenceTableSession second;

    @BeforeEach
    void open() throws SQLException {
        direct = DriverManager.getConnection(SERVER);
        other = DriverManager.getConnection(SERVER);
        execute("DROP TABLE IF EXISTS sequence, distributedid_record");
        first = session(hooked());
        second = session(other);
        for (SequenceRow row : ROWS) {
            assertThat(first.open(row).record().create()).isTrue();
            first.open(row).raise(100);
            assertThat(second.open(row).last()).hasValue(100);
        }
    }

    @AfterEach
    void close() throws SQLException {
        direct.close();
        other.close();
    }

    @Test
    void twoBatchesThatReadTheSameIdsDoNotGiveThemTwice() throws SQLException {
        execute("ALTER TABLE sequence ENGINE=MyISAM");
        List<Block> given = new ArrayList<>();
        beforeWrite = () -> given.addAll(draw(second, 50));

        assertThatThrownBy(() -> given.addAll(draw(first, 100)))
                .hasRootCauseInstanceOf(SQLException.class)
                .hasMessageContaining("A row of the sequence table was changed while it was locked: table=");

        assertThat(given).containsExactly(new Block(101, 1, 50), new Block(101, 1, 50));
        assertThat(draw(first, 10)).containsExactly(new Block(151, 1, 10), new Block(151, 1, 10));
    }

    @Test
    void aBatchThatHandsIdsBackLowersNoRowThatWasDrawnFromMeanwhile() throws SQLException {
        execute("INSERT INTO distributedid_record VALUES ('sequence', 0, 1, 0, 1, 1, 'OPEN', '-', '-'),"
                + " ('sequence/photos', 0, 1, 0, 0, 0, '-', '-', '-'),"
                + " ('sequence/users', 0, 1, 0, 0, 0, '-', '-', '-')");
        execute("ALTER TABLE sequence ENGINE=MyISAM");
        beforeWrite = () -> draw(second, 50);
        Map<SequenceRow, Return> rests = new LinkedHashMap<>();
        ROWS.forEach(row -> rests.put(row, new Return(new Block(91, 1, 10), 1, "")));

        assertThatThrownBy(() -> first.giveBack(rests, row -> {}))
                .hasMessageContaining("A row of the sequence table was changed while it was locked: table=");

        assertThat(draw(second, 10)).containsExactly(new Block(151, 1, 10), new Block(151, 1, 10));
    }

    @Test
    void aNewConnectionRefusesTheSequenceTable() throws SQLException {
        execute("ALTER TABLE sequence ENGINE=MyISAM");

        assertThatThrownBy(() -> session(other).open(ROWS.get(0)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("engine=MyISAM, allowed: InnoDB. Change it: ALTER TABLE ");
    }

    @Test
    void aNewConnectionRefusesTheRecord() throws SQLException {
        execute("ALTER TABLE distributedid_record ENGINE=MyISAM");

        assertThatThrownBy(() -> session(other).open(ROWS.get(0)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The table of the record must keep row locks: table=")
                .hasMessageContaining("engine=MyISAM, allowed: InnoDB. Change it: ALTER TABLE ");
    }

    private static SequenceTableSession session(Connection connection) throws SQLException {
        return new SequenceTableSession(connection, "here", new Numbering(1, 1), true, new TablePins());
    }

    private static List<Block> draw(SequenceTableSession session, long wanted) {
        Map<SequenceRow, Draw> draws = new LinkedHashMap<>();
        ROWS.forEach(row -> draws.put(row, new Draw(wanted, 0, Long.MAX_VALUE, Optional.empty(), Optional.empty())));
        List<Block> drawn = new ArrayList<>();
        try {
            session.reserve(draws, (row, block) -> drawn.add(block), row -> {});
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        return drawn;
    }

    private Connection hooked() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            && arguments[0].toString().startsWith("INSERT INTO ")) {
                        Runnable hook = beforeWrite;
                        beforeWrite = () -> {};
                        hook.run();
                    }
                    try {
                        return method.invoke(direct, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = direct.createStatement()) {
            statement.execute(sql);
        }
    }
}
