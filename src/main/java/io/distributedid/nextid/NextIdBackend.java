package io.distributedid.nextid;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.Database;
import io.distributedid.internal.DatabaseProduct;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Sequence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ids that PostgreSQL makes by a function of each shard, see {@link NextIdFunction}: asked for on the connection that writes the rows,
 * and the same that the function gives as the DEFAULT of a column. Nothing is kept here, and nothing runs.
 *
 * <p>If the persistence unit has a database of its own it must be PostgreSQL; and if its shard is set, the function must be there and
 * make ids of that shard.
 */
final class NextIdBackend implements Backend {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Ids of another layout or epoch are off by years; the hardened form runs ahead of a clock that was set back. */
    private static final Duration FAR_OFF = Duration.ofDays(2);

    private final BackendContext context;

    private final Map<String, NextIdSettings> configured = new ConcurrentHashMap<>();

    NextIdBackend(BackendContext context) {
        this.context = context;
    }

    @Override
    public IdSource open(Sequence sequence) {
        NextIdSettings settings = settings(sequence);
        IdTime time = settings.layout().time();
        settings.layout().requireFit(sequence, "Map the property to a 64-bit type");
        FunctionName function = function(settings);
        NextIdSource source =
                new NextIdSource(function, settings.form(), time.maxId(), settings.place(), shardOfAll(settings));
        NextIdRecord record =
                settings.record(function, NextIdSchema.named(sequence.settings().general()));
        context.ownDatabase().ifPresent(own -> check(own, source, record, time));
        return new RecordedSource(source, record);
    }

    private FunctionName function(NextIdSettings settings) {
        return context.ownDatabase()
                .flatMap(ConnectionAccess::namespace)
                .map(settings.name()::inSchema)
                .orElse(settings.name());
    }

    /** With a tenant in every connection no shard is that of all. */
    private OptionalLong shardOfAll(NextIdSettings settings) {
        return context.ownDatabase().isPresent() ? settings.shard() : OptionalLong.empty();
    }

    private static void check(ConnectionAccess own, NextIdSource source, NextIdRecord record, IdTime time) {
        try (Database<Session> database = new Database<>(own, TIMEOUT, Session::new)) {
            database.call(session -> {
                session.requirePostgreSql(own.label());
                if (source.shard().isPresent()) {
                    session.requireRecord(source, record, time);
                }
                return true;
            });
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The function that makes ids can't be checked: function=" + source.function() + " on " + own.label()
                            + " said: " + e.getMessage(),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException(
                    "Interrupted while the function that makes ids was checked: function=" + source.function(), e);
        }
    }

    /** Takes an id if the shard of the persistence unit's own database is known. */
    @Override
    public List<Finding> check(Sequence sequence) {
        open(sequence);
        Optional<ConnectionAccess> own = context.ownDatabase();
        String function = "function=" + function(settings(sequence));
        return own.isPresent() && shardOfAll(settings(sequence)).isPresent()
                ? List.of(Finding.ok("function", own.get().label(), function))
                : List.of(Finding.unknown("function", "", function + " is called on the connection that writes a row"));
    }

    private NextIdSettings settings(Sequence sequence) {
        return configured.computeIfAbsent(
                sequence.name(),
                name -> NextIdSettings.of(sequence.settings(), context.clock().instant()));
    }

    @Override
    public Optional<IdTime> time(Sequence sequence) {
        return Optional.of(settings(sequence).layout().time());
    }

    @Override
    public Optional<IdShard> shard(Sequence sequence) {
        return Optional.of(settings(sequence).place());
    }

    @Override
    public DecodedId decode(Sequence sequence, long id) {
        return settings(sequence).layout().decode(id);
    }

    @Override
    public void close() {
        configured.clear();
    }

    private record Session(Connection connection) implements Database.Session {

        void requirePostgreSql(String label) throws SQLException {
            String product = connection.getMetaData().getDatabaseProductName();
            if (DatabaseProduct.of(connection) != DatabaseProduct.POSTGRESQL) {
                throw new IdConfigurationException("The database whose function makes ids must be PostgreSQL: "
                        + DistributedIdSettings.BACKEND + "=" + NextIdBackendProvider.NAME + " product=" + product
                        + " on " + label + ". On others use snowflake, whose ids can carry a shard too");
            }
        }

        void requireRecord(NextIdSource source, NextIdRecord record, IdTime time) throws SQLException {
            long shard = source.shard().orElseThrow();
            String comment = record.requireAlone(connection, shard);
            requireTime(source, time);
            record.requireSame(comment, shard);
        }

        private void requireTime(NextIdSource source, IdTime time) throws SQLException {
            long id = source.next(connection, 1)[0];
            try (PreparedStatement select = connection.prepareStatement(
                            "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
                    ResultSet row = select.executeQuery()) {
                row.next();
                Instant now = Instant.ofEpochMilli(row.getLong(1));
                Instant said = time.instant(id);
                if (Duration.between(said, now).abs().compareTo(FAR_OFF) > 0) {
                    throw new IdConfigurationException(
                            "The function must make ids of the configured layout, with the server's time: function="
                                    + source.function() + " id=" + id + " time=" + said + " clock=" + now
                                    + ". Set " + DistributedIdSettings.NEXT_ID_LAYOUT + " and "
                                    + DistributedIdSettings.NEXT_ID_EPOCH
                                    + " as they were when the function was created; its comment says it");
                }
            }
        }
    }
}
