package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdShard;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ids from a function on the caller's connection, the checks at start, and the messages of their refusals. */
class NextIdSourceTest {

    private final AtomicInteger refusals = new AtomicInteger();

    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = Shards.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @EnumSource
    void asManyIdsAsAreAskedFor(NextIdForm form) throws SQLException {
        Shards.create(connection, "source", form);
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "next_id",
                "distributedid.next_id.form",
                form.label(),
                "distributedid.next_id.function",
                "source.next_id"))) {
            ConnectionIdSource source = (ConnectionIdSource) ids.sequence("photos");

            assertThat(source.next(connection, 1)).hasSize(1);
            long[] many = source.next(connection, 50);
            assertThat(many).hasSize(50).isSorted().doesNotHaveDuplicates();
            assertThat(ids.decode("photos", many[0]).field("shard")).isEqualTo(Shards.SHARD);
        }
    }

    @Test
    void aFunctionThatRepeatsIdsIsNoticedWhereItCanBe() throws SQLException {
        Shards.createWithClock(connection, "source", NextIdForm.INSTAGRAM, Shards.LAYOUT);

        assertThatThrownBy(() -> source(NextIdForm.INSTAGRAM).next(connection, 1_025))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("A function of the form instagram repeats ids if too many are made in one unit of"
                        + " time: function=source.next_id id=")
                .hasMessageEndingWith(". Use the form hardened");
        assertThatThrownBy(() -> source(NextIdForm.HARDENED).next(connection, 1))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The function that makes ids is missing: function=source.next_id(integer) ");
    }

    private static NextIdSource source(NextIdForm form) {
        return new NextIdSource(
                new FunctionName("source.next_id"),
                form,
                Shards.LAYOUT.time().maxId(),
                new IdShard(13, 10),
                OptionalLong.empty());
    }

    @Test
    void aMissingFunctionIsNamed() throws SQLException {
        Shards.recreate(connection, "nothing_here");
        Shards.execute(connection, "SET search_path = nothing_here");
        try (DistributedIds ids = DistributedIds.create(Map.of("distributedid.backend", "next_id"))) {
            ConnectionIdSource source = (ConnectionIdSource) ids.sequence("photos");

            assertThatThrownBy(() -> source.next(connection, 1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The function that makes ids is missing: function=next_id(integer)"
                            + " search_path=nothing_here."
                            + " Create it in the schema of each shard with NextIdSchema.create, or with the"
                            + " statements of"
                            + " IdAdmin.ddl; or let Hibernate create it (hibernate.hbm2ddl.auto and"
                            + " distributedid.next_id.shard)");
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> source.next(connection, 1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "The function that makes ids is missing: function=next_id(integer) on the search_path"
                                    + " of the row's connection. ");
        }
    }

    @Test
    void soIsAMissingPrivilege() throws SQLException {
        Shards.create(connection, "denied", NextIdForm.HARDENED);
        Shards.execute(connection, "DROP ROLE IF EXISTS clerk");
        Shards.execute(connection, "CREATE ROLE clerk");
        Shards.execute(connection, "GRANT USAGE ON SCHEMA denied TO clerk");
        Shards.execute(connection, "SET ROLE clerk");
        NextIdSource source = new NextIdSource(
                new FunctionName("denied.next_id"),
                NextIdForm.HARDENED,
                Long.MAX_VALUE,
                new IdShard(13, 10),
                OptionalLong.empty());

        assertThatThrownBy(() -> source.next(connection, 1))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("The database's user must be allowed to call the function that makes ids: ")
                .hasMessageContaining("permission denied for sequence next_id_seq")
                .hasMessageContaining("GRANT SELECT, UPDATE ON SEQUENCE denied.next_id_seq");

        Shards.execute(connection, "RESET ROLE");
        Shards.execute(connection, "GRANT SELECT, UPDATE ON SEQUENCE denied.next_id_seq TO clerk");
        Shards.execute(connection, "SET ROLE clerk");
        assertThat(source.next(connection, 2)).hasSize(2);
        Shards.execute(connection, "RESET ROLE");
        Shards.execute(connection, "DROP OWNED BY clerk");
        Shards.execute(connection, "DROP ROLE clerk");
    }

    @Test
    void theStartFindsAFunctionOfTheShard() throws SQLException {
        Shards.create(connection, "own", NextIdForm.HARDENED);
        try (DistributedIds ids = own(Map.of("shard", "1341"))) {
            ConnectionIdSource source = (ConnectionIdSource) ids.sequence("photos");

            long id = source.next(connection, 1)[0];
            assertThat(ids.decode("photos", id).field("shard")).isEqualTo(1_341);
        }
    }

    @Test
    void theStartWaitsForADatabaseThatComesUpAMomentLater() throws SQLException {
        Shards.create(connection, "own", NextIdForm.HARDENED);
        refusals.set(3);
        try (DistributedIds ids = own(Map.of("shard", "1341"))) {
            ConnectionIdSource source = (ConnectionIdSource) ids.sequence("photos");

            assertThat(source.next(connection, 1)).hasSize(1);
            assertThat(refusals).hasNonPositiveValue();
        }
    }

    @Test
    void theStartRefusesOneOfAnotherShard() throws SQLException {
        Shards.create(connection, "own", NextIdForm.HARDENED);
        try (DistributedIds ids = own(Map.of("shard", "7"))) {
            assertThatThrownBy(() -> ids.sequence("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The function must make ids of shard 7: function=own.next_id id=")
                    .hasMessageContaining(
                            " shard=1341. It is another function, or the connection's search_path leads to"
                                    + " another shard, or distributedid.next_id.shard is not as it was");
        }
    }

    @Test
    void theStartRefusesAnotherLayout() throws SQLException {
        Shards.create(connection, "own", NextIdForm.HARDENED);
        try (DistributedIds ids = own(Map.of("shard", "1341", "epoch", "2020-01-01T00:00:00Z"))) {
            assertThatThrownBy(() -> ids.sequence("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The function must make ids of the configured layout, with the server's time:"
                            + " function=own.next_id id=")
                    .hasMessageContaining(
                            "Set distributedid.next_id.layout and distributedid.next_id.epoch as they were");
        }
    }

    @Test
    void theStartMissesAFunctionThatIsNotThere() throws SQLException {
        Shards.recreate(connection, "own");
        try (DistributedIds ids = own(Map.of("shard", "1341"))) {
            assertThatThrownBy(() -> ids.sequence("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The function that makes ids is missing: function=own.next_id(integer)"
                            + " search_path=\"$user\", public.");
        }
    }

    @Test
    void aClockThatWasSetBackIsNoReasonNotToStart() throws SQLException {
        Shards.create(connection, "own", NextIdForm.HARDENED);
        long hourAhead = Shards.LAYOUT.tick(Instant.now().plusSeconds(3_600).toEpochMilli());
        Shards.execute(connection, "SELECT setval('own.next_id_seq', " + (hourAhead << 10) + ")");
        try (DistributedIds ids = own(Map.of("shard", "1341"))) {
            assertThat(ids.sequence("photos")).isNotNull();
        }
    }

    /** In a persistence unit whose default schema is {@code own}. */
    private DistributedIds own(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("distributedid.backend", "next_id"));
        more.forEach((name, value) -> settings.put("distributedid.next_id." + name, value));
        return DistributedIds.builder()
                .settings(settings)
                .applicationDatabase(new ConnectionAccess() {
                    @Override
                    public Connection obtain() throws SQLException {
                        if (refusals.getAndDecrement() > 0) {
                            throw new SQLException("the database system is starting up", "57P03");
                        }
                        return Shards.connect();
                    }

                    @Override
                    public Optional<String> namespace() {
                        return Optional.of("own");
                    }

                    @Override
                    public String label() {
                        return "own database";
                    }
                })
                .build();
    }
}
