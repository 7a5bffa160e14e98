package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.ConnectionAccess;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a connection goes back to its pool. */
class JdbcLinkTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final List<String> NOTED = List.of("setNetworkTimeout", "setAutoCommit", "abort");

    private final List<String> done = new ArrayList<>();

    /** The beginning of the call that fails. */
    private String failing = "none";

    private Connection connection;

    private final ConnectionAccess pool = new ConnectionAccess() {

        @Override
        public Connection obtain() {
            return (Connection) Proxy.newProxyInstance(
                    JdbcLinkTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, given) -> {
                        String call = method.getName() + (given == null ? "" : " " + given[given.length - 1]);
                        if (NOTED.contains(method.getName())) {
                            done.add(method.getName().equals("abort") ? "abort" : call);
                        }
                        if (call.startsWith(failing)) {
                            throw new SQLException("not managed");
                        }
                        if (method.getName().equals("getNetworkTimeout")) {
                            return 7;
                        }
                        try {
                            return method.invoke(connection, given);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Override
        public void release(Connection lent) throws SQLException {
            done.add("release");
            if (failing.equals("release")) {
                throw new SQLException("no pool");
            }
        }

        @Override
        public String label() {
            return "a pool";
        }
    };

    @BeforeEach
    void connect() throws SQLException {
        connection = DriverManager.getConnection("jdbc:h2:mem:");
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private JdbcLink<?> open() throws SQLException {
        JdbcLink<DedicatedConnection.Session> link = new JdbcLink.Source<DedicatedConnection.Session>(
                        pool, unused -> new DedicatedConnection.Session() {

                            @Override
                            public void restore() {
                                done.add("session");
                            }
                        })
                .connect(LIMIT);
        link.limit(LIMIT);
        link.open();
        link.limit(Duration.ofSeconds(1));
        done.clear();
        return link;
    }

    @Test
    void itGoesBackAsItWasTheLastChangeFirst() throws SQLException {
        open().close();

        assertThat(done).containsExactly("session", "setAutoCommit false", "setNetworkTimeout 7", "release");
    }

    @Test
    void aBorrowedOneHasItsFormerTimeoutAgain() throws Exception {
        JdbcLink<?> link = JdbcLink.borrow(pool, LIMIT, Duration.ofSeconds(2));
        link.close();

        assertThat(done).containsExactly("setNetworkTimeout 2000", "setNetworkTimeout 7", "release");
    }

    @Test
    void itIsCutIfItCanNotBeRestored() throws SQLException {
        JdbcLink<?> link = open();
        failing = "setAutoCommit";
        link.close();

        assertThat(done).containsExactly("session", "setAutoCommit false", "abort", "release");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "abort", "release"})
    void aCutOneIsNotRestoredAndItsEndNeverFails(String failure) throws SQLException {
        JdbcLink<?> link = open();
        failing = failure;
        link.abort();
        link.close();

        assertThat(done).containsExactly("abort", "release");
    }

    /** Somebody else may use it by then. */
    @Test
    void itIsNotCutOnceItIsBack() throws SQLException {
        JdbcLink<?> link = open();
        link.close();
        link.abort();

        assertThat(done).doesNotContain("abort");
    }

    @Test
    void aDriverWithoutTimeoutsIsUsedWithout() throws SQLException {
        failing = "setNetworkTimeout";
        open().close();

        assertThat(done).containsExactly("session", "setAutoCommit false", "release");
    }
}
