package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.keyed.row.RowInquiry.Answer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Compares the final records of a sequence, which others may have written, with each other and with those that this
 * process has found before.
 *
 * <ul>
 *   <li>The record that is found first says which first server the sequence has. Once numbers were given, that never
 *       changes in this process. Before, a refusal forgets it: an address may have been wrong for a moment.
 *   <li>Before the first number of a sequence, the record of the first server and that of another one are compared. All
 *       calls wait for it. They go on without it only if no server that is needed can be reached, or has a record. Then
 *       they are asked again every few seconds.
 *   <li>A record that differs is refused. So is the sequence on all servers, since any of the records may be the wrong
 *       one, until the server whose record differs has the known one again.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class RowComparison {

    private static final long LEAST_AGE = Duration.ofMillis(500).toNanos();

    /** Cuts the connection. */
    private static final class OutdatedException extends SQLException {

        private static final long serialVersionUID = 1;

        OutdatedException() {
            super("The connection is older than the last refusal");
        }
    }

    /** What to do before numbers are given. */
    enum Next {
        /** Give numbers. */
        GIVE,
        /** Give numbers, and let another thread compare the records. */
        GIVE_AND_COMPARE,
        /** Compare the records. */
        COMPARE
    }

    private final List<DedicatedConnection<RowSession>> servers;

    private final LongSupplier nanoTime;

    private final RowRefusals refusals;

    private final SilentServers silent;

    private final RowInquiry inquiry;

    private final Map<String, AtomicReference<KnownRecords>> bySequence = new ConcurrentHashMap<>();

    /**
     * @param servers one connection to each, in the order of the setting
     * @param answerTimeout of each
     */
    RowComparison(List<DedicatedConnection<RowSession>> servers, Duration answerTimeout, LongSupplier nanoTime) {
        this.servers = servers;
        this.nanoTime = nanoTime;
        refusals = new RowRefusals(servers);
        silent = new SilentServers(servers.size(), nanoTime);
        inquiry = new RowInquiry(servers, silent, answerTimeout, nanoTime);
    }

    /** Takes over what the comparison of an abandoned source knows. */
    void learn(RowComparison former) {
        bySequence.putAll(former.bySequence);
    }

    KnownRecords known(String sequence) {
        return reference(sequence).get();
    }

    private AtomicReference<KnownRecords> reference(String sequence) {
        AtomicReference<KnownRecords> found = bySequence.get(sequence);
        return found != null
                ? found
                : bySequence.computeIfAbsent(sequence, each -> new AtomicReference<>(KnownRecords.NONE));
    }

    private void update(String sequence, UnaryOperator<KnownRecords> change) {
        reference(sequence).updateAndGet(change);
    }

    /**
     * Remembers the final record of a server.
     *
     * @throws IdConfigurationException if it differs from those that are known
     */
    void require(String sequence, RowRecord found) {
        AtomicReference<KnownRecords> reference = reference(sequence);
        KnownRecords known = reference.get();
        while (!known.has(found)) {
            if (known.contradict(found)) {
                throw refused(sequence, found.place() - 1, refusals.another(sequence, known, found));
            }
            reference.compareAndSet(known, known.with(found));
            known = reference.get();
        }
    }

    private IdConfigurationException refused(String sequence, int server, IdConfigurationException why) {
        KnownRecords.Doubt doubt = new KnownRecords.Doubt(server, why);
        update(sequence, known -> known.refused(doubt, nanoTime.getAsLong()));
        return why;
    }

    /** The sequence was refused, but for no record that differs. */
    void refused(String sequence) {
        update(sequence, known -> known.refused(known.doubt(), nanoTime.getAsLong()));
    }

    /**
     * Runs work of a sequence. Not on a connection that is older than the last refusal: it may lead to a server that an
     * address has left since.
     */
    <T> T call(DedicatedConnection<RowSession> server, String sequence, DedicatedConnection.Work<RowSession, T> work)
            throws SQLException, InterruptedException {
        try {
            return server.call(session -> {
                requireCurrent(sequence, session);
                return work.in(session);
            });
        } catch (OutdatedException e) {
            return server.call(work);
        }
    }

    private void requireCurrent(String sequence, RowSession session) throws OutdatedException {
        Long refusedAt = known(sequence).refusedAt();
        boolean isOlder = refusedAt != null && session.opened() - refusedAt < 0;
        // Not each refused call of many needs new connections.
        if (isOlder && nanoTime.getAsLong() - session.opened() > LEAST_AGE) {
            throw new OutdatedException();
        }
    }

    /** A connection could not be opened. If the comparison uses the same one, its server was asked in vain. */
    void failed(DedicatedConnection<RowSession> connection) {
        int server = servers.indexOf(connection);
        if (server >= 0) {
            silent.silent(server);
        }
    }

    /**
     * As {@link #require}, and tells whether the server may give numbers. It has just answered.
     *
     * @throws IdConfigurationException if the record differs from those that are known
     */
    Next next(RowCall.Spot spot, RowRecord found) {
        require(spot.sequence(), found);
        silent.answered(found.place() - 1);
        AtomicReference<KnownRecords> reference = reference(spot.sequence());
        while (true) {
            KnownRecords known = reference.get();
            Next next = next(known, found);
            boolean isNoted = spot.isRead() || known.isGiven() || next == Next.COMPARE;
            if (isNoted || reference.compareAndSet(known, known.given())) {
                return next;
            }
        }
    }

    private Next next(KnownRecords known, RowRecord found) {
        if (known.doubt() != null || !known.has(found)) {
            return Next.COMPARE;
        }
        Long missedAt = known.missedAt();
        boolean isMissed = missedAt != null && nanoTime.getAsLong() - missedAt <= SilentServers.PAUSE;
        if (servers.size() == 1 || known.isCompared() || isMissed) {
            return Next.GIVE;
        }
        if (!known.isAskedInVain()) {
            return Next.COMPARE;
        }
        List<SilentServers.State> states = others(known).mapToObj(silent::state).toList();
        if (states.contains(SilentServers.State.UNKNOWN)) {
            return Next.COMPARE;
        }
        return states.contains(SilentServers.State.DUE) ? Next.GIVE_AND_COMPARE : Next.GIVE;
    }

    /** The servers of which any one completes the comparison. */
    private IntStream others(KnownRecords known) {
        return known.isKnown(0) ? IntStream.range(1, servers.size()) : IntStream.of(0);
    }

    /**
     * Asks other servers for their records, for one thread at a time. Returns when {@link #next} can decide.
     *
     * @throws IdConfigurationException if the records differ
     */
    void compare(String sequence) throws InterruptedException {
        KnownRecords known = known(sequence);
        KnownRecords.Doubt doubt = known.doubt();
        if (doubt != null) {
            if (ask(sequence, doubt.server()) != Answer.BELONGS) {
                throw doubt.why();
            }
            update(sequence, now -> now.trusted(doubt));
            return;
        }
        boolean isMissed = false;
        if (!known.isCompared()) {
            for (int server : others(known).toArray()) {
                Answer answer = ask(sequence, server);
                if (answer == Answer.BELONGS) {
                    return;
                }
                isMissed |= answer == Answer.NO_RECORD;
            }
            boolean isAnswer = isMissed;
            update(sequence, now -> isAnswer ? now.missed(nanoTime.getAsLong()) : now.askedInVain());
        }
    }

    private Answer ask(String sequence, int server) throws InterruptedException {
        try {
            return inquiry.ask(server, session -> answer(sequence, server, session.record(sequence)));
        } catch (IdConfigurationException e) {
            throw refused(sequence, server, e);
        }
    }

    private Answer answer(String sequence, int server, Optional<RowRecord> found) {
        boolean isFinal = found.map(RowRecord::isFinal).orElse(false);
        if (found.isEmpty() || server == 0 && !isFinal) {
            return Answer.NO_RECORD;
        }
        if (isFinal) {
            require(sequence, found.get());
            return Answer.BELONGS;
        }
        KnownRecords known = known(sequence);
        if (known.contradict(found.get())) {
            throw refusals.another(sequence, known, found.get());
        }
        update(sequence, now -> now.isKnown(0) && !now.contradict(found.get()) ? now.compared() : now);
        return Answer.BELONGS;
    }
}
