package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.ServerBusyException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares the final records of a sequence, which others may have written, with each other and with those that this
 * process has found before.
 *
 * <ul>
 *   <li>The record that is found first says which first server the sequence has. That never changes in this process.
 *   <li>Before the first number of a sequence, the record of the first server and that of another one are compared. If
 *       the server that is asked does not answer, the others go on; it is asked again later.
 *   <li>A record that differs is refused. So is the sequence on all servers, since any of the records may be the wrong
 *       one, until the server whose record differs has the known one again.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class RowComparison {

    private static final Logger LOG = System.getLogger(RowComparison.class.getName());

    private static final long PAUSE = Duration.ofSeconds(5).toNanos();

    /** After a call to a server that was busy. */
    private static final long SHORT_PAUSE = Duration.ofMillis(500).toNanos();

    private static final String LOST_OR_OTHER =
            ": it has lost its rows and was begun anew, or its address leads to another server";

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

    private final Map<String, KnownRecords> known = new ConcurrentHashMap<>();

    /** By sequence, when a server is asked again that did not answer. */
    private final Map<String, Long> again = new ConcurrentHashMap<>();

    /** When a server was asked in vain that has not answered since. So one that hangs delays one sequence, not each. */
    private final AtomicReferenceArray<@Nullable Long> awaySince;

    /** @param servers one connection to each, in the order of the setting */
    RowComparison(List<DedicatedConnection<RowSession>> servers, LongSupplier nanoTime) {
        this.servers = servers;
        this.nanoTime = nanoTime;
        awaySince = new AtomicReferenceArray<>(servers.size());
    }

    /** Takes over what the comparison of an abandoned source knows. */
    void learn(RowComparison former) {
        known.putAll(former.known);
    }

    /** Whether a record of the sequence has been found. */
    boolean isKnown(String sequence) {
        return known.containsKey(sequence);
    }

    private KnownRecords known(String sequence) {
        return known.computeIfAbsent(sequence, each -> new KnownRecords(servers.size()));
    }

    /**
     * Remembers the final record of a server.
     *
     * @throws IdConfigurationException if it differs from those that are known
     */
    void require(String sequence, RowRecord found) {
        KnownRecords records = known(sequence);
        if (!records.accepts(found)) {
            throw refused(sequence, records, found);
        }
    }

    /** Why a record, which need not be final, is another one than those that are known allow; empty if it is not. */
    Optional<IdConfigurationException> refusal(String sequence, RowRecord found) {
        KnownRecords records = known.get(sequence);
        return records != null && records.contradict(found)
                ? Optional.of(refused(sequence, records, found))
                : Optional.empty();
    }

    /**
     * As {@link #require}, and tells whether the server may give numbers. It has just answered.
     *
     * @throws IdConfigurationException if the record differs from those that are known
     */
    Next next(String sequence, RowRecord found) {
        require(sequence, found);
        if (servers.size() == 1) {
            return Next.GIVE;
        }
        if (awaySince.get(found.place() - 1) != null) {
            awaySince.set(found.place() - 1, null);
        }
        KnownRecords records = known(sequence);
        if (records.doubted() != null) {
            return Next.COMPARE;
        }
        if (isCompared(records)) {
            return Next.GIVE;
        }
        Long when = again.get(sequence);
        if (when == null) {
            return Next.COMPARE;
        }
        long now = nanoTime.getAsLong();
        return now - when >= 0 && again.replace(sequence, when, now + PAUSE) ? Next.GIVE_AND_COMPARE : Next.GIVE;
    }

    private static boolean isCompared(KnownRecords records) {
        return records.isKnown(0) && records.otherThan(0) > 0;
    }

    /**
     * Asks another server for its record.
     *
     * @param isPatient whether to wait for one that did not answer the last time
     * @throws IdConfigurationException if the records differ
     */
    void compare(String sequence, boolean isPatient) throws InterruptedException {
        KnownRecords records = known(sequence);
        RowRecord doubted = records.doubted();
        if (doubted != null) {
            if (!hasAnswered(sequence, doubted.place() - 1, true)) {
                throw refused(sequence, records, doubted);
            }
            records.trust();
        } else if (!isCompared(records)) {
            again.put(sequence, nanoTime.getAsLong() + PAUSE);
            int end = records.isKnown(0) ? servers.size() : 1;
            int server = records.isKnown(0) ? 1 : 0;
            while (server < end && !hasAnswered(sequence, server, isPatient)) {
                server++;
            }
        }
    }

    /** Whether a server has told its record, which is as it must be. */
    private boolean hasAnswered(String sequence, int server, boolean isPatient) throws InterruptedException {
        Long since = awaySince.get(server);
        if (since != null && !(isPatient && nanoTime.getAsLong() - since > PAUSE)) {
            return false;
        }
        Optional<RowRecord> found = read(sequence, server);
        found.ifPresent(record -> require(sequence, record));
        return found.isPresent();
    }

    private Optional<RowRecord> read(String sequence, int server) throws InterruptedException {
        try {
            Optional<RowRecord> found = servers.get(server).callUnlessBusy(session -> session.record(sequence));
            awaySince.set(server, null);
            return found.filter(RowRecord::isFinal);
        } catch (ServerBusyException e) {
            again.put(sequence, nanoTime.getAsLong() + SHORT_PAUSE);
            report(sequence, server, e);
        } catch (SQLException e) {
            awaySince.set(server, nanoTime.getAsLong());
            report(sequence, server, e);
        } catch (IdConfigurationException e) {
            // Its own keys tell.
            report(sequence, server, e);
        }
        return Optional.empty();
    }

    private void report(String sequence, int server, Exception why) {
        LOG.log(
                Level.DEBUG,
                "A server has not told its record yet: seq=" + sequence + ", "
                        + servers.get(server).label(),
                why);
    }

    private IdConfigurationException refused(String sequence, KnownRecords records, RowRecord found) {
        int server = found.place() - 1;
        int other = records.otherThan(server);
        boolean isChanged = records.isKnown(server);
        if (!isChanged) {
            return refused(sequence, server, otherFirst(other));
        }
        String belonged = other < 0 ? "" : ", and does not belong to " + name(other) + " any more";
        return refused(sequence, server, "has another record than before" + belonged + LOST_OR_OTHER);
    }

    /** Why a server is refused. */
    String otherFirst(int other) {
        return "belongs to another first server than " + (other < 0 ? "before" : name(other));
    }

    private String name(int server) {
        return "server " + (server + 1) + " of " + servers.size() + " ("
                + servers.get(server).label() + ")";
    }

    IdConfigurationException refused(String sequence, int server, String why) {
        return new IdConfigurationException("The servers of a sequence must not change: seq=" + sequence + ", "
                + name(server) + " " + why + ". Restore the former list in " + DistributedIdSettings.KEYED_ROW_SERVERS
                + ", or restore its rows");
    }
}
