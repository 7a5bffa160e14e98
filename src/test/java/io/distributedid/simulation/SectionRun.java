package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.internal.keyed.served.SectionOptions;
import io.distributedid.internal.keyed.served.Sections;
import io.distributedid.internal.keyed.source.KeyHash;
import io.distributedid.internal.ledger.Row;
import io.distributedid.simulation.SectionPart.GoesBack;
import io.distributedid.simulation.SectionPart.IsCutOff;
import io.distributedid.simulation.SectionPart.IsRestored;
import io.distributedid.simulation.SectionPart.Lives;
import io.distributedid.simulation.SectionPart.RowIsLocked;
import io.distributedid.simulation.SectionPart.SectionEnd;
import io.distributedid.simulation.SectionPart.Stands;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Plays a {@link SectionScenario}. At the end, when nothing goes wrong any more, each key must have numbers. */
final class SectionRun {

    private static final String SEQUENCE = "messages";

    private static final int KEYS = 4;

    /** Keys so far apart are in different sections. */
    private static final long APART = 1_024;

    private static final Duration LIMIT = Duration.ofMillis(400);

    private static final long LONGEST = Duration.ofMinutes(10).toNanos();

    /** All that is late comes within this time. */
    private static final long QUIET = Duration.ofMillis(3_500).toNanos();

    private static final long RAISE = 1_000_000;

    private static final long LOOKED_AT = Duration.ofSeconds(2).toNanos();

    /** More than all sections need, with a look at every fifth of a second. */
    private static final int MOST_CALLS = 120;

    private final SectionScenario scenario;

    private final World world;

    private final Network network;

    private final Host wire;

    private final SectionRows rows = new SectionRows();

    private final KeyJudge judge = new KeyJudge();

    private final Map<Integer, Process> running = new LinkedHashMap<>();

    private int lives;

    /** Whether a process may be refused by rows that went back. */
    private boolean mayBeRefused;

    private boolean isRestored;

    private SectionRun(SectionScenario scenario, boolean isLogged) {
        this.scenario = scenario;
        this.world = new World(scenario.seed(), scenario.setup().switchOneIn(), isLogged);
        this.network = new Network(world, scenario.setup().troubleOneIn());
        this.wire = new Host(world, "wire");
    }

    static Script.Outcome of(SectionScenario scenario, boolean isLogged) {
        SectionRun run = new SectionRun(scenario, isLogged);
        return Script.Outcome.of(run.world, run::play, () -> {}, () -> run.judge.count());
    }

    World world() {
        return world;
    }

    Network network() {
        return network;
    }

    Host wire() {
        return wire;
    }

    SectionRows rows() {
        return rows;
    }

    /** A process with the library's code. */
    private final class Process {

        private final String address;

        private final Host host;

        private final SectionLink link;

        private final Sections sections;

        private boolean isClosed;

        Process(int number) {
            address = "http://p" + number + "life" + ++lives;
            host = new Host(world, address);
            host.runsFastBy(world.random(-9_000, 9_000));
            link = new SectionLink(SectionRun.this, address);
            SectionSetup setup = scenario.setup();
            Duration lease = Duration.ofMillis(setup.leaseMillis());
            sections = new Sections(link, new SectionOptions(setup.sections(), lease, address, setup.memory()), host);
        }

        /** Takes numbers of a key, and returns whether there were any. Another process may have them. */
        boolean take(long key, int count) {
            long began = judge.begin();
            try {
                long last = sections.ask(SEQUENCE, Long.toString(key), count, host.nanoTime(), LIMIT)
                        .await(host, LIMIT.toNanos(), "a number: key=" + key);
                judge.given(address, key, last, count, began);
                return true;
            } catch (IdConfigurationException e) {
                if (!mayBeRefused) {
                    throw new Judge.Verdict("Nothing is lost, but a process is refused: " + address + " " + e);
                }
                return false;
            } catch (IdStandbyException e) {
                return false;
            } catch (DistributedIdException e) {
                return false;
            }
        }

        void work(BooleanSupplier isOver) {
            while (!isOver.getAsBoolean() && !isClosed) {
                boolean unused = take(anyKey(), world.once(6) ? 4_000 : 1 + world.random(3));
                world.sleep(world.random(0, 60_000_000));
            }
        }

        void end(boolean isKilled) {
            isClosed = true;
            running.values().remove(this);
            if (isKilled) {
                world.log(() -> address + " is killed");
                host.kill();
            } else {
                world.log(() -> address + " stops");
                sections.close();
            }
        }
    }

    private long anyKey() {
        return world.random(KEYS) * APART;
    }

    private void play() {
        world.play(scenario.parts(), SectionPart::at, this::play, LONGEST);
        end();
    }

    private void play(SectionPart part) {
        if (part instanceof Lives lives) {
            live(lives.number(), lives.millis() * 1_000_000L, lives.end());
        } else if (part instanceof Stands stands) {
            Process process = running.get(stands.number());
            if (process != null) {
                process.host.pause(Duration.ofMillis(stands.millis()));
            }
        } else if (part instanceof IsCutOff cutOff) {
            Process process = running.get(cutOff.number());
            if (process != null) {
                process.link.away(true);
                world.sleep(cutOff.millis() * 1_000_000L);
                process.link.away(false);
            }
        } else if (part instanceof RowIsLocked locked && !rows.content().isEmpty()) {
            String row = rowOf(locked.row());
            rows.lock(row);
            world.log(() -> row + " is locked");
            world.sleep(locked.millis() * 1_000_000L);
            rows.unlock(row);
            world.log(() -> row + " is free");
        } else if (part instanceof GoesBack back && rows.hasHistory()) {
            goBack(back);
        } else if (part instanceof IsRestored restored && rows.hasHistory()) {
            restore(restored.commits());
        }
    }

    private String rowOf(int number) {
        List<String> names = rows.content().keySet().stream().sorted().toList();
        return names.get(number % names.size());
    }

    private void live(int number, long nanos, SectionEnd end) {
        if (isRestored && end == SectionEnd.STAYS) {
            return;
        }
        Process process = new Process(number);
        running.put(number, process);
        world.log(() -> process.address + " starts");
        long until = world.now() + nanos;
        int[] working = {2};
        for (int i = 0; i < 2; i++) {
            World.Task unused = world.start(process.host, "caller", () -> {
                process.work(() -> world.now() >= until);
                working[0]--;
            });
        }
        boolean unused =
                world.await(() -> working[0] == 0 || process.isClosed || process.host.isKilled(), LONGEST, false);
        if (end != SectionEnd.STAYS && !process.isClosed) {
            boolean[] isOver = {false};
            World.Task alsoUnused = world.start(process.host, "ends", () -> {
                process.end(end == SectionEnd.IS_KILLED);
                isOver[0] = true;
            });
            world.require(() -> isOver[0] || process.host.isKilled(), LONGEST, "A process does not end");
        }
    }

    private void goBack(GoesBack back) {
        Map<String, Row> newest = rows.content();
        mayBeRefused = true;
        rows.become(rows.ago(back.commits()));
        world.log(() -> "the store goes back to " + rows);
        world.sleep(back.millis() * 1_000_000L);
        // A late request may have been done on the old rows.
        Map<String, Row> later = new LinkedHashMap<>(newest);
        rows.content()
                .forEach((name, row) -> later.merge(
                        name,
                        row,
                        (one, other) -> other.version().count() > one.version().count() ? other : one));
        rows.become(later);
        world.log(() -> "the newest rows are there again");
    }

    private void restore(int commits) {
        isRestored = true;
        List.copyOf(running.values()).forEach(each -> each.end(true));
        rows.become(rows.ago(commits));
        rows.raise(RAISE);
        world.log(() -> "a backup is restored, and raised: " + rows);
        live(7, 1_500_000_000L, SectionEnd.IS_KILLED);
    }

    private void end() {
        world.log(() -> "all is well again");
        network.end();
        world.sleep(QUIET + 4L * scenario.setup().leaseMillis() * 1_000_000);
        mayBeRefused = false;
        if (rows.hasHistory()) {
            endWhileARowIsLocked();
        }
        start();
        for (int key = 0; key < KEYS; key++) {
            requireNumber(key * APART);
        }
    }

    private Process start() {
        Process last = new Process(10 + lives);
        running.put(10 + lives, last);
        return last;
    }

    /** The keys of other sections have numbers all the same, and nobody asks for the row all the time. */
    private void endWhileARowIsLocked() {
        String row = rowOf(world.random(1_000));
        rows.lock(row);
        world.log(() -> row + " is locked until the end");
        Process last = start();
        for (int key = 0; key < KEYS; key++) {
            int section = KeyHash.section(key * APART, scenario.setup().sections());
            if (!row.equals("@keyed/messages/" + section)) {
                requireNumber(key * APART);
            }
        }
        int before = last.link.calls();
        long until = world.now() + LOOKED_AT;
        last.work(() -> world.now() >= until);
        if (last.link.calls() - before > MOST_CALLS) {
            throw new Judge.Verdict("A row is locked, and the store is asked all the time: calls="
                    + (last.link.calls() - before) + " row=" + row);
        }
        rows.unlock(row);
    }

    /** Somebody gives a number of the key soon. */
    private void requireNumber(long key) {
        boolean[] isGiven = {false};
        for (Process each : running.values()) {
            World.Task unused = world.start(each.host, "last call", () -> {
                long until = world.now() + Duration.ofSeconds(8).toNanos();
                while (!isGiven[0] && world.now() < until) {
                    // With |= a thread that has waited would overwrite what another one has found.
                    if (each.take(key, 1)) {
                        isGiven[0] = true;
                    }
                    world.sleep(20_000_000);
                }
            });
        }
        if (!world.await(() -> isGiven[0], Duration.ofSeconds(9).toNanos(), false)) {
            throw new Judge.Verdict("All is well, but a key has no number: key=" + key + " " + rows);
        }
    }
}
