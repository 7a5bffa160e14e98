package io.distributedid.simulation;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A server with a store of leases. It remembers all that it was, so that it can be set back, or lag. */
final class LeaseServer {

    /** Whoever watches what is done. */
    interface Watcher {

        /** @param before null if it was missing */
        void written(LeaseServer server, @Nullable Row before, Row after, String by);

        void read(LeaseServer server, Collection<String> names, boolean isSynchronised, String by);
    }

    private final LeaseScene scene;

    private final String name;

    private final Watcher watcher;

    private final ConcurrentHashMap<String, Row> rows = new ConcurrentHashMap<>();

    private final MemoryLedger ledger = new MemoryLedger(rows, this::time);

    private final List<Map<String, Row>> history = new ArrayList<>(List.of(Map.of()));

    private final long clockOffset;

    /** What it says of itself; another one after a failover. */
    private String identity;

    private boolean isAway;

    private boolean hangs;

    private boolean lags;

    LeaseServer(LeaseScene scene, String name, Watcher watcher) {
        this.scene = scene;
        this.name = name;
        this.identity = name;
        this.watcher = watcher;
        this.clockOffset = scene.world().random(-50, 50);
    }

    long time() {
        return scene.time() + clockOffset;
    }

    String identity() {
        return identity;
    }

    Map<String, Row> rows() {
        return rows;
    }

    boolean isAway() {
        return isAway;
    }

    boolean hangs() {
        return hangs;
    }

    void away(boolean away) {
        isAway = away;
    }

    void hangs(boolean hanging) {
        hangs = hanging;
    }

    void lags(boolean lagging) {
        lags = lagging;
    }

    /** @param by who asks */
    Page read(Collection<String> names, boolean isSynchronised, String by) {
        if (lags && !isSynchronised) {
            Map<String, Row> old = ago(scene.world().random(12));
            Map<String, Row> found = new HashMap<>();
            names.forEach(each -> found.computeIfAbsent(each, old::get));
            return new Page(found, time());
        }
        watcher.read(this, names, isSynchronised, by);
        return ledger.read(names, true);
    }

    /** @param by who asks */
    Set<String> write(List<Change> changes, String by) {
        Set<String> done = Set.of();
        for (Change each : changes) {
            Row before = rows.get(each.name());
            Set<String> one = ledger.write(List.of(each));
            Row after = rows.get(each.name());
            if (after != null && !after.equals(before)) {
                watcher.written(this, before, after, by);
            }
            if (!one.isEmpty()) {
                done = new HashSet<>(done);
                done.addAll(one);
            }
        }
        if (!done.isEmpty()) {
            history.add(Map.copyOf(rows));
        }
        return done;
    }

    /** What it was so many commits ago, but not before it was begun. */
    Map<String, Row> ago(int commits) {
        return history.get(Math.max(1, history.size() - 1 - commits));
    }

    int commits() {
        return history.size() - 1;
    }

    /** Another content, as a restore would bring it. */
    void become(Map<String, Row> content) {
        rows.clear();
        rows.putAll(content);
        history.add(Map.copyOf(rows));
    }

    /** Another machine takes its place. */
    void failsOver() {
        identity = identity + "'";
    }

    @Override
    public String toString() {
        return name;
    }
}
