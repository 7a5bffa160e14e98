package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SentStatements;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Which rows are known to be there. On MySQL, an UPDATE of one that is not there locks the gap around it, and two
 * transactions that have done so can't insert it.
 */
class GaplessRowsTest {

    private static final String TABLE = "keyed_sequence";

    private final GaplessRows rows = new GaplessRows(Platform.JVM);

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("gapless_a", "gapless_b");
    }

    private static Connection transaction(String database) throws SQLException {
        String url = "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
        DatabaseRows.execute(url, RowTable.ddl(DatabaseProduct.H2, TABLE));
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }

    private long take(Connection connection) throws SQLException {
        return rows.take(connection, TABLE, "invoices", "7", 1);
    }

    private boolean isKnown(Connection connection) throws SQLException {
        return rows.isKnown(RowSql.on(connection, TABLE), TABLE, new RowKey("invoices", "7"));
    }

    @Test
    void aRowIsKnownInItsOwnDatabaseAlone() throws SQLException {
        try (Connection a = transaction("gapless_a");
                Connection b = transaction("gapless_b")) {
            take(a);
            a.commit();
            assertThat(isKnown(a)).as("a rollback could have undone it").isFalse();
            take(a);
            a.commit();
            assertThat(isKnown(a)).isTrue();

            assertThat(isKnown(b)).isFalse();
            assertThat(take(b)).isEqualTo(1);
        }
    }

    /** As of a schema for each tenant. */
    @Test
    void eachSchemaHasARecordOfItsOwn() throws SQLException {
        try (Connection connection = transaction("gapless_a")) {
            for (String schema : List.of("ONE", "TWO")) {
                DatabaseRows.execute(
                        "jdbc:h2:mem:gapless_a",
                        "CREATE SCHEMA " + schema,
                        RowTable.ddl(DatabaseProduct.H2, schema + ".keyed_sequence"));
                connection.setSchema(schema);
                for (int number = 1; number <= 3; number++) {
                    assertThat(take(connection)).isEqualTo(number);
                    connection.commit();
                }
                assertThat(DatabaseRows.rows(
                                "jdbc:h2:mem:gapless_a",
                                "SELECT key_text, number FROM " + schema + ".keyed_sequence ORDER BY key_text"))
                        .hasSize(2)
                        .contains("7 3");
            }
        }
    }

    /** Its first key there exists already, as after a start of another process. */
    @Test
    void anotherWayInASecondSchemaIsRefused() throws SQLException {
        try (Connection connection = transaction("gapless_a")) {
            take(connection);
            connection.commit();
            take(connection);
            connection.commit();
            DatabaseRows.execute(
                    "jdbc:h2:mem:gapless_a",
                    "CREATE SCHEMA ONE",
                    RowTable.ddl(DatabaseProduct.H2, "ONE.keyed_sequence"),
                    "INSERT INTO ONE.keyed_sequence (name, key_text, number) VALUES ('invoices', ' @record', "
                            + RowRecord.random(RowRecord.Way.ROWS, Platform.JVM).number() + ")",
                    "INSERT INTO ONE.keyed_sequence (name, key_text, number) VALUES ('invoices', '7', 4)");
            connection.setSchema("ONE");

            assertThatThrownBy(() -> take(connection))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("seq=invoices is taken outside of transactions, recorded at table=");
            connection.rollback();
        }
    }

    /** Another process has begun the sequence anew. */
    @Test
    void aTableThatLostItsRowsIsRefusedAlsoWithANewRecord() throws SQLException {
        try (Connection connection = transaction("gapless_a")) {
            takeThreeThenLoseAll(connection);
            GaplessRows others = new GaplessRows(Platform.JVM);
            for (int number = 1; number <= 2; number++) {
                assertThat(others.take(connection, TABLE, "invoices", "8", 1)).isEqualTo(number);
                connection.commit();
            }

            assertThatThrownBy(() -> take(connection))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A sequence has another record than before: seq=invoices table=keyed_sequence. The"
                            + " table has lost its rows, and keys would begin at 1 again, or the address leads to"
                            + " another database. Restore its rows, or correct the address. If keys may begin at 1, or"
                            + " this process started with a wrong address, restart all processes that use the sequence;"
                            + " if the rows have a server of their own, delete the row '@place/@keyed/invoices' of the"
                            + " table distributedid in the application's database first"
                            + Pages.onCall("keyed-lost"));
            connection.rollback();
            assertThat(others.take(connection, TABLE, "invoices", "7", 1)).isEqualTo(1);
            connection.rollback();
        }
    }

    /** The table has its schema's name. */
    @Test
    void aRecordIsNotKnownInAnotherSchemaOfTheTransactionThatInsertedIt() throws SQLException {
        String table = "PUBLIC.keyed_sequence";
        try (Connection connection = transaction("gapless_a")) {
            DatabaseRows.execute("jdbc:h2:mem:gapless_a", "CREATE SCHEMA ONE");
            assertThat(rows.take(connection, table, "invoices", "7", 1)).isEqualTo(1);
            connection.setSchema("ONE");
            assertThat(rows.take(connection, table, "invoices", "8", 1)).isEqualTo(1);
            connection.rollback();
            connection.setSchema("PUBLIC");
            assertThat(rows.take(connection, table, "invoices", "7", 1)).isEqualTo(1);
            connection.commit();

            connection.setSchema("ONE");
            assertThat(rows.take(connection, table, "invoices", "8", 1)).isEqualTo(1);
            connection.commit();
        }
    }

    /** Its first transactions in the schema run together, while the record of another schema is known. */
    @Test
    void theRecordOfANewSchemaComesBeforeItsKeys() throws Exception {
        SentStatements sent = SentStatements.to("jdbc:h2:mem:gapless_a;LOCK_TIMEOUT=100000");
        try (Connection one = transaction("gapless_a");
                Connection two = sent.getConnection()) {
            two.setAutoCommit(false);
            for (Connection each : List.of(one, two)) {
                take(each);
                each.commit();
            }
            DatabaseRows.execute(
                    "jdbc:h2:mem:gapless_a",
                    "CREATE SCHEMA ONE",
                    RowTable.ddl(DatabaseProduct.H2, "ONE.keyed_sequence"));
            for (Connection each : List.of(one, two)) {
                each.setSchema("ONE");
            }
            assertThat(rows.take(one, TABLE, "invoices", "8", 1)).isEqualTo(1);
            int before = sent.sent().size();
            FutureTask<Long> waits = new FutureTask<>(() -> rows.take(two, TABLE, "invoices", "9", 1));
            new Thread(waits).start();
            Await.until("it waits for the record", () -> isAtRecord(sent.sent(), before));

            assertThat(rows.take(one, TABLE, "invoices", "9", 1)).isEqualTo(1);
            one.commit();
            assertThat(waits.get()).isEqualTo(2);
            two.commit();
        }
    }

    /** Whether the last statement inserts the record, which it has not found. */
    private static boolean isAtRecord(List<String> sent, int before) {
        return sent.size() > before + 1
                && sent.get(sent.size() - 1).startsWith("INSERT")
                && sent.get(sent.size() - 2).startsWith("SELECT number, CURRENT_TIMESTAMP FROM keyed_sequence WHERE");
    }

    @Test
    void inSeveralSchemasANumberIsOneStatement() throws SQLException {
        SentStatements server = SentStatements.to("jdbc:h2:mem:gapless_a");
        List<String> schemas = List.of("PUBLIC", "ONE", "TWO");
        try (Connection made = transaction("gapless_a");
                Connection connection = server.getConnection()) {
            connection.setAutoCommit(false);
            for (String schema : schemas.subList(1, 3)) {
                DatabaseRows.execute(
                        "jdbc:h2:mem:gapless_a",
                        "CREATE SCHEMA " + schema,
                        RowTable.ddl(DatabaseProduct.H2, schema + ".keyed_sequence"));
            }
            for (int number = 1; number <= 4; number++) {
                for (String schema : schemas) {
                    connection.setSchema(schema);
                    int before = server.sent().size();
                    assertThat(take(connection)).isEqualTo(number);
                    connection.commit();
                    if (number > 2) {
                        assertThat(server.sent()).hasSize(before + 1);
                    }
                }
            }
            made.rollback();
        }
    }

    /** Their names would make each statement long. */
    @Test
    void inMoreSchemasThanAStatementNamesNumbersAreTakenInTheSameWay() throws SQLException {
        try (Connection connection = transaction("gapless_a")) {
            for (int schema = 0; schema < 103; schema++) {
                DatabaseRows.execute(
                        "jdbc:h2:mem:gapless_a",
                        "CREATE SCHEMA S" + schema,
                        RowTable.ddl(DatabaseProduct.H2, "S" + schema + ".keyed_sequence"));
                for (int number = 1; number <= 3; number++) {
                    connection.setSchema("S" + schema);
                    assertThat(take(connection)).isEqualTo(number);
                    connection.commit();
                }
            }
            connection.setSchema("S0");
            assertThat(take(connection)).isEqualTo(4);
            connection.rollback();
        }
    }

    @Test
    void inASecondSchemaNumbersAreTakenInTheSameWay() throws SQLException {
        try (Connection connection = transaction("gapless_a")) {
            DatabaseRows.execute(
                    "jdbc:h2:mem:gapless_a",
                    "CREATE SCHEMA ONE",
                    RowTable.ddl(DatabaseProduct.H2, "ONE.keyed_sequence"));
            for (int number = 1; number <= 4; number++) {
                for (String schema : List.of("PUBLIC", "ONE")) {
                    connection.setSchema(schema);
                    assertThat(take(connection)).isEqualTo(number);
                    connection.commit();
                }
            }
            DatabaseRows.execute("jdbc:h2:mem:gapless_a", "DELETE FROM ONE.keyed_sequence");
            assertThatThrownBy(() -> take(connection)).hasMessageContaining("The table has lost its rows");
            connection.rollback();
            connection.setSchema("PUBLIC");
            assertThat(take(connection)).isEqualTo(5);
            connection.rollback();
        }
    }

    @Test
    void aRecordThatIsNewerThanTheTransactionIsNotLost() throws SQLException {
        try (Connection old = transaction("gapless_a");
                Connection other = transaction("gapless_a")) {
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            for (boolean isRecordKnown : new boolean[] {false, true}) {
                DatabaseRows.execute("jdbc:h2:mem:gapless_a", "DELETE FROM keyed_sequence");
                GaplessRows own = new GaplessRows(Platform.JVM);
                begin(old);
                for (int number = 1; number <= 2; number++) {
                    assertThat((isRecordKnown ? own : rows).take(other, TABLE, "invoices" + isRecordKnown, "7", 1))
                            .isEqualTo(number);
                    other.commit();
                }
                assertThatThrownBy(() -> own.take(old, TABLE, "invoices" + isRecordKnown, "8", 1))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("40001"))
                        .hasMessageContaining("Repeat the transaction");
                old.rollback();
                assertThat(own.take(old, TABLE, "invoices" + isRecordKnown, "8", 1))
                        .isEqualTo(1);
                old.rollback();
            }
        }
    }

    /** To see whether the record is only newer, the transaction would have to write; XA could not undo that. */
    @Test
    void aboveReadCommittedALostRecordMayBeANewerOne() throws SQLException {
        try (Connection connection = transaction("gapless_a")) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            takeThreeThenLoseAll(connection);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> take(connection))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("40001"))
                        .hasMessage("The record of a sequence was written since this transaction began, or is gone:"
                                + " seq=invoices table=keyed_sequence. Repeat the transaction. If that does not help,"
                                + " the table has lost its rows, and keys would begin at 1 again: restore its rows, or"
                                + " restart all processes that use the sequence" + Pages.onCall("keyed-lost"));
                connection.commit();
                assertThat(DatabaseRows.rows("jdbc:h2:mem:gapless_a", "SELECT key_text, number FROM keyed_sequence"))
                        .containsExactly("7 0");
            }
        }
    }

    private void takeThreeThenLoseAll(Connection connection) throws SQLException {
        for (int number = 1; number <= 3; number++) {
            assertThat(take(connection)).isEqualTo(number);
            connection.commit();
        }
        DatabaseRows.execute("jdbc:h2:mem:gapless_a", "DELETE FROM keyed_sequence");
    }

    /** Its checks of the record fail while that is set. */
    private static DataSource failingChecks(AtomicBoolean fails) {
        return SentStatements.failing(
                "jdbc:h2:mem:gapless_a", sql -> fails.get() && sql.startsWith("SELECT number, CURRENT_SCHEMA"));
    }

    /** The caller goes on in its transaction, as MySQL allows after a lock wait. */
    @Test
    void aFailedCheckOfTheRecordLeavesNoNumber() throws SQLException {
        AtomicBoolean fails = new AtomicBoolean();
        DataSource server = failingChecks(fails);
        try (Connection made = transaction("gapless_a");
                Connection connection = server.getConnection()) {
            connection.setAutoCommit(false);
            takeThreeThenLoseAll(connection);
            fails.set(true);
            assertThatThrownBy(() -> take(connection)).hasMessage("fails in this test");
            fails.set(false);

            assertThatThrownBy(() -> take(connection)).hasMessageContaining("A sequence has no record any more");
            connection.commit();
            assertThatThrownBy(() -> take(connection)).hasMessageContaining("A sequence has no record any more");
            connection.rollback();
            made.rollback();
        }
    }

    @Test
    void aFailedCheckThatCannotBeUndoneIsStillTheCause() throws SQLException {
        AtomicBoolean fails = new AtomicBoolean();
        DataSource server =
                SentStatements.failing("jdbc:h2:mem:gapless_a", sql -> fails.get() && sql.contains("SET number = ?"));
        try (Connection made = transaction("gapless_a");
                Connection connection = server.getConnection()) {
            connection.setAutoCommit(false);
            takeThreeThenLoseAll(connection);
            fails.set(true);
            assertThatThrownBy(() -> take(connection))
                    .hasMessageContaining("A sequence has no record any more")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
            connection.rollback();
            made.rollback();
        }
    }

    /** As after a deadlock. Another transaction takes the number before the caller hears of it. */
    @Test
    void aTransactionThatTheDatabaseHasEndedUndoesNothing() throws Exception {
        AtomicReference<Callable<Void>> ends = new AtomicReference<>();
        DataSource server = SentStatements.failing("jdbc:h2:mem:gapless_a", sql -> {
            Callable<Void> end = sql.startsWith("SELECT number, CURRENT_SCHEMA") ? ends.getAndSet(null) : null;
            if (end != null) {
                assertThatCode(end::call).doesNotThrowAnyException();
            }
            return end != null;
        });
        try (Connection other = transaction("gapless_a");
                Connection connection = server.getConnection()) {
            connection.setAutoCommit(false);
            takeThreeThenLoseAll(connection);
            ends.set(() -> {
                connection.rollback();
                assertThat(new GaplessRows(Platform.JVM).take(other, TABLE, "invoices", "7", 1))
                        .isEqualTo(1);
                other.commit();
                return null;
            });
            assertThatThrownBy(() -> take(connection)).hasMessage("fails in this test");
            connection.commit();

            assertThat(DatabaseRows.number(
                            "jdbc:h2:mem:gapless_a", "SELECT number FROM keyed_sequence WHERE key_text = '7'"))
                    .isEqualTo(1);
        }
    }

    /** A snapshot is taken by the first statement. */
    private static void begin(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("SELECT COUNT(*) FROM keyed_sequence").close();
        }
    }

    @Test
    void aDeletedRowIsKnownNoLonger() throws SQLException {
        try (Connection connection = transaction("gapless_a")) {
            take(connection);
            take(connection);
            connection.commit();
            DatabaseRows.execute(
                    "jdbc:h2:mem:gapless_a", "DELETE FROM keyed_sequence WHERE name = 'invoices' AND key_text = '7'");

            assertThat(take(connection)).isEqualTo(1);
            connection.rollback();
            assertThat(isKnown(connection)).isFalse();
        }
    }

    @Test
    void aRowWhoseStatementFailedIsKnownNoLonger() throws SQLException {
        try (Connection connection = transaction("gapless_a")) {
            take(connection);
            take(connection);
            connection.commit();
            DatabaseRows.execute("jdbc:h2:mem:gapless_a", "DROP TABLE keyed_sequence");
            try {
                take(connection);
            } catch (RuntimeException e) {
                assertThat(e).hasMessageContaining("is missing");
            }
            assertThat(isKnown(connection)).isFalse();
        }
    }
}
