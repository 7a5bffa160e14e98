package io.distributedid.simulation;

import io.distributedid.internal.keyed.row.RowKey;
import io.distributedid.simulation.RowScenario.Part;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Plays a {@link RowScenario}. At the end, when nothing goes wrong any more, each key must have numbers. */
final class RowRun {

    static final String PLAIN = "messages";

    static final String GAPLESS = "invoices";

    static final int KEYS = 4;

    private static final long LONGEST = Duration.ofMinutes(10).toNanos();

    /** All that is late comes within this time. */
    private static final long QUIET = Duration.ofMillis(3_500).toNanos();

    private static final long RAISE = 1_000_000;

    private final RowScenario scenario;

    private final World world;

    private final Network network;

    private final Host wire;

    private final RowTables tables;

    private final KeyJudge judge = new KeyJudge();

    /** The largest number without gaps that was committed, by key. */
    private final Map<Integer, Long> committed = new HashMap<>();

    /** What the application's database remembers. */
    private final Map<String, String> remembered = new HashMap<>();

    private final Map<Integer, RowProcess> running = new LinkedHashMap<>();

    private int names;

    private int crashes;

    /** Whether rows were lost, so that a process may be refused. */
    private boolean mayBeRefused;

    private boolean isRestored;

    private RowRun(RowScenario scenario, boolean isLogged) {
        this.scenario = scenario;
        world = new World(scenario.seed(), scenario.setup().switchOneIn(), isLogged);
        network = new Network(world, scenario.setup().troubleOneIn());
        wire = new Host(world, "wire");
        tables = new RowTables(world);
    }

    static Script.Outcome of(RowScenario scenario, boolean isLogged) {
        RowRun run = new RowRun(scenario, isLogged);
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

    RowTables tables() {
        return tables;
    }

    RowScenario.Setup setup() {
        return scenario.setup();
    }

    int crashes() {
        return crashes;
    }

    KeyJudge judge() {
        return judge;
    }

    /** One that nothing else has. */
    String name(String begin) {
        return begin + ++names;
    }

    /** The application's database. */
    Optional<String> remember(String sequence, Optional<String> record) {
        record.ifPresent(each -> remembered.putIfAbsent(sequence, each));
        return Optional.ofNullable(remembered.get(sequence));
    }

    boolean mayBeRefused() {
        return mayBeRefused;
    }

    boolean hasCommitted() {
        return !committed.isEmpty();
    }

    void ended(RowProcess process) {
        running.values().remove(process);
    }

    /** A transaction of the application is committed, with its row. */
    void committed(int key, long last, int count) {
        long before = committed.getOrDefault(key, 0L);
        if (last - count != before) {
            throw new Judge.Verdict("A number without gaps does not follow: key=" + key + " number="
                    + (last - count + 1) + " before=" + before);
        }
        committed.put(key, last);
    }

    private void play() {
        world.play(scenario.parts(), Part::at, this::play, LONGEST);
        end();
    }

    private void play(Part part) {
        if (part instanceof Part.Lives lives) {
            live(lives);
        } else if (part instanceof Part.Stands stands && running.containsKey(stands.number())) {
            running.get(stands.number()).host().pause(Duration.ofMillis(stands.millis()));
        } else if (part instanceof Part.IsCutOff cutOff && running.containsKey(cutOff.number())) {
            RowProcess process = running.get(cutOff.number());
            process.away(true);
            world.sleep(cutOff.millis() * 1_000_000L);
            process.away(false);
        } else if (part instanceof Part.Crashes) {
            world.log(() -> "the database crashes");
            crashes++;
            tables.crash();
        } else if (part instanceof Part.Deletes) {
            delete();
        } else if (part instanceof Part.Loses loses) {
            lose(loses);
        } else if (part instanceof Part.IsRestored restored && hasBegun()) {
            restore(restored.commits());
        }
    }

    private boolean hasBegun() {
        return remembered.containsKey(PLAIN);
    }

    private void live(Part.Lives lives) {
        if (isRestored && lives.stays()) {
            return;
        }
        RowProcess process = new RowProcess(this);
        running.put(lives.number(), process);
        long until = world.now() + lives.millis() * 1_000_000L;
        int[] working = {4};
        for (int i = 0; i < 4; i++) {
            boolean isGapless = i > 1;
            World.Task unused = world.start(process.host(), isGapless ? "gapless caller" : "caller", () -> {
                process.work(() -> world.now() >= until, isGapless);
                working[0]--;
            });
        }
        boolean unused = world.await(
                () -> working[0] == 0 || process.isClosed() || process.host().isKilled(), LONGEST, false);
        if (!lives.stays() && !process.isClosed()) {
            process.end(lives.isKilled());
        }
    }

    /** As numbers-per-key.md says. */
    private void delete() {
        Set<RowKey> keys = Set.of(new RowKey(PLAIN, "0"), new RowKey(PLAIN, "1"));
        RowKey floor = new RowKey(PLAIN, RowKey.FLOOR);
        try {
            boolean isRaised = tables.alone(in -> {
                in.lock(floor);
                long largest = keys.stream()
                        .mapToLong(each -> in.get(each).orElse(0))
                        .max()
                        .orElse(0);
                OptionalLong before = in.get(floor);
                if (before.isPresent()) {
                    in.put(floor, OptionalLong.of(Math.max(before.getAsLong(), largest)));
                }
                return before.isPresent();
            });
            world.sleep(world.random(0, 100_000_000));
            for (RowKey key : isRaised
                    ? keys.stream().sorted(Comparator.comparing(RowKey::key)).toList()
                    : List.<RowKey>of()) {
                boolean unused = tables.alone(in -> {
                    in.lock(key);
                    OptionalLong number = in.get(key);
                    boolean isBelow = number.isPresent()
                            && number.getAsLong() <= in.get(floor).orElse(-1);
                    if (isBelow) {
                        in.put(key, OptionalLong.empty());
                    }
                    return isBelow;
                });
            }
        } catch (SQLException e) {
            world.log(() -> "the deletion fails: " + e);
        }
    }

    /** Rows without gaps are lost only if all who use them must notice that, since nothing else remembers them. */
    private void lose(Part.Loses loses) {
        if (!hasBegun()) {
            return;
        }
        Map<RowKey, Long> lost = new HashMap<>();
        tables.change(() -> {
            mayBeRefused = true;
            boolean isGaplessToo = !running.isEmpty()
                    && scenario.parts().stream()
                            .noneMatch(each -> each instanceof Part.Lives && each.at() * 1_000_000L >= world.now())
                    && running.values().stream().allMatch(RowProcess::knowsGapless);
            tables.rows().forEach((row, number) -> {
                if ((isGaplessToo || row.sequence().equals(PLAIN))
                        && (!loses.isRecordAlone() || row.key().equals(RowKey.RECORD))) {
                    lost.put(row, number);
                }
            });
            tables.rows().keySet().removeAll(lost.keySet());
        });
        world.sleep(loses.millis() * 1_000_000L);
        // A late request may have been done meanwhile.
        tables.change(() -> lost.forEach((row, number) -> tables.rows()
                .merge(row, number, row.key().equals(RowKey.RECORD) ? (late, before) -> before : Math::max)));
    }

    private void restore(int commits) {
        isRestored = true;
        List.copyOf(running.values()).forEach(each -> each.end(true));
        tables.change(() -> {
            Map<RowKey, Long> before = tables.ago(commits);
            boolean hasBegun = before.containsKey(new RowKey(PLAIN, RowKey.RECORD));
            Map<RowKey, Long> copy = hasBegun ? before : new HashMap<>(tables.rows());
            tables.rows().keySet().removeIf(row -> row.sequence().equals(PLAIN));
            copy.forEach((row, number) -> {
                if (row.sequence().equals(PLAIN)) {
                    tables.rows().put(row, row.key().equals(RowKey.RECORD) ? number : number + RAISE);
                }
            });
        });
        live(new Part.Lives(0, 7, 1_000, true, false));
    }

    private void end() {
        world.log(() -> "all is well again");
        network.end();
        world.sleep(QUIET);
        mayBeRefused = false;
        running.put(9, new RowProcess(this));
        for (int key = 0; key < KEYS; key++) {
            requireNumber(key, false);
            requireNumber(key, true);
        }
    }

    /** Each process gives a number of the key soon. */
    private void requireNumber(int key, boolean isGapless) {
        int[] missing = {running.size()};
        for (RowProcess each : running.values()) {
            World.Task unused = world.start(each.host(), "last call", () -> {
                while (!(isGapless ? each.takeGapless(key, 1) : each.take(key, 1))) {
                    world.sleep(20_000_000);
                }
                missing[0]--;
            });
        }
        if (!world.await(() -> missing[0] == 0, Duration.ofSeconds(9).toNanos(), false)) {
            throw new Judge.Verdict(
                    "All is well, but a process has no number: key=" + key + " isGapless=" + isGapless + " " + tables);
        }
    }
}
