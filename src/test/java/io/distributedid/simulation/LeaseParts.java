package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.lease.StoreOperator;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Parts of a run with leases. */
final class LeaseParts {

    private LeaseParts() {}

    private static void pause(LeaseScene scene, long millis) {
        scene.world().sleep(millis * 1_000_000L);
    }

    /** How a process ends. */
    enum End {
        STOPS,
        IS_KILLED,
        ENDS_WITHOUT_A_CALL,
        STAYS
    }

    /**
     * A process that gives ids.
     *
     * @param lives how often it is started
     * @param millis how long each life lasts
     * @param callers threads that ask for ids
     */
    record Lives(int at, int number, int lives, int millis, int callers, boolean takesWorker, End end)
            implements LeasePart {

        private static final Duration WAIT = Duration.ofMillis(1_500);

        @Override
        public void play(LeaseScene scene) {
            for (int life = 1; life <= lives; life++) {
                LeaseProcess process = new LeaseProcess(scene, number, host(scene), scene.store());
                World.Task unused = scene.world().start(process.host(), "start", () -> live(scene, process));
                pause(scene, millis);
                if (life < lives || end != End.STAYS) {
                    end(scene, process);
                }
            }
        }

        @Override
        public Host host(LeaseScene scene) {
            Host host = new Host(scene.world(), "process " + number);
            host.runsFastBy(scene.world().random(-4_900, 4_900));
            return host;
        }

        private void live(LeaseScene scene, LeaseProcess process) {
            scene.started(number, process);
            if (process.start(WAIT, takesWorker)) {
                call(scene, process, callers);
            }
        }

        static void call(LeaseScene scene, LeaseProcess process, int callers) {
            for (int i = 0; i < callers; i++) {
                World.Task unused = scene.world().start(process.host(), "caller " + i, () -> call(scene, process));
            }
        }

        private static void call(LeaseScene scene, LeaseProcess process) {
            while (!process.isClosed()) {
                int what = scene.world().random(10);
                if (what == 0 && scene.setup().burns()) {
                    process.burn();
                } else if (what < 6) {
                    boolean unused = process.compose();
                } else {
                    boolean unused = process.next();
                }
                scene.world()
                        .sleep(scene.world().random(1_000_000, scene.world().once(4) ? 400_000_000 : 60_000_000));
            }
        }

        private void end(LeaseScene scene, LeaseProcess process) {
            if (!scene.running().contains(process)) {
                return;
            }
            if (end == End.IS_KILLED) {
                scene.kill(process);
            } else {
                boolean[] isClosed = {false};
                World.Task unused = scene.world().start(process.host(), "stop", () -> {
                    process.close(end != End.ENDS_WITHOUT_A_CALL);
                    isClosed[0] = true;
                });
                boolean alsoUnused =
                        scene.world().await(() -> isClosed[0] || process.host().isKilled(), 5_000_000_000L, false);
            }
        }

        @Override
        public boolean isPeaceful() {
            return true;
        }

        @Override
        public String toString() {
            return "process " + number + (takesWorker ? "" : " without a worker number") + " lives " + lives
                    + " time(s) for " + millis + " ms with " + callers + " caller(s), and "
                    + end;
        }
    }

    record Killed(int at, int number) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            scene.running(number).forEach(scene::kill);
        }

        @Override
        public boolean isPeaceful() {
            return true;
        }

        @Override
        public String toString() {
            return "process " + number + " is killed";
        }
    }

    /** The active process stops, and another one takes over: after the lease, or at once. */
    record TakesOver(int at, boolean isKilled) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            LeaseProcess active = scene.running().stream()
                    .filter(LeaseProcess::isActive)
                    .findAny()
                    .orElseThrow(() -> new Judge.Verdict("Nobody is active"));
            if (isKilled) {
                scene.kill(active);
            } else {
                World.Task unused = scene.world().start(active.host(), "stop", () -> active.close(true));
            }
            pause(scene, 1_000 + (isKilled ? LeaseSetup.STRICT_LEASE_MILLIS : 0));
            if (scene.running().stream().noneMatch(LeaseProcess::isActive)) {
                throw new Judge.Verdict("A standby does not take over in time");
            }
        }

        @Override
        public boolean isPeaceful() {
            return true;
        }

        @Override
        public String toString() {
            return "the active process " + (isKilled ? "is killed" : "stops") + ", and another one takes over";
        }
    }

    /** @param most calls to the store in this time */
    record IsCounted(int at, int millis, long most) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            LeaseLink link = scene.running().get(0).link();
            long before = link.calls();
            pause(scene, millis);
            if (link.calls() - before > most || link.calls() == before) {
                throw new Judge.Verdict("Calls to the store: " + (link.calls() - before) + ", at most " + most);
            }
        }

        @Override
        public boolean isPeaceful() {
            return true;
        }

        @Override
        public String toString() {
            return "calls to the store are counted for " + millis + " ms, at most " + most;
        }
    }

    /** @param isSuspended whether its monotonic clock does not count that */
    record Stands(int at, int number, int millis, boolean isSuspended) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            for (LeaseProcess each : scene.running(number)) {
                scene.world().log(() -> each + " stands still for " + millis + " ms");
                if (isSuspended) {
                    scene.suspended();
                    each.host().suspend(Duration.ofMillis(millis));
                } else {
                    each.host().pause(Duration.ofMillis(millis));
                }
            }
            // A lease may end, and a number may be taken.
            scene.judge().allow(LeaseRule.AWAY, LeaseRule.CLOCK);
        }

        @Override
        public String toString() {
            return "process " + number + (isSuspended ? " is suspended for " : " stands still for ") + millis + " ms";
        }
    }

    record Copied(int at, int number) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            for (LeaseProcess each : scene.running(number)) {
                scene.world().log(() -> "copies " + each);
                scene.judge().allow(LeaseRule.AWAY);
                scene.rightsMayEnd();
                LeaseProcess copy = each.copy();
                scene.started(number, copy);
                if (copy.hasStarted()) {
                    Lives.call(scene, copy, 1);
                }
            }
        }

        @Override
        public String toString() {
            return "process " + number + " is copied";
        }
    }

    /** @param ahead in milliseconds */
    record ClockIsSet(int at, int number, long ahead, int millis) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            scene.judge().allow(LeaseRule.CLOCK, LeaseRule.AWAY);
            List<LeaseProcess> all = scene.running(number);
            all.forEach(each -> each.setClock(ahead));
            pause(scene, millis);
            all.forEach(LeaseProcess::setClockRight);
        }

        @Override
        public String toString() {
            return "the clock of process " + number + " is " + ahead + " ms ahead for " + millis + " ms";
        }
    }

    enum Trouble {
        IS_AWAY,
        HANGS,
        LAGS
    }

    record StoreHas(int at, Trouble trouble, int millis) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            LeaseServer server = scene.store();
            if (trouble != Trouble.LAGS) {
                scene.judge().allow(LeaseRule.AWAY, LeaseRule.CLOCK);
            }
            set(server, true);
            pause(scene, millis);
            set(server, false);
        }

        private void set(LeaseServer server, boolean has) {
            switch (trouble) {
                case IS_AWAY -> server.away(has);
                case HANGS -> server.hangs(has);
                case LAGS -> server.lags(has);
            }
        }

        @Override
        public String toString() {
            return "the store " + trouble + " for " + millis + " ms";
        }
    }

    /** A process gets no answers, while others do. */
    record IsCutOff(int at, int number, int millis) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            scene.judge().allow(LeaseRule.AWAY, LeaseRule.CLOCK);
            List<LeaseProcess> all = scene.running(number);
            scene.world().log(() -> this.toString());
            all.forEach(each -> each.link().hangs(true));
            pause(scene, millis);
            all.forEach(each -> each.link().hangs(false));
        }

        @Override
        public String toString() {
            return "process " + number + " gets no answers for " + millis + " ms";
        }
    }

    /** How a store loses rows. */
    enum How {
        EMPTIED,
        ALL_BUT_HEADER_DELETED,
        SET_BACK,
        ROW_DELETED,
        ROW_SET_BACK,
        HEADER_SET_BACK,
        HEADER_DELETED,
        FAILOVER
    }

    /**
     * The store loses rows.
     *
     * @param commits so many commits ago
     * @param row which of the rows
     */
    record Loses(int at, How how, int commits, int row) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            LeaseServer server = scene.store();
            if (!scene.mayHarm() || server.commits() == 0 || !LeaseRun.isOpen(server.rows())) {
                return;
            }
            Map<String, Row> old = server.ago(commits);
            if (!LeaseRun.isOpen(old)) {
                // A copy from before a move would be opened by repeating that.
                return;
            }
            Map<String, Row> after = new HashMap<>(server.rows());
            List<String> names = after.keySet().stream()
                    .filter(each -> !each.equals(StoreHeader.NAME))
                    .sorted()
                    .toList();
            String name = names.isEmpty() ? StoreHeader.NAME : names.get(row % names.size());
            switch (how) {
                case EMPTIED -> after.clear();
                case ALL_BUT_HEADER_DELETED -> after.keySet().retainAll(List.of(StoreHeader.NAME));
                case SET_BACK, FAILOVER -> {
                    after.clear();
                    after.putAll(old);
                }
                case ROW_DELETED -> after.remove(name);
                case ROW_SET_BACK -> setBack(after, old, name);
                case HEADER_DELETED -> after.remove(StoreHeader.NAME);
                case HEADER_SET_BACK -> setBack(after, old, StoreHeader.NAME);
            }
            scene.world().log(() -> this.toString());
            scene.judge().allow(LeaseRule.LOST, LeaseRule.AWAY, LeaseRule.BUSY);
            scene.rightsMayEnd();
            if (!after.containsKey(StoreHeader.NAME)) {
                scene.judge().allow(LeaseRule.EMPTY, LeaseRule.OTHER_STORE);
            }
            if (how == How.FAILOVER) {
                server.failsOver();
            }
            scene.evidence().becomes(server, after);
        }

        private static void setBack(Map<String, Row> rows, Map<String, Row> old, String name) {
            Row row = old.get(name);
            if (row == null) {
                rows.remove(name);
            } else {
                rows.put(name, row);
            }
        }

        @Override
        public String toString() {
            return "the store loses rows: " + how + ", row " + row + ", " + commits + " commits ago";
        }
    }

    /** @param number of the process; -1 for all */
    record GoesAstray(int at, int number, boolean toEmpty, int millis) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            scene.judge().allow(LeaseRule.EMPTY, LeaseRule.OTHER_STORE, LeaseRule.AWAY);
            List<LeaseProcess> all = number < 0 ? List.copyOf(scene.running()) : scene.running(number);
            Map<LeaseProcess, LeaseServer> right = new HashMap<>();
            for (LeaseProcess each : all) {
                right.put(each, each.link().leadsTo());
                each.link().leadTo(toEmpty ? scene.empty() : scene.foreign());
            }
            scene.world().log(() -> this + ": " + all);
            pause(scene, millis);
            scene.world().log(() -> "the right store again");
            all.forEach(each -> each.link().leadTo(right.get(each)));
        }

        @Override
        public String toString() {
            return (number < 0 ? "all processes find" : "process " + number + " finds") + " "
                    + (toEmpty ? "an empty store" : "another store") + " for " + millis + " ms";
        }
    }

    enum Command {
        INIT,
        OTHER_WINDOW,
        REPAIR,
        CHANGE,
        MOVE
    }

    /**
     * An operator runs a command.
     *
     * @param cutAfter when it is killed, in milliseconds; 0 for never
     */
    record Operates(int at, Command command, int cutAfter) implements LeasePart {

        @Override
        public void play(LeaseScene scene) {
            scene.rightsMayEnd();
            scene.judge().allow(LeaseRule.COMMAND, LeaseRule.LOST, LeaseRule.AWAY, LeaseRule.BUSY);
            if (command == Command.MOVE) {
                scene.judge().allow(LeaseRule.MOVED, LeaseRule.OTHER_STORE);
            }
            if (command == Command.CHANGE) {
                scene.judge().allow(LeaseRule.OTHER_LAYOUT);
            }
            if (command == Command.INIT) {
                scene.judge().allow(LeaseRule.EMPTY, LeaseRule.OTHER_STORE);
            }
            Host self = scene.world().current().host();
            scene.beginCommand(() -> run(scene, command, 20));
            boolean[] isOver = {false};
            if (cutAfter > 0) {
                scene.world().startAfter(cutAfter * 1_000_000L, scene.wire(), "power", () -> {
                    if (!isOver[0]) {
                        scene.world().log(() -> "cuts " + this);
                        self.kill();
                        scene.endCommand();
                    }
                });
            }
            boolean unused = run(scene, command, 3);
            isOver[0] = true;
            scene.endCommand();
        }

        /** Returns whether it was done. */
        static boolean run(LeaseScene scene, Command command, int attempts) {
            LeaseServer from = scene.store();
            LeaseServer to = scene.otherStore();
            for (int i = 0; i < attempts && from == scene.store(); i++) {
                try {
                    run(scene, command, from, to);
                    scene.world().log(() -> command + " is done");
                    done(scene, command, from, to);
                    return true;
                } catch (DistributedIdException e) {
                    scene.world().log(() -> command + ": " + e.getMessage());
                }
                pause(scene, 300);
            }
            return from != scene.store();
        }

        private static void run(LeaseScene scene, Command command, LeaseServer from, LeaseServer to) {
            LeaseSetup setup = scene.setup();
            StoreOperator operator = new StoreOperator(
                    scene.operatorLink(from), scene.world().current().host(), false);
            switch (command) {
                case INIT -> {
                    long unused = operator.init(setup.terms(), true);
                }
                case OTHER_WINDOW -> {
                    long unused = operator.init(new StoreHeader.Terms(setup.window() + 100, setup.skew()), true);
                }
                case REPAIR -> {
                    long unused = operator.repair();
                }
                case CHANGE -> {
                    Fields unused = operator.change(
                            LeaseProcess.SEQUENCE,
                            (header, before, used, time) ->
                                    new StoreOperator.Changed(before.with(LeaseProcess.BITS, 42), used));
                }
                case MOVE -> {
                    long unused = operator.move(scene.operatorLink(to));
                }
            }
        }

        private static void done(LeaseScene scene, Command command, LeaseServer from, LeaseServer to) {
            if (command == Command.MOVE && from == scene.store()) {
                scene.moved(LeaseRun.token(to));
            }
            if (command != Command.MOVE && !LeaseRun.token(from).equals(scene.token())) {
                scene.begun(LeaseRun.token(from));
            }
        }

        @Override
        public String toString() {
            return "an operator runs " + command + (cutAfter > 0 ? ", which is cut off after " + cutAfter + " ms" : "");
        }
    }
}
