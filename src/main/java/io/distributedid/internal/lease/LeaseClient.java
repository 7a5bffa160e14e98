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
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
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
final class LeaseClient implements LeaseLoop.Work {

    private static final Logger LOG = System.getLogger(LeaseClient.class.getName());

    static final String SEQUENCE = "seq";

    /** How often it is looked whether rights are used. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** After so many looks in a row the caller gets an error. */
    private static final int LOOKS = 40;

    /** After so many renewals the store is read, which shows whether it has lost anything. */
    private static final int RENEWALS = 20;

    /**
     * @param millis the clock of this process afterwards
     * @param answered its monotonic clock then
     * @param nanos how long the answer took
     */
    private record Answer(Set<String> names, Page page, long millis, long answered, long nanos) {

        Duration clockOffset() {
            return Duration.ofMillis(millis - page.time()).minusNanos(nanos / 2);
        }

        /** The store's time or before. */
        long estimate(long now) {
            return page.time() + TimeUnit.NANOSECONDS.toMillis(now - answered);
        }
    }

    private final LeaseStore store;

    private final InstantSource clock;

    private final Platform platform;

    private final StoreHeader.Terms begins;

    private final List<Right> rights = new CopyOnWriteArrayList<>();

    private final LedgerMemory memory = new LedgerMemory();

    /** As last read or written. */
    private volatile @Nullable StoreHeader header;

    private volatile @Nullable Answer last;

    private int renewals;

    /** @param begins with which a new store begins */
    LeaseClient(LeaseStore store, StoreHeader.Terms begins, InstantSource clock, Platform platform) {
        this.store = store;
        this.clock = clock;
        this.platform = platform;
        this.begins = begins;
    }

    /** Those that are kept; may be changed by any thread. */
    List<Right> rights() {
        return rights;
    }

    /** How far the local clock was ahead of the store's, within half of the answer's time; empty before an answer. */
    Optional<Duration> clockOffset() {
        return Optional.ofNullable(last).map(Answer::clockOffset);
    }

    /** As last read or written; null before that. */
    @Nullable
    StoreHeader header() {
        return header;
    }

    /**
     * How long a step has nothing to do. A row that this process waits for is looked at in a while; so is whether a
     * right is used that was not.
     */
    @Override
    public long pauseNanos() {
        long now = platform.nanoTime();
        return rights.stream()
                .filter(Right::isWatched)
                .mapToLong(each -> !each.isConfirmed()
                        ? LeaseLoop.POLL_NANOS
                        : each.protocol().pause(Objects.requireNonNull(each.state.held()), now))
                .min()
                .orElse(IDLE_NANOS);
    }

    /** Identifies the store; random. */
    String token() throws SQLException, InterruptedException {
        StoreHeader known = header;
        for (int i = 0; known == null && i < LOOKS; i++) {
            Look look = look(Set.of(StoreHeader.NAME), List.of(), false);
            known = look == null ? null : header;
        }
        if (known == null) {
            throw tooManyLooks();
        }
        return known.token();
    }

    @Override
    public void step(boolean isWanted) throws SQLException, InterruptedException {
        step(rights, isWanted);
    }

    /**
     * Renews rights, and claims those that are not held.
     *
     * @param wanted whether rights are renewed that are not due yet
     * @throws NoFreeNumberException if all worker numbers are taken
     * @throws IdUnavailableException if no right may be claimed now
     */
    void step(Collection<Right> rights, boolean wanted) throws SQLException, InterruptedException {
        // What was refused in an earlier step may have been refused by another store.
        rights.forEach(each -> each.refusals = each.isUnanswered() ? Math.min(each.refusals, 1) : 0);
        long began = platform.nanoTime();
        List<Right> due = rights.stream()
                .filter(each -> wanted || (each.isWatched() && each.isDue(began)))
                .toList();
        StoreHeader known = header;
        if (known != null
                && !due.isEmpty()
                && renewals < RENEWALS
                && isNear(known)
                && due.stream().allMatch(each -> each.mayBeRenewed() && lasts(each))) {
            renewals++;
            long now = clock.millis();
            due = send(
                    due, each -> Optional.of(each.renew(known.version(), now, platform.token(), platform.nanoTime())));
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

    private boolean lasts(Right right) {
        return right.protocol().lasts(Objects.requireNonNull(right.state.held()), clock.millis(), platform.nanoTime());
    }

    /** Whether the clock is near the store's by the estimate. */
    private boolean isNear(StoreHeader known) {
        Answer found = last;
        return found != null && Math.abs(clock.millis() - found.estimate(platform.nanoTime())) <= known.skew();
    }

    /** Reads the store, and sends at most one request for each right. Returns the rights that need another look. */
    private List<Right> look(List<Right> rights, boolean wanted) throws SQLException, InterruptedException {
        // A server that lags shows a row that others have changed as it was.
        boolean isSynchronised = rights.stream()
                .anyMatch(each -> (each.isHeld() && !each.isConfirmed()) || (each.isUnanswered() && each.refusals > 0));
        StoreHeader known = header;
        Set<Right> unheld = rights.stream().filter(each -> !each.isHeld()).collect(Collectors.toSet());
        Look look = look(names(rights), rights, isSynchronised);
        StoreHeader found = header;
        if (look == null || known == null || found == null || known.workers() != found.workers()) {
            // Not all rows were asked for.
            return rights;
        }
        // A renewal that is found made now is the one that was wanted.
        Set<Right> before = rights.stream().filter(Right::mayBeRenewed).collect(Collectors.toSet());
        for (Right each : rights) {
            each.window(found.window());
            learn(each, look);
        }
        if (!rights.stream().allMatch(each -> each.isHeld() || unheld.contains(each))) {
            // A right is gone, and its other rows were not asked for.
            return rights;
        }
        List<Right> without = look.isOpen() ? without(rights, found, look) : List.of();
        List<Change> more = without.stream()
                .map(each -> more(wanted(each), found, look))
                .filter(changes -> !changes.isEmpty())
                .findFirst()
                .orElse(List.of());
        if (!more.isEmpty()) {
            Set<String> unused = make(more);
            return rights;
        }
        if (isSynchronised && rights.stream().allMatch(each -> each.isUnanswered() && each.refusals > 1)) {
            requireOpen(look);
            throw unchangeable(rights);
        }
        List<Right> again = send(
                rights,
                each -> each.request(
                        look,
                        () -> anyOf(free(each, rights, found, look)),
                        wanted && before.contains(each),
                        platform.token(),
                        platform.nanoTime()));
        if (!rights.stream().allMatch(Right::isConfirmed)) {
            requireOpen(look);
        }
        if (!without.isEmpty()) {
            throw noneFree(wanted(without.get(0)), found, look);
        }
        return again;
    }

    /** Two looks of this step showed the rows as expected, and a request between them was refused. */
    private IdUnavailableException unchangeable(List<Right> rights) {
        return new IdUnavailableException("A row of leases is as expected, but can't be changed for now: "
                + rights.get(0).rows().get(0) + " on " + store.label() + ". If a transaction holds the row, end the"
                + " transaction"
                + Pages.onCall("lease-row-locked"));
    }

    private static void requireOpen(Look look) {
        if (!look.isOpen()) {
            throw new IdUnavailableException(look.refusal());
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
        Row found = answer.page.row(StoreHeader.NAME);
        header = new StoreHeader(found);
        renewals = 0;
        memory.learn(answer.page.rows().values());
        requireRightClock(answer);
        return new Look(found, answer.page, answer.millis, answer.answered, refusal);
    }

    /** If an answer takes longer than the skew, a correct clock looks wrong. Then the store is read once more. */
    private Answer ask(Set<String> names, boolean isSynchronised) throws SQLException, InterruptedException {
        Answer answer = askOnce(names, isSynchronised);
        StoreHeader known = header;
        long skew = known == null ? begins.skew() : known.skew();
        boolean isLate = answer.nanos > TimeUnit.MILLISECONDS.toNanos(skew);
        return isLate ? askOnce(names, isSynchronised) : answer;
    }

    private Answer askOnce(Set<String> names, boolean isSynchronised) throws SQLException, InterruptedException {
        long began = platform.nanoTime();
        Page page = store.read(names, isSynchronised);
        long millis = clock.millis();
        long answered = platform.nanoTime();
        Answer answer = new Answer(names, page, millis, answered, answered - began);
        last = answer;
        return answer;
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
                    + " ms. Set the clock" + Pages.onCall("clock-skew"));
        }
    }

    /** The rows that rights hold, have asked for, or may claim. */
    private Set<String> names(List<Right> rights) {
        Set<String> names = new LinkedHashSet<>(Set.of(StoreHeader.NAME));
        StoreHeader known = header;
        for (Right each : rights) {
            names.addAll(each.rows());
            if (known != null && !each.isHeld()) {
                names.addAll(each.rows(known));
                each.numbers.ifPresent(wanted ->
                        StoreRules.next(known, wanted.first(), wanted.last()).forEach(names::add));
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
        boolean isInactive = right.rule == LeaseProtocol.Rule.UNCHANGED && !right.isConfirmed();
        right.read(look);
        if (isInactive && right.isConfirmed()) {
            LOG.log(
                    Level.INFO,
                    "This process is active now: {0} on {1}",
                    right.rows().get(0),
                    store.label());
        }
        if (held != null && !right.isHeld()) {
            gone(right, held, look.page());
        }
    }

    /**
     * The row is not as this process wrote it last: a command has sealed it, or another process has taken it. Or it is
     * lost, which was told when another right was looked at.
     */
    private void gone(Right right, Lease held, Page page) {
        Row row = page.rows().get(held.row().name());
        if (row == null || held.isLost(page)) {
            right.end();
            return;
        }
        boolean isSealed = row.text().get(StoreHeader.COMMAND).isPresent();
        boolean isEarly = right.rule == LeaseProtocol.Rule.WINDOW_OVER
                ? page.time() < held.bound()
                : right.isUsable(held, platform.nanoTime());
        if (isEarly && !isSealed) {
            right.end();
        }
        LOG.log(isEarly ? Level.ERROR : Level.WARNING, StoreTexts.gone(row, isSealed, isEarly, store.label()));
    }

    /** The rights that want a worker number, and find none that is free. */
    private List<Right> without(List<Right> rights, StoreHeader found, Look look) {
        return rights.stream()
                .filter(each -> each.numbers.isPresent()
                        && !each.isHeld()
                        && !each.isUnanswered()
                        && free(each, rights, found, look).isEmpty())
                .toList();
    }

    private static Right.Numbers wanted(Right right) {
        return right.numbers.orElseThrow();
    }

    private List<Change> more(Right.Numbers wanted, StoreHeader found, Look look) {
        return StoreRules.more(found, look.page(), wanted.first(), wanted.last(), platform.token());
    }

    private NoFreeNumberException noneFree(Right.Numbers wanted, StoreHeader found, Look look) {
        return new NoFreeNumberException(
                StoreTexts.noneFree(wanted, look.page(), store.label()),
                Right.rows(wanted, found).stream()
                        .map(look.page().rows()::get)
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
    private List<Row> free(Right right, List<Right> rights, StoreHeader found, Look look) {
        long now = platform.nanoTime();
        Set<String> taken = rights.stream()
                .filter(each -> !each.equals(right))
                .flatMap(each -> each.rows().stream())
                .collect(Collectors.toSet());
        return right.rows(found).stream()
                .filter(name -> !taken.contains(name))
                .map(look.page().rows()::get)
                .filter(row -> row != null && right.protocol().mayClaim(right.state, row, look.time(), now))
                .limit(1L << Math.min(2 * right.refusals, 16))
                .toList();
    }

    private Optional<Row> anyOf(List<Row> free) {
        return free.isEmpty() ? Optional.empty() : Optional.of(free.get((int) platform.random(0, free.size())));
    }

    /**
     * Sends the requests of rights in one trip.
     *
     * @return the rights whose request was not done, or that must be confirmed
     */
    private List<Right> send(List<Right> rights, Function<Right, Optional<Change>> requests)
            throws SQLException, InterruptedException {
        Map<Right, Change> sent = new LinkedHashMap<>();
        rights.forEach(each -> requests.apply(each).ifPresent(change -> sent.put(each, change)));
        Set<String> done = sent.isEmpty() ? Set.of() : make(List.copyOf(sent.values()));
        long millis = clock.millis();
        long answered = platform.nanoTime();
        sent.forEach((right, change) -> {
            right.refusals++;
            if (done.contains(change.name())) {
                right.done(millis, answered);
            }
        });
        return rights.stream()
                .filter(each -> each.isUnanswered() || (each.isHeld() && !each.isConfirmed()))
                .toList();
    }

    /**
     * Ends rights, and gives up what is left of them. The last call.
     *
     * @param unused this process uses neither this value of a right nor a larger one
     * @return the names of the rows that were handed back
     */
    Set<String> handBack(Map<Right, Long> unused) throws SQLException, InterruptedException {
        List<Change> changes = unused.entrySet().stream()
                .flatMap(
                        each -> LeaseProtocol.handBack(each.getKey().state, each.getValue(), platform.token()).stream())
                .toList();
        return changes.isEmpty() ? Set.of() : make(changes);
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
                requireOpen(look);
                StoreHeader found = new StoreHeader(look.header());
                long number = Math.max(Math.max(found.burnt(), found.workers()), wanted.first());
                if (number > wanted.last()) {
                    throw new NoFreeNumberException(StoreTexts.usedUp(wanted, number, store.label()), 0);
                }
                Change burns = found.burnt(number + 1).change(platform.token());
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
            StoreHeader found = header;
            if (look != null && known != null && found != null && found.layouts() == known.layouts()) {
                // Nobody notices the loss of one that is not counted yet.
                Optional<Row> layout = StoreRules.layout(look.page(), sequence)
                        .filter(row -> !row.name().equals(StoreHeader.layout(known.layouts())));
                if (layout.isPresent() && found.state() == Row.State.OPEN) {
                    return layout.get();
                }
                // A command that has closed the store may be about to change it.
                requireOpen(look);
                Set<String> unused =
                        make(StoreRules.layout(found, look.page(), text.with(SEQUENCE, sequence), platform.token()));
            }
        }
        throw tooManyLooks();
    }

    private IdUnavailableException tooManyLooks() {
        return new IdUnavailableException(
                "Other processes were faster, " + LOOKS + " times: " + store.label() + ". Try again");
    }
}
