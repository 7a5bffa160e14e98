package io.distributedid.testkit;

import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.lease.LedgerLeaseStore;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases in a database. */
public abstract class SqlLeaseStoreContract extends LeaseCommandsContract {

    private CountedTrips server;

    @BeforeEach
    void countTrips() {
        server = new CountedTrips(() -> DriverManager.getConnection(url()));
    }

    /** A database that only this class uses. */
    protected abstract String url();

    private static String table(int number) {
        return "leases" + number;
    }

    @Override
    protected LeaseStore store(int number) {
        return store(number, Connection.TRANSACTION_NONE);
    }

    private LeaseStore store(int number, int isolation) {
        return LedgerLeaseStore.database(new Access(server, isolation), table(number), true, Duration.ofSeconds(60));
    }

    @Override
    protected int takeTrips() {
        return server.take().size();
    }

    @Override
    protected void delete(int number, Collection<String> names) throws SQLException {
        DatabaseRows.execute(
                url(),
                "DELETE FROM " + table(number) + " WHERE name IN ("
                        + names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ")) + ")");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void ofProcessesThatClaimOneNumberAtOnceOneGetsItAtEachIsolation(int isolation) throws Exception {
        List<LeaseStore> clients =
                Stream.generate(() -> store(test(), isolation)).limit(4).toList();

        assertOneGetsIt(clients);
    }

    private record Access(CountedTrips server, int isolation) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            Connection connection = server.getConnection();
            if (isolation != Connection.TRANSACTION_NONE) {
                connection.setTransactionIsolation(isolation);
            }
            return connection;
        }

        @Override
        public String label() {
            return "the server of the test";
        }
    }
}
