package io.distributedid.internal.registry;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIdSettings;
import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth;
import io.distributedid.SequenceListener;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.existing.ExistingIds;
import io.distributedid.internal.jdbc.AutoIncrementColumns;
import io.distributedid.internal.settings.Configuration;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.internal.settings.TableName;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.LargestIds;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The sequences of one SessionFactory or {@link io.distributedid.DistributedIds}: what they are asked. Thread-safe. How they are opened
 * and closed: {@link OpenSequences}.
 */
public final class Sequences implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Sequences.class.getName());

    private static final Set<String> SHARED_SETTINGS = Set.of(
            DistributedIdSettings.BACKEND,
            DistributedIdSettings.EXISTING_IDS,
            DistributedIdSettings.SHARD_FROM,
            DistributedIdSettings.SHARD_COUNT,
            DistributedIdSettings.SHARD_PATTERN,
            DistributedIdSettings.SHARD_RESOLVER,
            DistributedIdSettings.BLOCK_MIN,
            DistributedIdSettings.BLOCK_MAX,
            DistributedIdSettings.BLOCK_MAX_AGE,
            DistributedIdSettings.BLOCK_TIMEOUT);

    private final Settings settings;

    private final BackendProviders providers;

    private final OpenSequences sequences;

    /**
     * Checks the names of the settings, and opens nothing yet.
     *
     * @param all settings of any kind; those of others are left alone
     * @param clock for backends that need one
     * @param ownDatabase the persistence unit's, if there is one
     * @param tokensCompared whether the caller compares the tokens of sequences with those of before
     * @throws IdConfigurationException if a setting is not known
     */
    public Sequences(
            Map<?, ?> all, InstantSource clock, Optional<ConnectionAccess> ownDatabase, boolean tokensCompared) {
        settings = Settings.of(all);
        providers = BackendProviders.installed();
        sequences =
                new OpenSequences(settings, providers, clock, ownDatabase, new TokenCheck(ownDatabase, tokensCompared));
        Set<String> known = new HashSet<>(SHARED_SETTINGS);
        configuredBackends().forEach(name -> known.addAll(name.settings()));
        SettingNames.check(settings, known);
        LOG.log(Level.INFO, "Ids are configured: {0}", Configuration.of(settings));
    }

    /**
     * The tables that the configured backends need.
     *
     * @param all settings of any kind
     * @param database whose SQL is wanted
     * @return statements, each once
     */
    public static List<String> ddl(Map<?, ?> all, String database) {
        return new BackendSchemas(Settings.of(all))
                .onServers(DatabaseProduct.named(database)).stream()
                        .map(SchemaObject::createSql)
                        .toList();
    }

    /**
     * The settings that are read for all sequences, and that the installed backends read.
     *
     * @return full names
     */
    public static Set<String> settingNames() {
        Set<String> names = new TreeSet<>(SHARED_SETTINGS);
        BackendProviders.installed().all().forEach(provider -> names.addAll(provider.settings()));
        return names;
    }

    /**
     * The ids of a sequence, opened at the first call.
     *
     * @param name of the sequence
     * @param maxValue the largest id that the caller can store
     * @param usedBy who asks, for messages
     * @return its ids
     * @throws IdConfigurationException if they would not be unique or would not fit
     */
    public IdSource open(String name, long maxValue, String usedBy) {
        return sequences.opened(name, maxValue, usedBy).source();
    }

    /**
     * Takes an id apart. Opens the sequence if that is needed.
     *
     * @param name of its sequence
     * @param id one of its ids
     * @return its fields
     */
    public DecodedId decode(String name, long id) {
        OpenSequences.Configured configured = sequences.configured(name, Long.MAX_VALUE, "decode");
        Backend backend = configured.backend();
        if (backend.time(configured.sequence()).isPresent()) {
            return backend.decode(configured.sequence(), id);
        }
        OpenSequences.Configured found = sequences.live(name, "decode");
        return found.backend().decode(found.sequence(), id);
    }

    /**
     * Where the time stands in the ids of a sequence. Opens nothing.
     *
     * @param name of the sequence
     * @return epoch, unit, width and place
     * @throws IdConfigurationException if its ids hold no time
     */
    public IdTime time(String name) {
        OpenSequences.Configured configured = sequences.configured(name, Long.MAX_VALUE, "time");
        return configured
                .backend()
                .time(configured.sequence())
                .orElseThrow(() -> new IdConfigurationException("The ids of a sequence must hold the time: seq=" + name
                        + ", allowed: sequences whose " + DistributedIdSettings.BACKEND + " is snowflake"));
    }

    /**
     * Where the logical shard stands in the ids of a sequence. Opens nothing.
     *
     * @param name of the sequence
     * @return width and place
     * @throws IdConfigurationException if its ids carry none
     */
    public IdShard shard(String name) {
        OpenSequences.Configured configured = sequences.configured(name, Long.MAX_VALUE, "shard");
        return configured
                .backend()
                .shard(configured.sequence())
                .orElseThrow(() -> new IdConfigurationException("The ids of a sequence must carry a shard: seq=" + name
                        + ", allowed: sequences whose layout has that field ("
                        + DistributedIdSettings.SNOWFLAKE_LAYOUT + "=sharded)"));
    }

    /**
     * The open sequences.
     *
     * @return their names, in order
     */
    public NavigableSet<String> names() {
        return sequences.names().stream()
                .filter(name -> sequences.find(name) != null)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What a sequence has done. Asks nobody.
     *
     * @param name of an open sequence
     * @return empty if it is not open, or nothing is counted
     */
    public Optional<SequenceStatistics> statistics(String name) {
        OpenSequences.Open found = sequences.find(name);
        SteadySource.Held held = found == null ? null : found.source().held;
        if (found == null || held == null) {
            return Optional.empty();
        }
        Optional<SequenceStatistics> known = held.backend().statistics(found.sequence());
        return held.source() instanceof BlockBuffer buffer
                ? Optional.of(buffer.statistics()
                        .withServers(known.map(SequenceStatistics::servers).orElse(List.of())))
                : known;
    }

    /**
     * Whether ids are to be had. Asks nobody; but an empty reserve that could not be filled is tried again, in the background.
     *
     * @return of every sequence that is open, or could not be opened because no server answered
     */
    public IdHealth health() {
        return IdHealth.of(sequences.names().stream().map(this::health).toList());
    }

    private IdHealth.SequenceHealth health(String name) {
        if (sequences.isClosed()) {
            return new IdHealth.SequenceHealth(name, IdHealth.Status.DOWN, "the source of ids is closed");
        }
        if (sequences.isSuspended()) {
            return new IdHealth.SequenceHealth(
                    name, IdHealth.Status.DOWN, "ids are suspended until DistributedIds.resume()");
        }
        OpenSequences.Failure failure = sequences.failure(name);
        if (failure != null) {
            return new IdHealth.SequenceHealth(
                    name,
                    failure.isFresh() ? IdHealth.Status.DOWN : IdHealth.Status.DEGRADED,
                    Diagnosis.line("the sequence could not be opened", failure.said()));
        }
        buffer(name).ifPresent(BlockBuffer::recover);
        return Diagnosis.of(name, statistics(name).orElse(SequenceStatistics.NONE));
    }

    /**
     * Watches what is opened.
     *
     * @param listener told at once of what is open
     */
    public void addListener(SequenceListener listener) {
        sequences.add(listener);
    }

    /**
     * How far the counters of a sequence have come.
     *
     * @param name of the sequence
     * @return the last id of each server that answers, by its label; empty if ids come from no counter
     */
    public Map<String, Long> counters(String name) {
        OpenSequences.Configured found = counting(name, "counters");
        return found.backend().counters(found.sequence());
    }

    /**
     * Checks a sequence and its servers as they are now. Opens it only if its backend has no other check.
     *
     * @param name of the sequence
     * @return what was found, good and bad, at least one thing
     */
    public List<Finding> check(String name) {
        try {
            List<Finding> findings = sequences.check(name);
            return findings.isEmpty() ? checkByOpening(name) : findings;
        } catch (DistributedIdException e) {
            return List.of(Finding.failed("start", "", String.valueOf(e.getMessage())));
        }
    }

    /**
     * Checks a sequence, its servers, and the column that holds its ids.
     *
     * @param name of the sequence
     * @param connection to the column's database
     * @param table as in SQL
     * @param column as in SQL
     * @return what was found, good and bad
     * @throws SQLException if the column's database failed
     */
    public List<Finding> check(String name, Connection connection, String table, String column) throws SQLException {
        List<Finding> findings = new ArrayList<>(check(name));
        OptionalLong largest = ExistingIds.largest(connection, table, column);
        checkAbove(name, largest.orElse(0)).ifPresent(findings::add);
        findings.add(AutoIncrementColumns.check(connection, "", AutoIncrementColumns.Place.of(table, column)));
        return List.copyOf(findings);
    }

    /**
     * See {@link Backend#checkAbove}. Opens nothing.
     *
     * @param name of the sequence
     * @param existing an id that exists; 0 if there is none
     * @return empty if its ids hold no time
     */
    public Optional<Finding> checkAbove(String name, long existing) {
        try {
            OpenSequences.Configured found = sequences.configured(name, Long.MAX_VALUE, "check");
            return found.backend().checkAbove(found.sequence(), existing);
        } catch (DistributedIdException e) {
            return Optional.of(Finding.failed("existing ids", "", String.valueOf(e.getMessage())));
        }
    }

    private List<Finding> checkByOpening(String name) {
        OpenSequences.Configured found = sequences.live(name, "check");
        Map<String, Long> last = found.backend().counters(found.sequence());
        return last.isEmpty()
                ? List.of(Finding.ok("start", "", "opened"))
                : last.entrySet().stream()
                        .map(server -> Finding.ok("counter", server.getKey(), "id=" + server.getValue()))
                        .toList();
    }

    /**
     * Makes sure that ids from now on lie above an id that exists.
     *
     * @param name of the sequence
     * @param existing the id
     * @param raise whether counters that lie below are raised; else the one that gives such ids is refused
     * @throws IdConfigurationException if it lies below and is not to be raised
     * @throws io.distributedid.IdsExhaustedException if no ids are left above it
     */
    public void requireAbove(String name, long existing, boolean raise) {
        OpenSequences.Configured found = sequences.live(name, "cut-over");
        boolean holdsTime = found.backend().time(found.sequence()).isPresent();
        found.backend().requireAbove(found.sequence(), List.of(holdsTime ? existing : Math.max(0, existing)), raise);
        if (raise && found.source() instanceof BlockBuffer buffer) {
            buffer.discard();
        }
    }

    /**
     * Makes sure that the ids of a sequence lie above those in a table.
     *
     * @param name of the sequence
     * @param connection to the table's database
     * @param table as in SQL
     * @param column as in SQL, numbers or their digits
     * @throws IdConfigurationException if a counter, or the clock, lies below the ids that it gives
     * @throws SQLException if the table's database failed
     */
    public void requireAbove(String name, Connection connection, String table, String column) throws SQLException {
        requireAbove(
                name, (step, distance) -> ExistingIds.maxOfEachRemainder(connection, table, column, step, distance));
    }

    /**
     * Makes sure that the ids of a sequence lie above those that exist.
     *
     * @param name of the sequence
     * @param largest reads them
     * @throws IdConfigurationException if a counter, or the clock, lies below the ids that it gives
     * @throws SQLException if they can't be read
     */
    public void requireAbove(String name, LargestIds largest) throws SQLException {
        OpenSequences.Configured found = sequences.live(name, "cut-over");
        boolean holdsTime = found.backend().time(found.sequence()).isPresent();
        List<Long> existing = holdsTime
                ? largest.read(1, 0)
                : largest
                        .read(
                                found.backend().step(found.sequence()),
                                found.backend().maxDistance(found.sequence()))
                        .stream()
                        .filter(id -> id > 0)
                        .toList();
        if (!existing.isEmpty()) {
            found.backend().requireAbove(found.sequence(), existing, false);
        }
    }

    /**
     * See {@link Backend#repair}.
     *
     * @param name of the sequence, which need not be open
     * @param above the largest id in use that the servers may not know of; else 0
     * @return the last id of each server, by its label
     */
    public Map<String, Long> repair(String name, long above) {
        OpenSequences.Configured found = sequences.configured(name, Long.MAX_VALUE, "repair");
        Map<String, Long> last = found.backend().repair(found.sequence(), above);
        // Another sequence may count with the same counter.
        sequences.names().forEach(each -> buffer(each).ifPresent(BlockBuffer::mended));
        return last;
    }

    /** What a sequence has reserved; empty if it is not open, or reserves nothing. */
    private Optional<BlockBuffer> buffer(String name) {
        OpenSequences.Open found = sequences.find(name);
        SteadySource.Held held = found == null ? null : found.source().held;
        return held != null && held.source() instanceof BlockBuffer buffer ? Optional.of(buffer) : Optional.empty();
    }

    /**
     * See {@link Backend#changeLayout}.
     *
     * @param name of a sequence
     * @param allStopped whether no process runs whose worker number has no end
     * @return the layout before
     */
    public String changeLayout(String name, boolean allStopped) {
        OpenSequences.Configured found = sequences.configured(name, Long.MAX_VALUE, "change of layout");
        return found.backend().changeLayout(found.sequence(), allStopped);
    }

    /**
     * See {@link Backend#retire}.
     *
     * @param name of the sequence, which need not be open
     * @return the last id of each server, by its label
     */
    public Map<String, Long> retire(String name) {
        OpenSequences.Configured found = sequences.configured(name, Long.MAX_VALUE, "retire");
        return found.backend().retire(found.sequence());
    }

    /**
     * See {@link Backend#finishMove}.
     *
     * @param name of the sequence, which need not be open
     * @param force whether processes that know the old place alone are cut off
     * @return what was done
     */
    public List<Finding> finishMove(String name, boolean force) {
        OpenSequences.Configured found = sequences.configured(name, Long.MAX_VALUE, "move");
        return found.backend().finishMove(found.sequence(), force);
    }

    /**
     * See {@link Backend#token}. Opens the sequence if that is needed.
     *
     * @param name of the sequence
     * @return empty if there is no such thing, or its servers keep no record
     */
    public Optional<String> token(String name) {
        OpenSequences.Configured found = counting(name, "token");
        return found.backend().token(found.sequence());
    }

    /**
     * See {@link Backend#idSpace}.
     *
     * @param name of the sequence
     * @return the name by which a database of entities remembers its token
     */
    public String idSpace(String name) {
        OpenSequences.Configured found = sequences.configured(name, Long.MAX_VALUE, "token");
        return found.backend().idSpace(found.sequence());
    }

    /** Opens it if its ids come from a counter; others need not take a worker for what is asked. */
    private OpenSequences.Configured counting(String name, String usedBy) {
        OpenSequences.Configured configured = sequences.configured(name, Long.MAX_VALUE, usedBy);
        if (configured.backend().time(configured.sequence()).isPresent()) {
            return configured;
        }
        return sequences.live(name, usedBy);
    }

    /**
     * See {@link Backend#adopt}. Opens the sequence if that is needed.
     *
     * @param name of the sequence
     * @param connection to the database of its entities
     * @param schema of its tables; empty for that of the connection
     * @throws SQLException if that database failed
     */
    public void adopt(String name, Connection connection, String schema) throws SQLException {
        if (!schema.isEmpty() && !TableName.isPlain(schema)) {
            throw new IdConfigurationException("A schema must have a plain name: schema=" + schema
                    + ", allowed: letters, digits and '_', perhaps with its catalog: name or catalog.name");
        }
        if (!connection.getAutoCommit()) {
            throw new IdConfigurationException(
                    "The connection of an adoption must be in autocommit mode: seq=" + name + " autoCommit=false");
        }
        OpenSequences.Configured found = counting(name, "adopt");
        found.backend().adopt(found.sequence(), connection, Optional.of(schema).filter(text -> !text.isEmpty()));
    }

    private Set<BackendProvider> configuredBackends() {
        Set<BackendProvider> found = new HashSet<>(providers.all());
        settings.asMap().keySet().stream()
                .filter(key -> key.equals(DistributedIdSettings.BACKEND)
                        || (key.startsWith(DistributedIdSettings.SEQUENCE_PREFIX) && key.endsWith(".backend")))
                .map(key -> providers.named(settings, key, "the settings"))
                .forEach(found::add);
        return found;
    }

    /** From now on they are suspended before this process is written down (CRaC), and resumed when it is restored. */
    public void registerWithCheckpoints() {
        sequences.registerWithCheckpoints();
    }

    /** See {@link io.distributedid.DistributedIds#suspend}. */
    public void suspend() {
        sequences.suspend();
    }

    /** See {@link io.distributedid.DistributedIds#resume}. */
    public void resume() {
        sequences.resume();
    }

    /** Closes every sequence, backend and thread. Ids asked for afterwards are refused. */
    @Override
    public void close() {
        sequences.close();
    }
}
