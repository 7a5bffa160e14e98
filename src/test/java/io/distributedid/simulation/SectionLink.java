package io.distributedid.simulation;

import io.distributedid.internal.keyed.served.SectionStore;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Page;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The connection of a process to the store of sections. Requests go wrong as the network says. */
final class SectionLink implements SectionStore {

    private static final long LIMIT = 300_000_000;

    private static final long LATEST = 3_000_000_000L;

    private final SectionRun run;

    private final String by;

    private boolean isCut;

    private boolean isAway;

    private int calls;

    SectionLink(SectionRun run, String by) {
        this.run = run;
        this.by = by;
    }

    void away(boolean away) {
        isAway = away;
    }

    int calls() {
        return calls;
    }

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws SQLException, InterruptedException {
        List<String> asked = List.copyOf(names);
        return call(() -> run.rows().read(asked), () -> {});
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException, InterruptedException {
        run.world().log(() -> by + " asks for " + changes);
        Set<String> done = call(
                () -> run.rows().write(changes),
                () -> run.rows().write(changes.subList(0, 1 + run.world().random(changes.size()))));
        run.world().log(() -> "done: " + done);
        return done;
    }

    @Override
    public boolean isMarked(String sequence) throws SQLException, InterruptedException {
        return call(() -> run.rows().isMarked(), () -> {});
    }

    @Override
    public void mark(String sequence) throws SQLException, InterruptedException {
        boolean unused = call(() -> run.rows().mark(), () -> run.rows().mark());
    }

    /** @param partly what is done of a request without an answer */
    private <T> T call(Supplier<T> work, Runnable partly) throws SQLException, InterruptedException {
        World world = run.world();
        calls++;
        travel();
        Network.Fate fate = run.network().next();
        if (isCut || isAway) {
            throw Failure.refused("store");
        }
        Consumer<Supplier<T>> ignored = each -> each.get();
        switch (fate) {
            case FINE -> {
                T answer = work.get();
                travel();
                return answer;
            }
            case TWICE -> {
                ignored.accept(work);
                world.sleep(world.random(0, LIMIT));
                T answer = work.get();
                travel();
                return answer;
            }
            case UNANSWERED -> partly.run();
            case LATE ->
                world.startAfter(world.random(0, LATEST), run.wire(), "late request of " + by, () -> {
                    world.log(() -> "a late request is done");
                    ignored.accept(work);
                });
            case LOST -> {}
        }
        boolean unused = world.await(() -> isCut, world.once(2) ? LIMIT : 1, true);
        if (world.current().wasInterrupted()) {
            throw new InterruptedException();
        }
        throw Failure.timeout("store");
    }

    private void travel() {
        World world = run.world();
        world.step(world.random(50_000, 2_000_000));
    }

    @Override
    public String label() {
        return "the store";
    }

    @Override
    public void stop() {}

    @Override
    public void cut() {
        isCut = true;
    }

    @Override
    public void abandon() {
        isCut = true;
    }

    @Override
    public void close() {
        isCut = true;
    }
}
