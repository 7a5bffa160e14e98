package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Compares the final records of a sequence, which others may have written, with each other and with those that this
 * process has found before.
 *
 * <ul>
 *   <li>The record that is found first says which first server the sequence has. That never changes in this process
 *       once the records were compared, or a caller has got a number or read one. Before, a refusal forgets it: an
 *       address may have been wrong for a moment. If records contradict each other, no number is given then until all
 *       their servers agree.
 *   <li>Before the first number of a sequence, the record of the first server and that of another one are compared. All
 *       calls wait for it. They go on without it only if no server that is needed tells its record. If calls go on, the
 *       servers are asked again every few seconds, and no call waits; after a longer time without calls, the next ones
 *       wait again. What a server answers to other calls makes none wait.
 *   <li>A record that differs is refused. So is the sequence on all servers, since any of the records may be the wrong
 *       one, until the server whose record differs has the known one again.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class RowComparison {

    static final long LEAST_AGE = Duration.ofMillis(500).toNanos();

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

    private volatile boolean isStopped;

    /**
     * @param servers one connection to each, in the order of the setting
     * @param answerTimeout of each
     */
    RowComparison(List<DedicatedConnection<RowSession>> servers, Duration answerTimeout, LongSupplier nanoTime) {
        this.servers = servers;
        this.nanoTime = nanoTime;
        refusals = new RowRefusals(servers);
        silent = new SilentServers(nanoTime);
        inquiry = new RowInquiry(servers, silent, answerTimeout, nanoTime);
    }

    /**
     * Announces that connections end from now on. So a server that does not answer may be well: the next source, which
     * takes over what is known, asks it again.
     */
    void stop() {
        isStopped = true;
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
     * Remembers the final record of a server. Not if a contradiction was noted since: its servers must tell their
     * records again.
     *
     * @param before what was known before the connection was checked that has told the record
     * @throws IdConfigurationException if it differs from those that are known
     */
    @SuppressWarnings("ReferenceEquality")
    void require(String sequence, RowRecord found, KnownRecords before) {
        AtomicReference<KnownRecords> reference = reference(sequence);
        KnownRecords known = reference.get();
        while (!known.has(found)) {
            if (known.contradict(found)) {
                throw refused(sequence, refusals.another(sequence, known, found));
            }
            if (known.contradiction() != before.contradiction()) {
                return;
            }
            reference.compareAndSet(known, known.with(found));
            known = reference.get();
        }
    }

    /** Remembers a refusal, and returns it. */
    IdConfigurationException refused(String sequence, RefusedServerException why) {
        update(sequence, known -> {
            if (known.isNoted(why)) {
                return known;
            }
            KnownRecords refused = known.refused(why.server(), nanoTime.getAsLong());
            if (!why.isContradiction()) {
                return refused;
            }
            Set<Integer> places = new HashSet<>(known.byPlace().keySet());
            places.addAll(why.contradicting());
            return known.isKept() ? refused.doubted(why.server(), why) : refused.contradicted(places, why);
        });
        return why;
    }

    /**
     * Runs work of a sequence. Not on a connection that is older than the last refusal: it may lead to a server that an
     * address has left since. If it has told the known record, only a refusal of its own server counts.
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
        KnownRecords known = known(sequence);
        boolean isRight =
                known.isKept() && session.lastTold(sequence).filter(known::has).isPresent();
        Long refusedAt = isRight ? known.refusedAt(session.server()) : known.lastRefusal();
        boolean isOlder = refusedAt != null && session.opened() - refusedAt < 0;
        // Not each refused call of many needs new connections.
        if (isOlder && nanoTime.getAsLong() - session.opened() > LEAST_AGE) {
            throw new OutdatedException();
        }
    }

    /** A connection could not be opened. */
    void failed(DedicatedConnection<RowSession> connection) {
        silent.silent(connection);
    }

    void answered(DedicatedConnection<RowSession> connection) {
        silent.answered(connection);
    }

    /**
     * As {@link #require}, and tells whether the server may give numbers, or tell the last one.
     *
     * @param before as there
     * @throws IdConfigurationException if the record differs from those that are known
     */
    @SuppressWarnings("ReferenceEquality")
    Next next(String sequence, RowRecord found, KnownRecords before) {
        require(sequence, found, before);
        AtomicReference<KnownRecords> reference = reference(sequence);
        while (true) {
            KnownRecords known = reference.get();
            Next next = known.has(found) ? next(known) : Next.COMPARE;
            KnownRecords noted = switch (next) {
                case GIVE -> known.given();
                // While that question lasts, the other calls go on, and none asks too.
                case GIVE_AND_COMPARE -> known.given().asked(nanoTime.getAsLong());
                case COMPARE -> known;
            };
            if (noted == known || reference.compareAndSet(known, noted)) {
                return next;
            }
        }
    }

    private Next next(KnownRecords known) {
        return known.next(servers.size(), nanoTime.getAsLong());
    }

    /** Whether calls wait for {@link #compare}. */
    boolean isAwaited(String sequence) {
        return next(known(sequence)) == Next.COMPARE;
    }

    /**
     * Asks other servers for their records, for one thread at a time. {@link #next} can decide then, unless the records
     * were forgotten meanwhile.
     *
     * @throws IdConfigurationException if the records differ
     */
    void compare(String sequence) throws InterruptedException {
        KnownRecords known = known(sequence);
        if (!known.doubts().isEmpty()) {
            for (Map.Entry<Integer, IdConfigurationException> doubt :
                    known.doubts().entrySet()) {
                if (!belongs(sequence, doubt.getKey(), new ArrayList<>())) {
                    throw doubt.getValue();
                }
                update(sequence, now -> now.trusted(doubt.getKey(), doubt.getValue()));
            }
        } else if (known.isBegun() && !known.isCompared()) {
            askOthers(sequence, known);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private void askOthers(String sequence, KnownRecords known) throws InterruptedException {
        List<RowRecord> prepared = new ArrayList<>();
        List<Integer> silentOnes = new ArrayList<>();
        for (int server : known.others(servers.size())) {
            if (belongs(sequence, server, prepared)) {
                // What was read before a newer contradiction is worth nothing.
                update(sequence, now -> now.contradiction() == known.contradiction() ? now.compared(prepared) : now);
                if (known(sequence).unresolved() == null) {
                    return;
                }
            } else {
                silentOnes.add(server);
            }
        }
        if (isStopped) {
            return;
        }
        KnownRecords.Contradiction contradiction = known(sequence).unresolved();
        if (contradiction != null) {
            throw refusals.unresolved(contradiction.why(), silentOnes);
        }
        // Other records would need other servers.
        update(
                sequence,
                now -> now.unresolved() == null && now.byPlace().equals(known.byPlace())
                        ? now.asked(nanoTime.getAsLong())
                        : now);
    }

    private boolean belongs(String sequence, int server, List<RowRecord> prepared) throws InterruptedException {
        KnownRecords before = known(sequence);
        AtomicBoolean isChecked = new AtomicBoolean();
        try {
            return inquiry.ask(server, session -> {
                // Once, as in call: the next connection may be older than a newer refusal.
                if (!isChecked.getAndSet(true)) {
                    requireCurrent(sequence, session);
                }
                return belongs(sequence, server, session.record(sequence), before, prepared);
            });
        } catch (RefusedServerException e) {
            throw refused(sequence, e);
        }
    }

    /** Not if the record is missing, or is the first server's and not final. Adds another one that is not final. */
    private boolean belongs(
            String sequence, int server, Optional<RowRecord> found, KnownRecords before, List<RowRecord> prepared) {
        if (found.isEmpty()) {
            return false;
        }
        if (found.get().isFinal()) {
            require(sequence, found.get(), before);
            return true;
        }
        KnownRecords known = known(sequence);
        if (known.contradict(found.get())) {
            throw refusals.another(sequence, known, found.get());
        }
        if (server == 0) {
            return false;
        }
        prepared.add(found.get());
        return true;
    }
}
