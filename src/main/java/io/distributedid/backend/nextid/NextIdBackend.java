package io.distributedid.backend.nextid;

import io.distributedid.CheckResult;
import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.layout.ExistingTime;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ComposedIds;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ids from a PostgreSQL function of each shard, see {@link NextIdFunction}. They are fetched on the connection that
 * writes the rows. The same function can be the DEFAULT of a column. This backend has no buffers and no threads.
 *
 * <p>The database of a persistence unit, if it has its own, must be PostgreSQL. If its shard is set, the function must
 * exist and make ids of that shard.
 */
final class NextIdBackend implements Backend, ComposedIds, Maintenance {

    private static final Logger LOG = System.getLogger(NextIdBackend.class.getName());

    private static final String EXISTING = "existing ids";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Another layout or epoch is off by years. The hardened form may run ahead of a clock that was set back. */
    private static final Duration FAR_OFF = Duration.ofDays(2);

    private final BackendContext context;

    private final Map<String, NextIdSettings> configured = new ConcurrentHashMap<>();

    private final Map<String, FirstId> firstIds = new ConcurrentHashMap<>();

    /** In use now, to be cut by {@link #cut}. */
    private final Set<DedicatedConnection<Session>> connections = ConcurrentHashMap.newKeySet();

    NextIdBackend(BackendContext context) {
        this.context = context;
    }

    @Override
    public IdSource open(Sequence sequence) {
        IdTime time = settings(sequence).layout().time();
        NextIdSource source = source(sequence);
        NextIdRecord record = record(sequence);
        onKnownShard(source, session -> session.requireRecord(source, record, time))
                .ifPresent(first -> firstIds.put(sequence.name(), first));
        return new RecordedSource(source, record);
    }

    private NextIdSource source(Sequence sequence) {
        NextIdSettings settings = settings(sequence);
        settings.layout().requireFit(sequence, "Map the property to a 64-bit type");
        return new NextIdSource(
                function(settings),
                settings.form(),
                settings.layout().time().maxId(),
                settings.place(),
                knownShard(settings));
    }

    private NextIdRecord record(Sequence sequence) {
        NextIdSettings settings = settings(sequence);
        return settings.record(
                function(settings), NextIdSchema.named(sequence.settings().general()));
    }

    private FunctionName function(NextIdSettings settings) {
        return context.applicationDatabase()
                .flatMap(ConnectionAccess::namespace)
                .map(settings.name()::inSchema)
                .orElse(settings.name());
    }

    /** The shard of all connections; empty if each tenant has its own shard. */
    private OptionalLong knownShard(NextIdSettings settings) {
        return context.applicationDatabase().isPresent() ? settings.shard() : OptionalLong.empty();
    }

    /** Works in the application's database. If its shard is not known, only requires PostgreSQL and returns empty. */
    private <T> Optional<T> onKnownShard(NextIdSource source, DedicatedConnection.Work<Session, T> work) {
        Optional<ConnectionAccess> database = context.applicationDatabase();
        return database.isPresent() ? onKnownShard(database.get(), source, work) : Optional.empty();
    }

    private <T> Optional<T> onKnownShard(
            ConnectionAccess database, NextIdSource source, DedicatedConnection.Work<Session, T> work) {
        DedicatedConnection<Session> connection =
                new DedicatedConnection<>(database, TIMEOUT, opened -> new Session(opened, database.label()));
        connections.add(connection);
        try (connection) {
            return connection.call(session -> {
                session.requirePostgreSql();
                return source.shard().isPresent() ? Optional.of(work.in(session)) : Optional.empty();
            });
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The function that makes ids can't be checked: function=" + source.function() + " on "
                            + database.label() + " said: " + FailureText.of(e),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException(
                    "Interrupted while the function that makes ids was checked: function=" + source.function(), e);
        } finally {
            connections.remove(connection);
        }
    }

    /** Checks the function and its record, if the shard is known. Takes no id. */
    @Override
    public List<CheckResult> check(Sequence sequence, long above) {
        NextIdSource source = source(sequence);
        NextIdRecord record = record(sequence);
        return onKnownShard(source, session -> session.checkFunction(source, record))
                .orElseGet(() -> List.of(CheckResult.unknown(
                        "function",
                        "",
                        "function=" + source.function() + " is called on the connection that writes a row")));
    }

    /**
     * Compares existing ids with the function's first id; if the shard is not known, with this machine's clock. Takes
     * no connection: the caller holds one, and a pool may have only one.
     */
    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        existing.forEach(id -> requireAbove(sequence, id.longValue(), raise));
    }

    private void requireAbove(Sequence sequence, long existing, boolean raise) {
        FirstId first = firstIds.get(sequence.name());
        if (first != null && existing > 0) {
            first.requireAbove(sequence, existingTime(sequence, existing), raise);
            return;
        }
        CheckResult found = compare(sequence, existing);
        if (found.status() == CheckResult.Status.FAILED) {
            throw new IdConfigurationException(found.detail());
        }
        if (found.status() == CheckResult.Status.UNKNOWN) {
            LOG.log(Level.WARNING, found.detail());
        }
    }

    @Override
    public Optional<CheckResult> checkAbove(Sequence sequence, long existing) {
        return Optional.of(compare(sequence, existing));
    }

    private CheckResult compare(Sequence sequence, long existing) {
        if (existing == 0) {
            return CheckResult.ok(EXISTING, "", "none");
        }
        ExistingTime time = existingTime(sequence, existing);
        if (existing < 0) {
            return CheckResult.unknown(
                    EXISTING, "", "The largest id was not made by the function, whose ids are positive: " + time);
        }
        return time.fits() && time.ahead().compareTo(FAR_OFF) <= 0
                ? CheckResult.ok(EXISTING, "", time.toString())
                : CheckResult.failed(
                        EXISTING,
                        "",
                        "The time of an existing id is outside the function's range: " + time + ". Set"
                                + " distributedid.next_id.layout and distributedid.next_id.epoch as they were when the"
                                + " function was created; or correct the clock");
    }

    private ExistingTime existingTime(Sequence sequence, long existing) {
        return new ExistingTime(
                sequence, existing, settings(sequence).layout(), context.clock().instant());
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
    public void stopWaiting() {
        connections.forEach(DedicatedConnection::stop);
    }

    @Override
    public void cut() {
        connections.forEach(DedicatedConnection::cut);
    }

    @Override
    public void close() {
        configured.clear();
        firstIds.clear();
    }

    private record Session(Connection connection, String label) implements DedicatedConnection.Session {

        void requirePostgreSql() throws SQLException {
            String product = connection.getMetaData().getDatabaseProductName();
            if (DatabaseProduct.of(connection) != DatabaseProduct.POSTGRESQL) {
                throw new IdConfigurationException("The database whose function makes ids must be PostgreSQL: "
                        + "distributedid.backend=" + NextIdBackendProvider.NAME + " product=" + product
                        + " on " + label + ". On others use snowflake, whose ids can carry a shard too");
            }
        }

        List<CheckResult> checkFunction(NextIdSource source, NextIdRecord record) throws SQLException {
            long shard = source.shard().orElseThrow();
            String comment = record.requireAlone(connection, shard);
            boolean isAllowed = source.requireThere(connection);
            record.requireSame(comment, shard);
            List<CheckResult> results = new ArrayList<>();
            results.add(CheckResult.ok("function", label, "function=" + source.function()));
            if (comment == null) {
                String noComment = "The function has no comment with its shard, form and layout."
                        + " The first client takes an id and checks its shard and time";
                results.add(CheckResult.unknown("record", label, noComment));
            }
            if (!isAllowed) {
                results.add(CheckResult.unknown(
                        "rights",
                        label,
                        "This user has no right to call the function. The applications' users need EXECUTE on it, and "
                                + source.rights() + " on its sequence"));
            }
            return results;
        }

        FirstId requireRecord(NextIdSource source, NextIdRecord record, IdTime time) throws SQLException {
            long shard = source.shard().orElseThrow();
            String comment = record.requireAlone(connection, shard);
            FirstId first = requireTime(source, time);
            record.requireSame(comment, shard);
            return first;
        }

        private FirstId requireTime(NextIdSource source, IdTime time) throws SQLException {
            long id = source.next(connection, 1)[0];
            try (PreparedStatement select = connection.prepareStatement(
                            "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
                    ResultSet row = select.executeQuery()) {
                row.next();
                Instant now = Instant.ofEpochMilli(row.getLong(1));
                Instant made = time.instant(id);
                if (Duration.between(made, now).abs().compareTo(FAR_OFF) > 0) {
                    throw new IdConfigurationException(
                            "The function must make ids of the configured layout, with the server's time: function="
                                    + source.function() + " id=" + id + " time=" + made + " clock=" + now
                                    + ". Set distributedid.next_id.layout and "
                                    + "distributedid.next_id.epoch"
                                    + " as they were when the function was created; the function's comment has them");
                }
                return FirstId.now(id);
            }
        }
    }
}
