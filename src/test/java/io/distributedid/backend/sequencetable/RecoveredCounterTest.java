package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process stopped before it created a counter on the second server, and the next process creates it. */
class RecoveredCounterTest {

    private static final List<String> URLS =
            List.of("jdbc:h2:mem:recovered_1;DB_CLOSE_DELAY=-1", "jdbc:h2:mem:recovered_2;DB_CLOSE_DELAY=-1");

    private final List<CountedTrips> servers =
            URLS.stream().map(CountedTrips::new).toList();

    private final GivenIds given = new GivenIds();

    @BeforeEach
    void stopAProcess() {
        try (DistributedIds first = client(servers)) {
            first.sequence("claims");
        }
        AtomicBoolean isCut = new AtomicBoolean();
        servers.get(1).before(trip -> {
            if (trip.startsWith("MERGE INTO distributedid ") || isCut.get()) {
                isCut.set(true);
                throw new SQLNonTransientConnectionException("The process is stopped", "08006");
            }
        });
        try (DistributedIds stopped = client(servers)) {
            RuntimeException unused = given.tryToTake(stopped, 5);
        }
        assertThat(isCut).isTrue();
        servers.get(1).before(trip -> {});
    }

    private static DistributedIds client(Object servers) {
        return GivenIds.sequenceTable(servers);
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("recovered_1", "recovered_2");
        given.assertNoneTwice();
    }

    /** What it notes of the first server keeps that one from giving ids again when it is restored from a backup. */
    @Test
    void itNotesHowFarTheOtherServerHasCome() throws SQLException {
        List<String> backup;
        try (DistributedIds ids = client(servers)) {
            given.take(ids, 10);
            backup = DatabaseRows.rows(URLS.get(0), "SCRIPT DROP");
            // More than sixteen blocks of each server: then each has noted the other one.
            given.take(ids, 2_000);
        }
        for (String statement : backup) {
            DatabaseRows.execute(URLS.get(0), statement);
        }

        try (DistributedIds ids = client(servers)) {
            given.take(ids, 200);
        }
    }

    /** A third process looks when the first server does not note any more that the second one is to be created. */
    @Test
    void anotherProcessIsNotRefusedMeanwhile() {
        List<RuntimeException> results = new ArrayList<>();
        servers.get(1).before(trip -> {
            if (trip.startsWith("MERGE INTO distributedid ") && results.isEmpty()) {
                results.add(null);
                try (DistributedIds third = client(URLS)) {
                    results.set(0, given.tryToTake(third, 50));
                }
            }
        });
        try (DistributedIds ids = client(servers)) {
            given.take(ids, 50);
        }
        assertThat(results).hasSize(1).containsOnlyNulls();
    }
}
