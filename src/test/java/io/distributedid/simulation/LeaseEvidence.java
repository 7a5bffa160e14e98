package io.distributedid.simulation;

import io.distributedid.internal.lease.LeaseInternals;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.ledger.Row;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which losses of a store of leases nobody can notice. It knows that from the requests that the server did.
 *
 * <p>The excuses, each for one process and one row:
 *
 * <ol>
 *   <li>"Not noticed: a free row that is set back while nobody holds it (the next owner waits for no one)". The same of
 *       a row that is held, until its owner visits the store, and of an older copy of all rows, until a process that
 *       knows better does: whoever claims a row while its loss is not written into the header, and reads the header
 *       before it is, can't know of it: {@link #isExcused}. But everybody misses a row that the header counts.
 *   <li>"and a copy of a process until its next visit to the store": what both may use of one window is that of the
 *       moment at which it was copied: {@link LeaseJudge#copied}.
 *   <li>A number for a single use is given again if the header went back, and whoever told of that did not know the
 *       number; or if an operator has begun the store anew: {@link #isBurntForGood}.
 *   <li>A row is created free in another store, if the address changes between look and change. It is of no use there:
 *       a header does not count it, or a row of that name is missing there anyway.
 *   <li>A process whose monotonic clock stood still may be active in strict order beside another one: its ids are
 *       unique, not in order ("Order rests on rates that differ by at most 1 %").
 * </ol>
 */
final class LeaseEvidence implements LeaseServer.Watcher {

    private record Use(String row, String by) {}

    private final LeaseScene scene;

    /** Rows that are not as they were last, by name: since when, by the store's clock. */
    private final Map<String, Long> lost = new HashMap<>();

    /** Those that are missing, though the header counts them. */
    private final Set<String> missing = new HashSet<>();

    /** Claims of the others. */
    private final Set<Use> pending = new HashSet<>();

    private final Set<Use> excused = new HashSet<>();

    /** The number from which the next one for a single use was taken, by who has read it. */
    private final Map<String, Long> burnt = new HashMap<>();

    /** By who has read it. */
    private final Map<String, LeaseServer> lastRead = new HashMap<>();

    private long burntForGood = Long.MAX_VALUE;

    private boolean wasAnyLost;

    private long longest;

    LeaseEvidence(LeaseScene scene) {
        this.scene = scene;
    }

    /** The content of the store becomes another one. */
    void becomes(LeaseServer server, Map<String, Row> after) {
        Map<String, Row> before = Map.copyOf(server.rows());
        Row header = before.get(StoreHeader.NAME);
        longest = header == null ? longest : Math.max(longest, LeaseInternals.longest(header));
        server.become(after);
        Row counts = after.get(StoreHeader.NAME);
        missing.clear();
        missing.addAll(counts == null ? Set.of() : LeaseInternals.counted(counts));
        missing.removeAll(after.keySet());
        Stream.concat(before.keySet().stream(), after.keySet().stream())
                .distinct()
                .filter(name -> !isSame(before.get(name), after.get(name)))
                .forEach(name -> {
                    lost.put(name, server.time());
                    wasAnyLost = true;
                    if (name.equals(StoreHeader.NAME)) {
                        burntForGood = Math.min(burntForGood, 0);
                    }
                });
        scene.world().log(() -> "the store has lost " + lost.keySet());
    }

    private static boolean isSame(@Nullable Row one, @Nullable Row other) {
        return one == null ? other == null : other != null && one.version().equals(other.version());
    }

    private static long lost(LeaseServer server) {
        Row header = server.rows().get(StoreHeader.NAME);
        return header == null ? 0 : LeaseInternals.lost(header);
    }

    private boolean isUntold(LeaseServer server, String name) {
        Long since = lost.get(name);
        return since != null && lost(server) < since && server.time() < since + longest;
    }

    boolean wasAnyLost() {
        return wasAnyLost;
    }

    /** Whether nobody could tell the process that the row was another's. */
    boolean isExcused(String row, String by) {
        return excused.contains(new Use(row, by));
    }

    /** Whether a number for a single use must not be given again. */
    boolean isBurntForGood(long number) {
        return number < burntForGood;
    }

    /** An operator has begun the store anew. */
    void begun() {
        burntForGood = 0;
        burnt.clear();
    }

    @Override
    public void written(LeaseServer server, @Nullable Row before, Row after, String by) {
        boolean isLedAstray = after.version().count() == 1
                && LeaseProtocol.owner(after).isEmpty()
                && !server.equals(lastRead.get(by));
        if (scene.isCounterfeit(server) && isLedAstray) {
            // The process will miss that row in the right store, and close it for a while.
            wasAnyLost = true;
            scene.rightsMayEnd();
            scene.judge().allow(LeaseRule.LOST);
        } else if (scene.isCounterfeit(server)) {
            scene.judge().blame("A process has changed another store than its own: " + by + " " + after);
        }
        if (server != scene.store()) {
            return;
        }
        if (after.name().equals(StoreHeader.NAME)) {
            told(server, before == null ? 0 : LeaseInternals.lost(before), after, by);
        } else if (isUntold(server, after.name())
                && !missing.contains(after.name())
                && !LeaseProtocol.owner(after).isEmpty()) {
            pending.add(new Use(after.name(), by));
        }
    }

    private void told(LeaseServer server, long before, Row after, String by) {
        if (scene.isOperator(by)) {
            // The version grows beyond the one that was lost, which then nobody misses.
            burnt.clear();
        }
        long now = LeaseInternals.lost(after);
        if (now != 0 && now != before) {
            missing.clear();
            if (!wasAnyLost && !scene.isOperator(by)) {
                scene.judge().blame("Nothing was lost, but the store was closed: " + by + " " + after);
            }
            burntForGood = Math.max(burntForGood, burnt.getOrDefault(by, 0L));
        } else if (now == 0 && before != 0) {
            if (server.time() < before + LeaseInternals.longest(after)) {
                scene.judge().blame("A store was opened before all that was lost had ended: " + by + " " + after);
            }
            lost.values().removeIf(since -> since <= before);
            if (!server.rows().keySet().containsAll(LeaseInternals.counted(after))) {
                scene.judge().blame("A loss was ended while rows are missing: " + by + " " + after);
            }
        }
    }

    @Override
    public void read(LeaseServer server, Collection<String> names, boolean isSynchronised, String by) {
        lastRead.put(by, server);
        if (server != scene.store() || !names.contains(StoreHeader.NAME)) {
            return;
        }
        Row header = server.rows().get(StoreHeader.NAME);
        if (header != null) {
            burnt.merge(by, new StoreHeader(header).burnt(), Math::max);
        }
        for (String name : names) {
            Use use = new Use(Objects.requireNonNull(name), by);
            if (pending.contains(use) && isUntold(server, name)) {
                excused.add(use);
                scene.world().log(() -> "nobody can know that the row was lost: " + use);
            }
        }
    }
}
