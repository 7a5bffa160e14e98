package io.distributedid.internal.registry;

import io.distributedid.CheckResult;
import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Jump;
import io.distributedid.CounterMove.Kind;
import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import io.distributedid.KeyedSequence;
import io.distributedid.SequenceListener;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.existing.AutoIncrementColumns;
import io.distributedid.internal.existing.ExistingIds;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.keyed.KeyedSettings;
import io.distributedid.internal.process.Ending;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of one SessionFactory or {@link io.distributedid.DistributedIds}. Opens them at their first use
 * ({@link SequenceOpener}), keeps them through all {@link Periods}, reports their health and closes them. Thread-safe.
 *
 * <p>Lock order: the locks of a {@link Period}, then {@code notifying}, then the inner lock of {@link Periods}.
 */
public final class SequenceRegistry implements Checkpoints.Target, AutoCloseable {

    /** The user of a sequence that the application names in a call. */
    public static final String APPLICATION = "DistributedIds";

    private static final Logger LOG = System.getLogger(SequenceRegistry.class.getName());

    private final Settings settings;

    private final Periods periods;

    private final SequenceOpener opener;

    /** The sequences that were opened, by name. */
    private final Map<String, SequenceSource> sources = new ConcurrentHashMap<>();

    private final SequenceUsers users;

    private final boolean isService;

    /** The sequences with numbers per key, by name. */
    private final Map<String, KeyedSequence> keyed = new ConcurrentHashMap<>();

    /** Those who must not wait themselves, by the name of the sequence. */
    private final Map<String, WaitingCallers> waiting = new ConcurrentHashMap<>();

    private final ReentrantLock notifying = new ReentrantLock();

    private final Listeners listeners = new Listeners();

    /** Whether listeners were notified of the close. Guarded by {@code notifying}. */
    private boolean notifiedOfClose;

    /** Keeps the registrations, so that checkpoints suspend and resume this object while a caller holds a source. */
    @SuppressWarnings("UnusedVariable")
    private volatile List<Object> checkpoints = List.of();

    /**
     * Checks the names of the settings, and those of blocks for every backend. Looks up the JNDI names of servers, so
     * that any thread can open sequences. Opens nothing yet.
     *
     * @param all may contain settings of other libraries, which are ignored
     * @param rememberedIn the databases that remember the places of counters
     * @param tokensCompared asked at each opening of a sequence whether the caller compares its token itself
     * @param isService whether numbers per key may come from the memory of this process
     */
    public SequenceRegistry(
            Map<?, ?> all,
            InstantSource clock,
            Optional<ConnectionAccess> applicationDatabase,
            List<ConnectionAccess> rememberedIn,
            Predicate<String> tokensCompared,
            boolean isService) {
        Settings written = Settings.of(all);
        InstalledBackends backends = InstalledBackends.installed();
        backends.checkNames(written);
        settings = backends.lookedUp(written);
        settings.views().forEach(BlockPolicy::of);
        this.isService = isService;
        users = new SequenceUsers(settings);
        periods = new Periods(before -> new Period(backends, clock, applicationDatabase, listeners, before));
        opener = new SequenceOpener(this, periods, new TokenCheck(rememberedIn, tokensCompared));
        LOG.log(Level.INFO, "Ids are configured: {0}", backends.configuration(settings));
    }

    /** From now on, ids are suspended before a checkpoint of this process (CRaC) and resumed after a restore. */
    public void registerWithCheckpoints() {
        checkpoints = Checkpoints.registerWithAll(this);
    }

    /** Makes known who will use a sequence, so that it is opened with the width of its users, whoever opens it. */
    public void announce(String name, long maxValue, String usedBy) {
        users.announce(name, maxValue, usedBy);
    }

    /**
     * The ids of a sequence, which the first call opens.
     *
     * @param maxValue the largest id that the caller can store
     * @param usedBy the caller's name in messages
     */
    public IdSource open(String name, long maxValue, String usedBy) {
        return sourceFor(name, maxValue, usedBy);
    }

    /**
     * The next id of a sequence, for a caller that must not wait. Errors are those of the result.
     *
     * @param maxValue the largest id that the caller can store
     * @param usedBy the caller's name in messages
     */
    public CompletionStage<Long> nextAsync(String name, long maxValue, String usedBy) {
        try {
            if (sources.containsKey(name)) {
                long id = sourceFor(name, maxValue, usedBy).tryNext();
                if (id != 0) {
                    return CompletableFuture.completedFuture(id);
                }
            } else {
                // A name that is not allowed leaves nothing behind.
                users.sequence(name, maxValue, usedBy);
            }
        } catch (DistributedIdException e) {
            return CompletableFuture.failedFuture(e);
        }
        return waiting.computeIfAbsent(name, any -> new WaitingCallers())
                .add(() -> sourceFor(name, maxValue, usedBy).next());
    }

    /** The next ids of a sequence, in as few reservations as possible. */
    public long[] next(String name, String usedBy, int count) {
        return new IdBatch(sourceFor(name, Long.MAX_VALUE, usedBy), count).next();
    }

    private SequenceSource sourceFor(String name, long maxValue, String usedBy) {
        SequenceSource found = sources.get(name);
        if (found == null) {
            found = opener.open(users.sequence(name, maxValue, usedBy), System.nanoTime());
        }
        Sequence sequence = found.sequence();
        if (sequence.maxValue() > maxValue) {
            throw new IdConfigurationException(
                    "All users of a sequence must store ids of the same width: " + sequence + " stores up to "
                            + sequence.maxValue() + ", " + usedBy + " up to " + maxValue
                            + ". Give one of them another sequence, or map both to the same type");
        }
        return found;
    }

    /** The numbers per key of a sequence. Connects to no server. */
    public KeyedSequence keyed(String name) {
        return keyed.computeIfAbsent(name, each -> {
            Sequence sequence = new Sequence(each, Long.MAX_VALUE, "keyed", settings.forSequence(each));
            if (!isService) {
                KeyedSettings.requireNoSections(sequence.settings());
            }
            return new KeyedNumbers(sequence, new KeyedGate(periods, sequence));
        });
    }

    /** A sequence in the current period; opens it if necessary. */
    public OpenSequence opened(String name, String usedBy) {
        return opener.open(sourceFor(name, Long.MAX_VALUE, usedBy), System.nanoTime());
    }

    /** A sequence in the current period, without a source if it is not open. May create the backend. */
    public OpenSequence configured(String name, String usedBy) {
        return find(name).orElseGet(() -> in(sequence(name, usedBy)));
    }

    private OpenSequence in(Sequence sequence) {
        return periods.inCurrent(
                sequence,
                System.nanoTime(),
                period -> new OpenSequence(sequence, period.running(sequence).backend(), null, period.clock()));
    }

    /** Like {@link #opened}, but does not open sequences whose ids hold the time: that would take a worker number. */
    public OpenSequence openedIfCounted(String name, String usedBy) {
        OpenSequence configured = configured(name, usedBy);
        return configured.holdsTime() ? configured : opened(name, usedBy);
    }

    /** Prepares the opening of sequences, or their comparison with existing ids, see {@link Backend#prepare}. */
    public void prepare(Map<String, ? extends Collection<Long>> existing) {
        opener.prepare(existing, Backend::prepare);
    }

    /** Raises sequences above existing ids, see {@link Maintenance#prepareRaise}. */
    public void prepareRaise(Map<String, ? extends Collection<Long>> existing) {
        opener.prepare(existing, (backend, above) -> Maintenance.of(backend).prepareRaise(above));
    }

    /** See {@link BlockBuffer#prefetch}. */
    public void prefetch(Collection<String> names) {
        names.forEach(name -> find(name).flatMap(OpenSequence::buffer).ifPresent(BlockBuffer::prefetch));
    }

    Sequence sequence(String name, String usedBy) {
        SequenceSource known = sources.get(name);
        return known != null ? known.sequence() : users.sequence(name, Long.MAX_VALUE, usedBy);
    }

    /** Empty if the sequence is not open in the current period. */
    public Optional<OpenSequence> find(String name) {
        return Optional.ofNullable(sources.get(name)).flatMap(known -> Optional.ofNullable(known.open));
    }

    @Nullable
    SequenceSource source(String name) {
        return sources.get(name);
    }

    /** The names of the sequences that were opened. */
    public NavigableSet<String> names() {
        return new TreeSet<>(sources.keySet());
    }

    /** Asks no server. But if a reserve is empty and its last fetch failed, starts a fetch in the background. */
    public IdHealth health() {
        NavigableSet<String> names = names();
        names.addAll(opener.failedNames());
        return IdHealth.of(names.stream().map(this::judge).toList());
    }

    /** The same for one sequence; empty if it was neither opened nor failed to open. */
    public Optional<SequenceHealth> health(String name) {
        return sources.containsKey(name) || opener.failure(name) != null ? Optional.of(judge(name)) : Optional.empty();
    }

    private SequenceHealth judge(String name) {
        SequenceStatistics statistics = find(name).map(OpenSequence::judged).orElse(SequenceStatistics.NONE);
        if (periods.isClosed()) {
            return new SequenceHealth(name, Status.DOWN, "the source of ids is closed", statistics);
        }
        if (periods.isSuspended()) {
            return new SequenceHealth(name, Status.DOWN, "ids are suspended until DistributedIds.resume()", statistics);
        }
        OpeningFailure failure = opener.failure(name);
        if (failure != null) {
            return new SequenceHealth(
                    name,
                    failure.isFresh() ? Status.DOWN : Status.DEGRADED,
                    HealthRules.line("the sequence could not be opened", FailureText.of(failure.reason())),
                    statistics);
        }
        find(name).flatMap(OpenSequence::buffer).ifPresent(BlockBuffer::recover);
        return HealthRules.judge(name, statistics);
    }

    /**
     * See {@link Backend#check(Sequence, long)}. Opens the sequence only if its backend has no check of its own. An
     * exception becomes a failed result.
     */
    public List<CheckResult> check(String name, long above) {
        try {
            List<CheckResult> results = opener.check(sequence(name, "check"), above);
            return results.isEmpty() ? checkByOpening(name) : results;
        } catch (DistributedIdException e) {
            return List.of(CheckResult.failed("start", "", String.valueOf(e.getMessage())));
        }
    }

    private List<CheckResult> checkByOpening(String name) {
        Map<String, Long> last = opened(name, "check").ask(Maintenance::counters);
        return last.isEmpty()
                ? List.of(CheckResult.ok("start", "", "opened"))
                : last.entrySet().stream()
                        .map(each -> CheckResult.counter(
                                each.getKey(), CheckResult.Status.OK, "id=" + each.getValue(), each.getValue()))
                        .toList();
    }

    /** Checks a sequence, its servers, and the column that holds its ids. */
    public List<CheckResult> check(String name, Connection connection, String table, String column)
            throws SQLException {
        List<CheckResult> results = new ArrayList<>(check(name, 0));
        long largest = ExistingIds.largest(connection, table, column).orElse(0);
        checkAbove(name, largest).ifPresent(results::add);
        results.add(AutoIncrementColumns.check(connection, "", AutoIncrementColumns.Place.of(table, column)));
        return List.copyOf(results);
    }

    /** See {@link Maintenance#checkAbove}. Opens nothing. */
    public Optional<CheckResult> checkAbove(String name, long existing) {
        try {
            return configured(name, "check").ask((place, sequence) -> place.checkAbove(sequence, existing));
        } catch (DistributedIdException e) {
            return Optional.of(CheckResult.failed("existing ids", "", String.valueOf(e.getMessage())));
        }
    }

    /**
     * See {@link Maintenance#move}. Counters of another kind of backend end, and the sequence is raised above their
     * ids: once the operator agrees, the new place is opened; they end; the databases of the entities learn it. Safe to
     * repeat. Restarts the timeouts of all sequences, because others may use the same counter.
     */
    public long move(String name, CounterMove move) {
        List<Sequence> from = move.from().stream().map(each -> old(name, each)).toList();
        if ((move.kind() == Kind.PLACE) == from.isEmpty()) {
            throw new IdConfigurationException("A move of kind PLACE, and no other, must name the places that the ids"
                    + " come from now: seq=" + name + " kind=" + move.kind() + " from=" + from.size() + " places");
        }
        OpenSequence now = configured(name, "move");
        List<String> kinds = from.stream()
                .map(each -> each.settings().get(CoreSettings.BACKEND))
                .distinct()
                .toList();
        String kind = now.sequence().settings().get(CoreSettings.BACKEND);
        if (kinds.isEmpty() || kinds.equals(List.of(kind))) {
            long last = now.move(from, move);
            names().forEach(each ->
                    find(each).flatMap(OpenSequence::buffer).ifPresent(BlockBuffer::restartOutageTimeout));
            return last;
        }
        if (kinds.size() > 1) {
            throw new IdConfigurationException("Counters of several kinds of servers can't be merged in one step: seq="
                    + name + " distributedid.backend=" + kinds + ". Move them one after the other: end the counters of"
                    + " all kinds but one, and raise the sequence above their ids");
        }
        OpenSequence before = in(from.get(0));
        before.move(
                from,
                end(
                        move.isDryRun() ? move.tokens() : Set.of(),
                        true,
                        jump -> {
                            now.requireRoom(before, jump.above());
                            move.confirm().accept(jump);
                        },
                        move));
        if (move.isDryRun()) {
            return 0;
        }
        OpenSequence opened = opened(name, "move");
        String token = opened.ask(Maintenance::token)
                .orElseThrow(() -> new IdConfigurationException(
                        "The new place of the ids has no token that databases could remember: seq=" + name
                                + ". A fixed worker number needs no move: stop all processes, and start them with the"
                                + " new settings"));
        // Of an earlier attempt, which told some databases.
        Set<String> tokens = new TreeSet<>(move.tokens());
        tokens.remove(token);
        long last = Math.max(move.above(), before.move(from, end(tokens, false, jump -> {}, move)));
        opened.requireAbove(last, true);
        move.remember().accept(token);
        return last;
    }

    private static CounterMove end(Set<String> tokens, boolean isDryRun, Consumer<Jump> confirm, CounterMove move) {
        return new CounterMove(Kind.END, List.of(), move.above(), tokens, isDryRun, confirm, move.remember());
    }

    /** The sequence as the settings of another place describe it. */
    private static Sequence old(String name, Map<String, ?> settings) {
        InstalledBackends backends = InstalledBackends.installed();
        Settings old = Settings.of(settings);
        backends.checkNames(old);
        return new Sequence(name, Long.MAX_VALUE, "move", backends.lookedUp(old).forSequence(name));
    }

    /**
     * Raises a sequence above the largest id in a table of all shards. Reads the shards first. Returns that id or 0.
     */
    public long raiseAbove(String name, Collection<? extends DataSource> shards, String table, String column)
            throws SQLException {
        long existing = ExistingIds.max(shards, table, column);
        opened(name, "cut-over").requireAbove(existing, true);
        return existing;
    }

    /** The schema of a table; empty for that of the connection. Throws unless it is a plain name. */
    public static Optional<String> namespace(String schema) {
        if (!schema.isEmpty() && !Setting.isPlainName(schema)) {
            throw new IdConfigurationException("A schema must have a plain name: schema=" + schema
                    + ", allowed: letters, digits and '_', optionally with its catalog: name or catalog.name");
        }
        return Optional.of(schema).filter(text -> !text.isEmpty());
    }

    /** Lets a source take ids in a period. Notifies listeners when the sequence is opened for the first time. */
    void attach(Period period, SequenceSource source, OpenSequence open) {
        String name = source.sequence().name();
        notifying.lock();
        try {
            boolean isNew = !sources.containsKey(name);
            boolean attached = periods.attach(period, () -> {
                source.open = open;
                sources.put(name, source);
            });
            if (!attached) {
                throw Periods.closed(source.sequence().toString());
            }
            if (isNew) {
                users.warnIfUnknown(source.sequence());
                listeners.opened(name);
            }
        } finally {
            notifying.unlock();
        }
    }

    /** Adds a listener, and first notifies it of the sequences that were opened, or that all are closed. */
    public void addListener(SequenceListener listener) {
        notifying.lock();
        try {
            if (notifiedOfClose) {
                listener.closed();
            } else {
                names().forEach(listener::opened);
                listeners.add(listener);
            }
        } finally {
            notifying.unlock();
        }
    }

    @Override
    public void suspend() {
        if (periods.suspend(() -> sources.values().forEach(each -> each.open = null))) {
            LOG.log(Level.INFO, "Ids are suspended: blocks, worker numbers and connections are dropped");
        }
    }

    @Override
    public void resume() {
        Period period = periods.resume();
        if (period != null) {
            LOG.log(Level.INFO, "Ids are resumed: blocks, worker numbers and connections are acquired again");
            opener.openAgain(period, sources);
        }
    }

    /** Closes all sequences, backends and threads. Later calls for ids fail. */
    @Override
    public void close() {
        Ending ending = new Ending();
        ending.run(periods::close);
        checkpoints = List.of();
        notifying.lock();
        try {
            notifiedOfClose = true;
            listeners.closed();
        } finally {
            notifying.unlock();
        }
        ending.throwFirst();
    }
}
