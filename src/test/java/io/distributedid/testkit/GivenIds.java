package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/** What clients were given, whichever of them: no id may be among it twice. */
public final class GivenIds {

    private static final String SEQUENCE = "photos";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Set<Long> ids = new HashSet<>();

    private final TreeSet<Long> twice = new TreeSet<>();

    /**
     * A client of a backend that creates its table, with blocks of ten. Its callers are refused after a short time,
     * since tests wait for that; a server may take long to answer, as on a busy machine.
     */
    public static DistributedIds client(String backend, Object servers, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", backend);
        settings.put("distributedid." + backend + ".servers", servers);
        settings.put("distributedid.create_tables", true);
        settings.put("distributedid.block.min", 10);
        settings.put("distributedid.block.max", 10);
        settings.put("distributedid.block.timeout", "3s");
        settings.put("distributedid.timeout", "1m");
        for (int i = 0; i < more.length; i += 2) {
            settings.put("distributedid." + more[i], more[i + 1]);
        }
        return DistributedIds.create(settings);
    }

    public static DistributedIds tickets(Object servers, Object... more) {
        return client("ticket", servers, more);
    }

    public static DistributedIds sequenceTable(Object servers, Object... more) {
        return client("sequence_table", servers, more);
    }

    /** Takes ids of the sequence {@code photos}; an error is one of the test. */
    public void take(DistributedIds from, int count) {
        for (int i = 0; i < count; i++) {
            add(next(from));
        }
    }

    /**
     * The next id of the sequence {@code photos}. That no server has answered yet is no refusal: the machine may be
     * busy.
     */
    static long next(DistributedIds from) {
        long began = System.nanoTime();
        while (true) {
            try {
                return from.next(SEQUENCE);
            } catch (IdUnavailableException e) {
                if (!String.valueOf(e.getMessage()).endsWith(": the server has not answered")
                        || System.nanoTime() - began > Await.PATIENCE.toNanos()) {
                    throw e;
                }
            }
        }
    }

    /**
     * Takes ids once an outage is over, which callers are told of until an attempt in the background has ended well.
     */
    public void takeOnceGiven(DistributedIds from, int count) {
        long began = System.nanoTime();
        while (true) {
            try {
                add(from.next(SEQUENCE));
                break;
            } catch (IdUnavailableException e) {
                if (System.nanoTime() - began > PATIENCE.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
        }
        take(from, count - 1);
    }

    /** Takes ids until there is an error, which there must be. */
    public RuntimeException takeUntilRefused(DistributedIds from, int atMost) {
        RuntimeException refusal = tryToTake(from, atMost);
        return refusal != null ? refusal : fail("No error in " + atMost + " ids; given twice: " + twice.size());
    }

    /** Takes ids until they are refused for a reason, perhaps after a moment in which the server could not be asked. */
    public void takeUntilRefusedFor(DistributedIds from, int atMost, String reason) {
        long began = System.nanoTime();
        RuntimeException refusal = takeUntilRefused(from, atMost);
        while (!refusal.getMessage().contains(reason)) {
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                throw new AssertionError("Refused for another reason than " + reason, refusal);
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            refusal = takeUntilRefused(from, atMost);
        }
    }

    /** Takes ids until there is an error; null if there is none. */
    public RuntimeException tryToTake(DistributedIds from, int count) {
        try {
            take(from, count);
            return null;
        } catch (IdConfigurationException | IdUnavailableException | IdsExhaustedException e) {
            return e;
        }
    }

    public synchronized void add(long id) {
        if (!ids.add(id)) {
            twice.add(id);
        }
    }

    public synchronized int count() {
        return ids.size();
    }

    public synchronized long highest() {
        return ids.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    public synchronized void assertNoneTwice() {
        assertThat(twice.size())
                .as("ids given twice, of %d: %s", ids.size(), twice)
                .isZero();
    }
}
