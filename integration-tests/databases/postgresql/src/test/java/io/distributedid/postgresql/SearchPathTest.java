package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A schema appears in the search path, before the one that holds the counters. */
class SearchPathTest {

    private static final int MANY = 1_000;

    private final GivenIds given = new GivenIds();

    @BeforeEach
    void create() throws SQLException {
        for (String schema : new String[] {"early", "late"}) {
            DatabaseRows.execute(
                    Postgres.url(), "DROP SCHEMA IF EXISTS " + schema + " CASCADE", "CREATE SCHEMA " + schema);
        }
    }

    private static DistributedIds client(String searchPath, Object... more) {
        return GivenIds.sequenceTable(Postgres.url() + "&currentSchema=" + searchPath, more);
    }

    private static void createTables(String schema) throws SQLException {
        DatabaseRows.execute(
                Postgres.url() + "&currentSchema=" + schema,
                DistributedIds.ddl(Map.of("distributedid.backend", "sequence_table"), "postgresql")
                        .toArray(String[]::new));
    }

    @Test
    void anEmptyTableThatAppearsBeforeTheOldOneIsRefused() throws SQLException {
        createTables("late");
        try (DistributedIds running = client("early,late")) {
            given.take(running, MANY);
            createTables("early");
            RuntimeException refusal;
            try (DistributedIds later = client("early,late")) {
                refusal = given.tryToTake(later, MANY);
                given.take(running, MANY);
                given.assertNoneTwice();
                assertThat(refusal)
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageStartingWith(
                                "A name without a schema means another table than before: table=sequence"
                                        + " name=photos on ")
                        .hasMessageContaining(
                                "is early.sequence now, but late.distributedid_record has a counter of that name")
                        .hasMessageContaining("distributedid.sequence_table.table=late.sequence");
                assertThat(later.check("photos"))
                        .anyMatch(result -> result.status() == CheckResult.Status.FAILED
                                && result.detail().startsWith("A name without a schema"));
            }
        }
        try (DistributedIds named = client("early,late", "sequence_table.table", "late.sequence")) {
            given.take(named, MANY);
        }
        given.assertNoneTwice();
    }

    @Test
    void sequencesThatAreOpenedTogetherAreRefusedToo() throws SQLException {
        try (DistributedIds old = client("late")) {
            old.next("videos");
        }
        createTables("early");
        try (DistributedIds ids = client("early,late")) {
            ids.prepare(List.of("photos", "users", "videos"));
            assertThat(ids.next("photos")).isEqualTo(1);
            assertThatThrownBy(() -> ids.next("videos"))
                    .hasMessageStartingWith("A name without a schema means another table than before");
        }
    }

    @Test
    void aSequenceThatTheOldTableDoesNotHaveMayBeNew() throws SQLException {
        try (DistributedIds old = client("late")) {
            old.next("videos");
        }
        createTables("early");
        try (DistributedIds ids = client("early,late")) {
            assertThat(ids.next("photos")).isEqualTo(1);
            assertThatThrownBy(() -> ids.next("videos")).isInstanceOf(IdConfigurationException.class);
        }
    }

    @Test
    void tenantsWithASchemaEachAreNotOnOneSearchPath() throws SQLException {
        for (String schema : new String[] {"early", "late"}) {
            try (DistributedIds tenant = client(schema)) {
                assertThat(tenant.next("photos")).isEqualTo(1);
            }
        }
        createTables("early");
        try (DistributedIds tenant = client("early,late")) {
            assertThat(tenant.next("photos")).isEqualTo(2);
        }
    }

    @Test
    void aPlaceThatWasRetiredIsNotMissed() throws SQLException {
        try (DistributedIds old = client("late")) {
            given.take(old, MANY);
            old.retire("photos");
        }
        createTables("early");
        try (DistributedIds ids = client("early,late")) {
            assertThat(ids.next("photos")).isEqualTo(1);
        }
    }
}
