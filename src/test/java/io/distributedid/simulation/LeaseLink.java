package io.distributedid.simulation;

import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Page;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The connection of a process to the server that its address leads to. Requests go wrong as the network says. */
final class LeaseLink implements LeaseStore {

    /** How long a call waits for an answer. */
    static final long LIMIT = 1_000_000_000;

    private static final long BRIEFLY = 100_000_000;

    private static final long SLOW = 400_000_000;

    private static final int SLOW_ONE_IN = 12;

    private final LeaseScene scene;

    private final String by;

    private LeaseServer server;

    private final String label;

    private String identity = "";

    /** Requests without an answer, by row: they may still be done. */
    private final Map<String, Change> unanswered = new HashMap<>();

    private boolean isStopped;

    private boolean isCut;

    private boolean hangs;

    private long calls;

    /** @param by who calls */
    LeaseLink(LeaseScene scene, String by, LeaseServer server) {
        this.scene = scene;
        this.by = by;
        this.server = server;
        this.label = "the store " + server;
    }

    LeaseServer leadsTo() {
        return server;
    }

    void leadTo(LeaseServer other) {
        server = other;
    }

    void hangs(boolean hanging) {
        hangs = hanging;
    }

    long calls() {
        return calls;
    }

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws SQLException, InterruptedException {
        List<String> asked = List.copyOf(names);
        Page page = call(to -> to.read(asked, isSynchronised, by), to -> {}, "reads");
        scene.world()
                .log(() -> "reads " + (isSynchronised ? "synchronised " : "") + asked + ": "
                        + LeaseScene.told(page.rows()));
        return page;
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException, InterruptedException {
        scene.world().log(() -> "asks for " + LeaseScene.told(changes));
        for (Change each : changes) {
            requireRepeated(unanswered.put(each.name(), each), each);
        }
        Set<String> done = call(
                to -> to.write(changes, by),
                to -> to.write(changes.subList(0, 1 + scene.world().random(changes.size())), by),
                "writes");
        scene.world().log(() -> "done: " + done);
        changes.forEach(each -> unanswered.remove(each.name()));
        return done;
    }

    /** "A request that can still be done is repeated unchanged, so that there are never two." */
    private void requireRepeated(@Nullable Change before, Change change) {
        if (before == null || scene.isOperator(by)) {
            return;
        }
        boolean isOther = before.expected().equals(change.expected())
                && !before.next().version().equals(change.next().version());
        boolean areBothRights = !LeaseProtocol.owner(before.next()).isEmpty()
                && !LeaseProtocol.owner(change.next()).isEmpty();
        long past = scene.time() + 2 * scene.setup().skew();
        if (isOther && areBothRights && before.next().number() > past) {
            scene.judge().blame("A request may still be done, but another one is sent: " + by + " " + before.next());
        }
    }

    /** @param partly what is done of a request without an answer */
    private <T> T call(Function<LeaseServer, T> work, Consumer<LeaseServer> partly, String what)
            throws SQLException, InterruptedException {
        World world = scene.world();
        calls++;
        LeaseServer to = server;
        identity = to.identity();
        long began = world.now();
        travel();
        Network.Fate fate = scene.network().next();
        if (isCut || to.isAway()) {
            throw Failure.refused(to);
        }
        if ((hangs || to.hangs()) && fate == Network.Fate.FINE) {
            fate = world.once(2) ? Network.Fate.LOST : Network.Fate.LATE;
        }
        if (fate != Network.Fate.FINE) {
            Network.Fate now = fate;
            world.log(() -> what + ", " + now);
        }
        switch (fate) {
            case FINE -> {
                T answer = work.apply(to);
                travel();
                return answer;
            }
            case TWICE -> {
                T unused = work.apply(to);
                world.sleep(world.random(0, SLOW));
                T answer = work.apply(to);
                travel();
                return answer;
            }
            case UNANSWERED -> partly.accept(to);
            case LATE -> {
                long late = world.once(3) ? 6_000_000_000L : 1_500_000_000L;
                world.startAfter(world.random(0, late), scene.wire(), "late request of " + by, () -> {
                    T unused = work.apply(to);
                });
            }
            case LOST -> {}
        }
        if (fate != Network.Fate.LATE && world.once(2)) {
            throw Failure.reset(to);
        }
        boolean unused = world.await(() -> isCut || (isStopped && world.now() - began >= BRIEFLY), LIMIT, true);
        if (world.current().wasInterrupted()) {
            throw new InterruptedException();
        }
        throw Failure.timeout(to);
    }

    private void travel() {
        World world = scene.world();
        if (scene.isSlow() && world.once(SLOW_ONE_IN)) {
            world.sleep(world.random(0, SLOW));
        } else {
            world.step(world.random(50_000, 2_000_000));
        }
    }

    @Override
    public String server() {
        return identity;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public void stop() {
        isStopped = true;
    }

    @Override
    public void cut() {
        isCut = true;
    }

    @Override
    public void close() {
        isCut = true;
    }
}
