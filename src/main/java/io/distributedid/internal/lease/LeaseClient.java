package io.distributedid.internal.lease;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.lease.StoreRules.Decision;
import io.distributedid.internal.lease.StoreRules.ReadAgain;
import io.distributedid.internal.lease.StoreRules.Refused;
import io.distributedid.internal.lease.StoreRules.Write;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.LedgerMemory;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@link LeaseProtocol} and {@link StoreRules} for the rights of one process in one store. All rights that
 * are due are renewed in one trip, without a read; the store is read to claim and to confirm, if it refuses, if an
 * answer was lost, and once in {@value #RENEWALS} renewals. For one thread at a time.
 *
 * <p>It asks for nothing while the local clock is far from the store's, so that no window is reserved in a wrong year.
 * The store's time is estimated by the monotonic clock, from the last read. That estimate is behind if this machine was
 * suspended; then the store is read.
 */
final class LeaseClient {

    private static final Logger LOG = System.getLogger(LeaseClient.class.getName());

    static final String SEQUENCE = "seq";

    /** After so many looks in a row the caller gets an error. */
    private static final int LOOKS = 40;

    /** After so many renewals the store is read, which shows whether it has lost anything. */
    private static final int RENEWALS = 20;

    /** The store's time at {@code nanos} or before. */
    private record Seen(long storeTime, long nanos) {

        long estimate(long now) {
            return storeTime + TimeUnit.NANOSECONDS.toMillis(now - nanos);
        }
    }

    private final LeaseStore store;

    private final InstantSource clock;

    private final Platform platform;

    private final StoreHeader.Terms begins;

    private final LedgerMemory memory = new LedgerMemory();

    /** As last read or written. */
    private volatile @Nullable StoreHeader header;

    private @Nullable Seen seen;

    private int renewals;

    /** Whether all rows are taken, and more must be created. */
    private boolean mustGrow;

    private volatile @Nullable Duration clockOffset;

    /** @param begins with which a new store begins */
    LeaseClient(LeaseStore store, StoreHeader.Terms begins, InstantSource clock, Platform platform) {
        this.store = store;
        this.clock = clock;
        this.platform = platform;
        this.begins = begins;
    }

    /** How far the local clock was ahead of the store's, within half of the answer's time; null before an answer. */
    @Nullable
    Duration clockOffset() {
        return clockOffset;
    }

    /** As last read or written; null before that. */
    @Nullable
    StoreHeader header() {
        return header;
    }

    String label() {
        return store.label();
    }

    /** Whether a step has something to do for the right now. */
    boolean isDue(Right right) {
        StoreHeader known = header;
        return known == null || !right.isConfirmed() || right.protocol(known).isDue(right.state, platform.nanoTime());
    }

    /** Whether a right lasts. A window of id time has no other end than its bound. */
    boolean isUsable(Right right, Lease held) {
        StoreHeader known = header;
        return right.rule == LeaseProtocol.Rule.WINDOW_OVER
                || (known != null && right.protocol(known).isUsable(held, platform.nanoTime()));
    }

    /**
     * How long a step has nothing to do. A row that this process waits for is looked at in a while; so is whether a
     * right is used that was not.
     */
    long pauseNanos(Collection<Right> rights) {
        StoreHeader known = header;
        long now = platform.nanoTime();
        return rights.stream()
                .filter(Right::isWatched)
                .mapToLong(each -> known == null || !each.isConfirmed()
                        ? LeaseRunner.POLL_NANOS
                        : each.protocol(known).pause(Objects.requireNonNull(each.state.held()), now))
                .min()
                .orElse(LeaseRunner.IDLE_NANOS);
    }

    /** Identifies the store; random. */
    String token() throws SQLException, InterruptedException {
        StoreHeader known = header;
        for (int i = 0; known == null && i < LOOKS; i++) {
            Look look = look(Set.of(StoreHeader.NAME), List.of(), false);
            known = look == null ? null : look.header;
        }
        if (known == null) {
            throw tooManyLooks();
        }
        return known.token();
    }

    /**
     * Renews rights, and claims those that are not held.
     *
     * @param wanted whether rights are renewed that are not due yet
     * @throws NoFreeNumberException if all worker numbers are taken
     * @throws IdUnavailableException if no right may be claimed now
     */
    void step(Collection<Right> rights, boolean wanted) throws SQLException, InterruptedException {
        List<Right> due = rights.stream()
                .filter(each -> wanted || (each.isWatched() && isDue(each)))
                .toList();
        StoreHeader known = header;
        if (known != null
                && !due.isEmpty()
                && renewals < RENEWALS
                && isNear(known)
                && due.stream().allMatch(each -> each.mayBeRenewed() && lasts(each, known))) {
            renewals++;
            long now = clock.millis();
            due = send(due, each -> Optional.of(renewal(each, known, now)));
        }
        boolean isWanted = wanted;
        for (int i = 0; !due.isEmpty(); i++) {
            if (i == LOOKS) {
                throw tooManyLooks();
            }
            due = look(due, isWanted);
            isWanted = false;
        }
    }

    private boolean lasts(Right right, StoreHeader known) {
        return right.protocol(known)
                .lasts(Objects.requireNonNull(right.state.held()), clock.millis(), platform.nanoTime());
    }

    /** Whether the clock is near the store's by the estimate. */
    private boolean isNear(StoreHeader known) {
        Seen last = seen;
        return last != null && Math.abs(clock.millis() - last.estimate(platform.nanoTime())) <= known.skew();
    }

    /** Reads the store, and sends at most one request for each right. Returns the rights that need another look. */
    private List<Right> look(List<Right> rights, boolean wanted) throws SQLException, InterruptedException {
        // A server that lags shows a row that others have changed as it was.
        boolean isSynchronised = rights.stream()
                .anyMatch(each -> (each.isHeld() && !each.isConfirmed()) || (each.isUnanswered() && each.refusals > 0));
        StoreHeader known = header;
        Set<Right> unheld = rights.stream().filter(each -> !each.isHeld()).collect(Collectors.toSet());
        Look look = look(names(rights), rights, isSynchronised);
        if (look == null || known == null || known.workers() != look.header.workers()) {
            // Not all rows were asked for.
            return rights;
        }
        Set<Right> before = rights.stream().filter(Right::isConfirmed).collect(Collectors.toSet());
        for (Right each : rights) {
            learn(each, look);
        }
        if (!rights.stream().allMatch(each -> each.isHeld() || unheld.contains(each))) {
            // A right is gone, and its other rows were not asked for.
            return rights;
        }
        List<Right> without = look.isOpen() ? without(rights, look) : List.of();
        List<Change> more = without.stream()
                .map(each -> more(each, look))
                .filter(changes -> !changes.isEmpty())
                .findFirst()
                .orElse(List.of());
        mustGrow = !more.isEmpty();
        if (mustGrow) {
            Set<String> unused = make(more);
            return rights;
        }
        Set<Right> asked = rights.stream().filter(Right::isUnanswered).collect(Collectors.toSet());
        List<Right> again = send(rights, each -> request(each, rights, look, wanted && before.contains(each)));
        if (!rights.stream().allMatch(Right::isConfirmed)) {
            look.requireOpen();
        }
        if (!without.isEmpty()) {
            throw noneFree(without.get(0), look);
        }
        if (isSynchronised
                && !again.isEmpty()
                && again.stream().allMatch(each -> asked.contains(each) && each.isUnanswered())) {
            throw new IdUnavailableException("A row of leases is as expected, but can't be changed for now: "
                    + again.get(0).rows().get(0) + " on " + store.label()
                    + ". If a transaction holds it, end that");
        }
        return again;
    }

    /**
     * What the store says, which is the one that this process knows. {@code millis} and {@code answered} show the
     * clocks after the answer.
     */
    private record Look(StoreHeader header, Page page, long millis, long answered, String refusal) {

        boolean isOpen() {
            return refusal.isEmpty();
        }

        void requireOpen() {
            if (!isOpen()) {
                throw new IdUnavailableException(refusal);
            }
        }

        /** The store's, or that of this process's clock if that is earlier. */
        long time() {
            return Math.min(millis, page.time());
        }
    }

    /**
     * Reads the store, and makes the changes that anybody makes who finds it so.
     *
     * @return null if there were any: look again
     */
    private @Nullable Look look(Set<String> names, List<Right> rights, boolean isSynchronised)
            throws SQLException, InterruptedException {
        LedgerMemory.Known known = memory.known().of(names);
        Answer answer = ask(names, isSynchronised);
        Decision decision = decide(answer, known, isSynchronised);
        while (decision instanceof ReadAgain again) {
            Set<String> all = new LinkedHashSet<>(answer.names);
            all.addAll(again.more());
            answer = ask(all, true);
            decision = decide(answer, known, true);
        }
        Page page = answer.page;
        if (decision instanceof Write write) {
            rights.stream().filter(each -> each.isLost(page)).forEach(Right::end);
            // By a wrong clock of the store, a loss would be over too early.
            requireRightClock(answer);
            if (write.lost().isEmpty()) {
                Set<String> unused = make(write.changes());
            } else {
                tell(write, answer);
            }
            return null;
        }
        String refusal =
                decision instanceof Refused refused ? StoreTexts.refused(refused, memory.known(), store.label()) : "";
        if (decision instanceof Refused refused && refused.reason().isOther()) {
            throw new IdUnavailableException(refusal);
        }
        StoreHeader found = new StoreHeader(answer.page.row(StoreHeader.NAME));
        header = found;
        renewals = 0;
        memory.learn(answer.page.rows().values());
        requireRightClock(answer);
        return new Look(found, answer.page, answer.millis, answer.answered, refusal);
    }

    private record Answer(Set<String> names, Page page, long millis, long answered, long nanos) {}

    /** If an answer takes longer than the skew, a correct clock looks wrong. Then the store is read once more. */
    private Answer ask(Set<String> names, boolean isSynchronised) throws SQLException, InterruptedException {
        Answer answer = askOnce(names, isSynchronised);
        StoreHeader known = header;
        boolean isLate = known != null && answer.nanos > TimeUnit.MILLISECONDS.toNanos(known.skew());
        return isLate ? askOnce(names, isSynchronised) : answer;
    }

    private Answer askOnce(Set<String> names, boolean isSynchronised) throws SQLException, InterruptedException {
        long began = platform.nanoTime();
        Page page = store.read(names, isSynchronised);
        long millis = clock.millis();
        long answered = platform.nanoTime();
        seen = new Seen(page.time(), answered);
        clockOffset = Duration.ofMillis(millis - page.time()).minusNanos((answered - began) / 2);
        return new Answer(names, page, millis, answered, answered - began);
    }

    private Decision decide(Answer answer, LedgerMemory.Known known, boolean isSynchronised) {
        return StoreRules.decide(
                answer.page, answer.names, known, store.server(), isSynchronised, begins, platform.token());
    }

    /** Does not allow for the time of the answer: that would let the clock be further ahead than the limit. */
    private void requireRightClock(Answer answer) {
        Row row = answer.page.row(StoreHeader.NAME);
        long skew = row.state() == Row.State.NEW ? begins.skew() : new StoreHeader(row).skew();
        long storeTime = answer.page.time();
        if (Math.abs(answer.millis - storeTime) > skew) {
            throw new IdUnavailableException("The local clock must be near the store's: clock="
                    + Instant.ofEpochMilli(answer.millis) + ", " + store.label() + " says "
                    + Instant.ofEpochMilli(storeTime) + " in an answer that took "
                    + TimeUnit.NANOSECONDS.toMillis(answer.nanos) + " ms, allowed: skew=" + skew
                    + " ms. Set the clock");
        }
    }

    /** The rows that rights hold, have asked for, or may claim. */
    private Set<String> names(List<Right> rights) {
        Set<String> names = new LinkedHashSet<>(Set.of(StoreHeader.NAME));
        StoreHeader known = header;
        for (Right each : rights) {
            names.addAll(each.rows());
            if (known != null && !each.isHeld()) {
                names.addAll(each.claims.rows(known));
                if (mustGrow) {
                    each.claims
                            .numbers()
                            .ifPresent(wanted ->
                                    StoreRules.next(known, wanted.first()).forEach(names::add));
                }
            }
        }
        return names;
    }

    /**
     * Rows are lost. Others are told first. Then what was known of the rows is forgotten, and missing ones are created.
     */
    private void tell(Write write, Answer answer) throws SQLException, InterruptedException {
        LOG.log(Level.ERROR, StoreTexts.lost(write.lost(), memory.known(), answer.page, store.label()));
        List<Change> changes = write.changes();
        if (store.write(changes.subList(0, 1)).isEmpty()) {
            return;
        }
        List<Row> rows = new ArrayList<>(answer.page.rows().values());
        rows.add(changes.get(0).next());
        memory.replace(answer.names, rows);
        if (changes.size() > 1) {
            Set<String> unused = make(changes.subList(1, changes.size()));
        }
    }

    private Set<String> make(List<Change> changes) throws SQLException, InterruptedException {
        Set<String> done = store.write(changes);
        memory.learn(changes.stream()
                .map(Change::next)
                .filter(row -> done.contains(row.name()))
                .toList());
        return done;
    }

    /** Takes over what the store says of a right. */
    private void learn(Right right, Look look) {
        Lease held = right.state.held();
        LeaseProtocol protocol = right.protocol(look.header);
        Map<String, Row> rows = look.page.rows();
        Version open = look.isOpen() ? look.header.version() : null;
        LeaseState next = protocol.read(right.state, rows, open, look.millis, look.answered);
        if (right.rule == LeaseProtocol.Rule.UNCHANGED) {
            for (String name : right.claims.rows(look.header)) {
                Row row = rows.get(name);
                next = row == null ? next : protocol.watch(next, row, look.answered);
            }
        }
        boolean isGone = held != null && next.held() == null;
        boolean isInactive = right.rule == LeaseProtocol.Rule.UNCHANGED && !right.isConfirmed();
        right.learn(next);
        if (isInactive && right.isConfirmed()) {
            LOG.log(
                    Level.INFO,
                    "This process is active now: {0} on {1}",
                    right.rows().get(0),
                    store.label());
        }
        if (isGone) {
            gone(right, Objects.requireNonNull(held), protocol, look.page);
        }
    }

    /**
     * The row is not as this process wrote it last: a command has sealed it, or another process has taken it. Or it is
     * lost, which was told when another right was looked at.
     */
    private void gone(Right right, Lease held, LeaseProtocol protocol, Page page) {
        Row row = page.rows().get(held.row().name());
        if (row == null || held.isLost(page)) {
            right.end();
            return;
        }
        boolean isSealed = row.text().get(StoreHeader.COMMAND).isPresent();
        boolean isEarly = right.rule == LeaseProtocol.Rule.WINDOW_OVER
                ? page.time() < held.bound()
                : protocol.isUsable(held, platform.nanoTime());
        if (isEarly && !isSealed) {
            right.end();
        }
        LOG.log(isEarly ? Level.ERROR : Level.WARNING, StoreTexts.gone(row, isSealed, isEarly, store.label()));
    }

    /** The rights that want a worker number, and find none that is free. */
    private List<Right> without(List<Right> rights, Look look) {
        return rights.stream()
                .filter(each -> each.claims.numbers().isPresent()
                        && !each.isHeld()
                        && !each.isUnanswered()
                        && free(each, rights, look).isEmpty())
                .toList();
    }

    private List<Change> more(Right right, Look look) {
        Right.Numbers wanted = right.claims.numbers().orElseThrow();
        return StoreRules.more(look.header, look.page, wanted.first(), wanted.last(), platform.token());
    }

    private NoFreeNumberException noneFree(Right right, Look look) {
        Right.Numbers wanted = right.claims.numbers().orElseThrow();
        return new NoFreeNumberException(
                StoreTexts.noneFree(wanted, look.page, store.label()),
                Right.rows(wanted, look.header).stream()
                        .map(look.page.rows()::get)
                        // A right that has just ended did not ask for all.
                        .filter(Objects::nonNull)
                        .mapToLong(Row::number)
                        .min()
                        .orElse(0));
    }

    /**
     * The rows that a right may claim now, without those that others of this process have or ask for. Of many, as few
     * as the requests of other processes leave alone.
     */
    private List<Row> free(Right right, List<Right> rights, Look look) {
        LeaseProtocol protocol = right.protocol(look.header);
        long now = platform.nanoTime();
        Set<String> taken = rights.stream()
                .filter(each -> !each.equals(right))
                .flatMap(each -> each.rows().stream())
                .collect(Collectors.toSet());
        return right.claims.rows(look.header).stream()
                .filter(name -> !taken.contains(name))
                .map(look.page.rows()::get)
                .filter(row -> row != null && protocol.mayClaim(right.state, row, look.time(), now))
                .limit(1L << Math.min(2 * right.refusals, 16))
                .toList();
    }

    private LeaseRequest renewal(Right right, StoreHeader known, long millis) {
        Lease held = Objects.requireNonNull(right.state.held());
        long from = right.claims.from(millis);
        long bound = right.claims.bound(known, held.isConfirmed() ? held.from() : Math.max(held.from(), from), millis);
        return right.protocol(known)
                .renew(held, known.version(), from, bound, right.owner, platform.token(), platform.nanoTime());
    }

    /** What to send for a right after a look. */
    private Optional<LeaseRequest> request(Right right, List<Right> rights, Look look, boolean wanted) {
        LeaseProtocol protocol = right.protocol(look.header);
        if (protocol.isRepeated(right.state, look.time())) {
            return Optional.ofNullable(right.state.sent());
        }
        right.state = right.state.forgetting();
        Lease held = right.state.held();
        boolean isDue = held == null
                || (held.isConfirmed()
                        ? wanted || protocol.isDue(right.state, platform.nanoTime())
                        : !look.header.version().equals(held.unconfirmed()));
        if (!isDue || (!right.isConfirmed() && !look.isOpen())) {
            return Optional.empty();
        }
        if (held != null) {
            return Optional.of(renewal(right, look.header, look.millis));
        }
        List<Row> free = free(right, rights, look);
        return free.isEmpty()
                ? Optional.empty()
                : Optional.of(claim(right, free.get((int) platform.random(0, free.size())), look));
    }

    private LeaseRequest claim(Right right, Row row, Look look) {
        long from = Math.max(row.number(), right.claims.from(look.millis));
        long bound = right.claims.bound(look.header, from, look.millis);
        return right.protocol(look.header)
                .claim(row, look.header.version(), from, bound, right.owner, platform.token(), platform.nanoTime());
    }

    /**
     * Sends the requests of rights in one trip.
     *
     * @return the rights whose request was not done, or that must be confirmed
     */
    private List<Right> send(List<Right> rights, Function<Right, Optional<LeaseRequest>> requests)
            throws SQLException, InterruptedException {
        List<Right> sent = new ArrayList<>();
        for (Right each : rights) {
            requests.apply(each).ifPresent(request -> {
                each.state = each.state.sending(request);
                sent.add(each);
            });
        }
        Set<String> done = sent.isEmpty()
                ? Set.of()
                : make(sent.stream()
                        .map(each -> Objects.requireNonNull(each.state.sent()).change())
                        .toList());
        long millis = clock.millis();
        long answered = platform.nanoTime();
        for (Right each : sent) {
            LeaseRequest request = Objects.requireNonNull(each.state.sent());
            boolean isDone = done.contains(request.name());
            each.refusals = isDone ? 0 : each.refusals + 1;
            if (isDone) {
                each.learn(each.protocol(Objects.requireNonNull(header)).done(each.state, millis, answered));
            }
        }
        return rights.stream()
                .filter(each -> each.isUnanswered() || (each.isHeld() && !each.isConfirmed()))
                .toList();
    }

    /**
     * Ends rights, and gives up what is left of them. The last call before {@link #close}.
     *
     * @param unused this process uses neither this value of a right nor a larger one
     */
    void handBack(Map<Right, Long> unused) throws SQLException, InterruptedException {
        List<Change> changes = unused.entrySet().stream()
                .flatMap(
                        each -> LeaseProtocol.handBack(each.getKey().state, each.getValue(), platform.token()).stream())
                .toList();
        if (!changes.isEmpty()) {
            LOG.log(Level.DEBUG, "Leases are handed back: {0}", make(changes));
        }
    }

    /**
     * Takes a worker number that is never given again. The header alone gives it: no row tells of it.
     *
     * @throws NoFreeNumberException if there is none
     * @throws IdUnavailableException if none may be taken now
     */
    long takeForSingleUse(Right.Numbers wanted) throws SQLException, InterruptedException {
        for (int i = 0; i < LOOKS; i++) {
            Look look = look(Set.of(StoreHeader.NAME), List.of(), false);
            if (look != null) {
                look.requireOpen();
                long number = Math.max(Math.max(look.header.burnt(), look.header.workers()), wanted.first());
                if (number > wanted.last()) {
                    throw new NoFreeNumberException(StoreTexts.usedUp(wanted, number, store.label()), 0);
                }
                Change burns = look.header.burnt(number + 1).change(platform.token());
                if (!make(List.of(burns)).isEmpty()) {
                    return number;
                }
            }
        }
        throw tooManyLooks();
    }

    /**
     * The row that records the layout of a sequence. The first process writes it.
     *
     * @param text of a new row
     * @throws IdUnavailableException if none may be written now
     */
    Row layout(String sequence, Fields text) throws SQLException, InterruptedException {
        for (int i = 0; i < LOOKS; i++) {
            StoreHeader known = header;
            Set<String> names = new LinkedHashSet<>(List.of(StoreHeader.NAME, StoreHeader.STRICT));
            LongStream.rangeClosed(0, known == null ? -1 : known.layouts())
                    .mapToObj(StoreHeader::layout)
                    .forEach(names::add);
            Look look = look(names, List.of(), false);
            if (look != null && known != null && look.header.layouts() == known.layouts()) {
                // Nobody notices the loss of one that is not counted yet.
                Optional<Row> found = StoreRules.layout(look.page, sequence)
                        .filter(row -> !row.name().equals(StoreHeader.layout(known.layouts())));
                boolean isClosed = look.header.state() != Row.State.OPEN;
                if (found.isPresent() && !isClosed) {
                    return found.get();
                }
                // A command that has closed the store may be about to change it.
                look.requireOpen();
                Set<String> unused = make(
                        StoreRules.layout(look.header, look.page, text.with(SEQUENCE, sequence), platform.token()));
            }
        }
        throw tooManyLooks();
    }

    private IdUnavailableException tooManyLooks() {
        return new IdUnavailableException("Others were faster, " + LOOKS + " times: " + store.label() + ". Try again");
    }

    void close() {
        store.close();
    }
}
