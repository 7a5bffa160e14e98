package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.keyed.row.GaplessRows;
import io.distributedid.internal.keyed.row.KeyedRows;
import io.distributedid.internal.keyed.row.KnownRecords;
import io.distributedid.internal.keyed.row.RowKey;
import io.distributedid.internal.keyed.row.RowSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A process with the library's code, of a {@link RowRun}. */
final class RowProcess {

    private static final String TABLE = "keyed_sequence";

    private static final Duration LIMIT = Duration.ofMillis(400);

    /** What others do while a call ends. */
    private static final long SLACK = Duration.ofMillis(250).toNanos();

    private final RowRun run;

    private final World world;

    private final String name;

    private final Host host;

    private final KnownRecords known;

    private final KeyedRows rows;

    private final GaplessRows gapless;

    private final List<RowLink> links = new ArrayList<>();

    /** Connections on which numbers without gaps were taken, once the sequence had begun. */
    private final Set<RowLink> seen = new HashSet<>();

    /** Connections for numbers without gaps that no transaction uses. */
    private final List<RowLink> idle = new ArrayList<>();

    private boolean isAway;

    private boolean isClosed;

    RowProcess(RowRun run) {
        this.run = run;
        world = run.world();
        name = run.name("process");
        host = new Host(world, name);
        known = new KnownRecords("table=" + TABLE, run::remember);
        Link.Source<RowSession> source = new Link.Source<>() {
            @Override
            public String label() {
                return "the database";
            }

            @Override
            public Link<RowSession> connect(Duration atMost) throws SQLException {
                return link();
            }
        };
        KeyedRows.Options options =
                new KeyedRows.Options(TABLE, false, run.setup().connections(), Duration.ofMillis(300));
        rows = new KeyedRows(source, options, known, host);
        gapless = new GaplessRows(host);
    }

    Host host() {
        return host;
    }

    void away(boolean away) {
        isAway = away;
    }

    boolean isClosed() {
        return isClosed;
    }

    private RowLink link() throws SQLException {
        RowLink link =
                new RowLink(run, run.name(name + "-"), () -> isAway, store -> new RowSession(store, known, host));
        links.add(link);
        return link;
    }

    /** Takes numbers of a key, and returns whether there were any. */
    boolean take(int key, int count) {
        long from = world.now();
        long stood = host.pausedFor();
        boolean isGiven = isGiven(key, count);
        if (host.pausedFor() == stood && world.now() - from > LIMIT.toNanos() + SLACK) {
            throw new Judge.Verdict("A call takes longer than its limit: " + (world.now() - from) / 1_000_000);
        }
        return isGiven;
    }

    private boolean isGiven(int key, int count) {
        long began = run.judge().begin();
        try {
            long last = rows.ask(RowRun.PLAIN, Integer.toString(key), count, host.nanoTime(), LIMIT)
                    .await(host, LIMIT.toNanos(), "a number: key=" + key);
            run.judge().given(name, key, last, count, began);
            return true;
        } catch (IdConfigurationException e) {
            requireReason(e);
            return false;
        } catch (DistributedIdException e) {
            return false;
        }
    }

    private void requireReason(IdConfigurationException e) {
        if (!run.mayBeRefused()) {
            throw new Judge.Verdict("Nothing is lost, but a process is refused: " + name + " " + e);
        }
    }

    /** Takes numbers in a transaction of a new connection, or of an old one. Returns whether it was committed. */
    boolean takeGapless(int key, int count) {
        RowLink link = null;
        try {
            link = idle.isEmpty() || world.once(3) ? link() : idle.remove(world.random(idle.size()));
            link.begin();
            long last = gapless.take(link, TABLE, new RowKey(RowRun.GAPLESS, Integer.toString(key)), count);
            if (run.hasCommitted()) {
                seen.add(link);
            }
            if (world.once(4)) {
                link.rollback();
                return false;
            }
            link.commit(() -> run.committed(key, last, count));
            return true;
        } catch (IdConfigurationException e) {
            requireReason(e);
            commitAllTheSame(link);
            return false;
        } catch (SQLException e) {
            commitAllTheSame(link);
            return false;
        } finally {
            if (link != null && !link.isBroken()) {
                idle.add(link);
            }
        }
    }

    /** Without a row of the application. */
    private void commitAllTheSame(@Nullable RowLink link) {
        if (link == null) {
            return;
        }
        try {
            if (world.once(2)) {
                link.commit(() -> {});
            } else {
                link.rollback();
            }
        } catch (SQLException e) {
            link.rollback();
        }
    }

    void work(BooleanSupplier isOver, boolean isGapless) {
        while (!isOver.getAsBoolean() && !isClosed) {
            int key = world.random(RowRun.KEYS);
            int count = 1 + world.random(3);
            boolean unused = isGapless ? takeGapless(key, count) : take(key, count);
            world.sleep(world.random(0, 60_000_000));
        }
    }

    void end(boolean isKilled) {
        isClosed = true;
        run.ended(this);
        if (isKilled) {
            host.kill();
            links.forEach(RowLink::abort);
        } else {
            rows.close();
        }
    }

    /** Whether it would notice that rows without gaps are lost. */
    boolean knowsGapless() {
        return seen.size() > 1;
    }
}
