package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.CopiedProcess;
import io.distributedid.testkit.CopiedProcessContract;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two restores of one state of a process that counts on servers. */
class CopiedCountersTest extends CopiedProcessContract {

    private static final String URL = "jdbc:h2:mem:copied;DB_CLOSE_DELAY=-1";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("copied");
    }

    @Override
    protected DistributedIds open(String backend) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", backend);
        settings.put("distributedid." + backend + ".servers", URL);
        settings.put("distributedid.create_tables", "true");
        if (backend.equals("ticket")) {
            settings.put("distributedid.ticket.numbering", "client");
        }
        return DistributedIds.create(settings);
    }

    static List<String> kinds() {
        return List.of("ticket", "sequence_table");
    }

    @Override
    protected int taken(boolean bothBeginAnew) {
        return bothBeginAnew ? 10_000 : 1_000;
    }

    /** Two that have the same block, half used. */
    @Override
    protected void copyMemory(DistributedIds original, DistributedIds copy) {
        MemoryCopy.ofBlocks(original, copy, "photos");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ticket", "sequence_table"})
    void copiesThatAreNotToldGiveTheSameIds(String backend) {
        try (DistributedIds original = open(backend);
                DistributedIds copy = open(backend)) {
            List<Long> taken = useAndCopy(original, copy);

            taken.addAll(CopiedProcess.take(original, copy, "photos", 10));

            assertThat(CopiedProcess.duplicates(taken)).isEqualTo(10);
        }
    }

    @Test
    void noCounterGoesBackWhenItsUsersAreSuspended() throws SQLException {
        String last = "SELECT id FROM sequence WHERE name = 'photos'";
        DistributedIds suspended = open("sequence_table");
        suspended.next("photos");
        assertThat(CopiedProcess.number(URL, last)).isEqualTo(16);

        suspended.suspend();
        assertThat(CopiedProcess.number(URL, last)).isEqualTo(16);
        suspended.close();
        assertThat(CopiedProcess.number(URL, last)).isEqualTo(16);

        try (DistributedIds closed = open("sequence_table")) {
            assertThat(closed.next("photos")).isEqualTo(17);
        }
        assertThat(CopiedProcess.number(URL, last)).isEqualTo(32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ticket", "sequence_table"})
    void nothingIsOpenWhileSuspended(String backend) throws SQLException {
        try (DistributedIds ids = open(backend)) {
            ids.next("photos");
            assertThat(CopiedProcess.number(URL, "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS"))
                    .isEqualTo(2);

            ids.suspend();
            CopiedProcess.assertNothingIsOpen(URL);

            ids.resume();
            assertThat(ids.next("photos")).isPositive();
        }
    }

    /** The history of the servers is kept, so that a counter that lost ids is noticed after a resume too. */
    @Test
    void aCounterThatWentBackWhileSuspendedIsNoticed() throws SQLException {
        try (DistributedIds ids = open("sequence_table")) {
            long before = ids.next("photos");
            ids.suspend();
            try (Connection connection = DriverManager.getConnection(URL);
                    Statement statement = connection.createStatement()) {
                statement.execute("UPDATE sequence SET id = 0 WHERE name = 'photos'");
            }
            try {
                ids.resume();
                assertThat(ids.next("photos")).isGreaterThan(before);
            } catch (IdConfigurationException e) {
                assertThat(e).hasMessageContaining("photos");
            }
        }
    }

    /** A counter's minimum is kept too, even if only an earlier table check has set it. */
    @Test
    void whatCountersMustLieAboveIsKept() throws SQLException {
        try (DistributedIds ids = open("ticket")) {
            ids.next("photos");
            ids.admin().raise("photos", 1_000);
            ids.admin().requireAbove("photos", 900);
            ids.suspend();
            H2Servers.drop("copied");

            try {
                ids.resume();
                assertThat(ids.next("photos")).isGreaterThan(1_000);
            } catch (IdConfigurationException e) {
                assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdConfigurationException.class);
            }
        }
    }
}
