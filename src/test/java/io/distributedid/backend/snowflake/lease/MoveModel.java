package io.distributedid.backend.snowflake.lease;

import io.distributedid.testkit.Explorer;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Everything that can happen while one number moves from an old store to a new one, in a small world: a process with
 * the old store alone, one with both, one with the new store alone, and the command. Each store grants whole windows by
 * the {@link LeaseProtocol}, which a model of its own explores; here a compare-and-set is a message that arrives at any
 * time, or never. Time is the old store's; clocks are wrong by up to a skew, and looked at after the record was.
 *
 * <p>The model records which process may use each tick. A second process on the same tick is a violation.
 *
 * @param end ticks from 0 to below this
 */
record MoveModel(int end, Fault fault) {

    /** What is broken on purpose. */
    enum Fault {
        NONE,
        /** The command does not wait after the fence, and windows may begin at any time. */
        NO_WAIT,
        /** The command assumes that all clocks are right. */
        NO_SKEW,
        /** A process with the new store alone does not check whether the move has ended. */
        EARLY_START,
        /** A process with the old store alone ignores the fence. */
        NO_FENCE,
        /** A process with both stores uses what one of them granted. */
        ONE_GRANT
    }

    private static final int OLD = 0;

    private static final int BOTH = 1;

    private static final int NEW = 2;

    private static final int NOBODY = 9;

    private static final int WINDOW = 1;

    private static final int SKEW = 1;

    private static final int NEVER = -1;

    /**
     * A window that was asked for.
     *
     * @param begin the end of the one before it, or the clock; -1 if that one is renewed
     * @param clock which the store compares with its own; -1 if the asking process has compared it
     * @param seen what the record said, which the store compares; -1 too if it does not
     */
    private record Ask(int begin, int until, int expected, int clock, int seen) {

        boolean compares() {
            return clock != NEVER;
        }

        boolean isRefusedForEver(World world, int store) {
            return expected != world.version[store]
                    || (compares() && (clock < world.time - SKEW || seen != world.record(store)));
        }

        boolean isRefused(World world, int store) {
            return isRefusedForEver(world, store) || (compares() && clock > world.time + SKEW);
        }
    }

    /**
     * The world.
     *
     * @param until by store: the end of what it has reserved
     * @param version by store: how often its row was written
     * @param holder by store: whose its row is
     * @param asked by process and store: a message on its way, or null
     * @param from by process and store: where its window begins
     * @param to by process and store: where its window ends
     * @param held by process and store: the version of the row that it wrote; -1 if none
     * @param fencedAt -1 before
     * @param first no window of the new store alone begins before; -1 while the move goes on
     */
    private record World(
            int time,
            int[] until,
            int[] version,
            int[] holder,
            Ask[] asked,
            int[] from,
            int[] to,
            int[] held,
            int fencedAt,
            int first,
            int[] owners) {

        World copy(int newTime, int newFence, int newFirst) {
            return new World(
                    newTime,
                    until.clone(),
                    version.clone(),
                    holder.clone(),
                    asked.clone(),
                    from.clone(),
                    to.clone(),
                    held.clone(),
                    newFence,
                    newFirst,
                    owners.clone());
        }

        World copy() {
            return copy(time, fencedAt, first);
        }

        /** What the record of a store says. */
        int record(int store) {
            return store == 0 ? fencedAt : first;
        }

        /** Keeps only versions that a message or a holder still refers to, so that fewer states differ. */
        String key() {
            StringBuilder key = new StringBuilder().append((char) (time + 1));
            for (int place = 0; place < 6; place++) {
                int store = place % 2;
                Ask ask = asked[place];
                boolean holds = held[place] == version[store] && holder[store] == place / 2;
                key.append(holds ? 'h' : '-');
                if (ask == null) {
                    key.append('n');
                } else if (ask.isRefusedForEver(this, store)) {
                    key.append('x');
                } else {
                    key.append((char) (ask.begin + 2)).append((char) ask.until);
                    key.append(ask.compares() ? 'c' : '-');
                }
                if (place / 2 != NEW || first != NEVER) {
                    key.append((char) from[place]).append((char) to[place]);
                }
            }
            key.append((char) until[0]).append((char) until[1]);
            key.append((char) (fencedAt + 2)).append((char) (first + 2));
            for (int owner : owners) {
                key.append((char) owner);
            }
            return key.toString();
        }
    }

    /** Explores all states. */
    Explorer.Result explore() {
        int[] owners = new int[end + WINDOW + 2 * SKEW + 2];
        Arrays.fill(owners, NOBODY);
        int[] none = {NEVER, NEVER, NEVER, NEVER, NEVER, NEVER};
        World initial = new World(
                0,
                new int[] {0, 0},
                new int[2],
                new int[] {NOBODY, NOBODY},
                new Ask[6],
                new int[6],
                new int[6],
                none,
                NEVER,
                NEVER,
                owners);
        return new Explorer<>(this::next, World::key).explore(initial);
    }

    private List<Step<World>> next(World world) {
        List<Step<World>> steps = new ArrayList<>();
        if (world.time < end) {
            steps.add(new Step<>(() -> "Time passes", world.copy(world.time + 1, world.fencedAt, world.first), null));
        }
        for (int process = OLD; process <= NEW; process++) {
            for (int store = 0; store < 2; store++) {
                int place = 2 * process + store;
                if (world.asked[place] != null) {
                    arrive(steps, world, process, store);
                } else if (mayAsk(world, process, store)) {
                    for (int clock = Math.max(0, world.time - SKEW); clock <= world.time + SKEW; clock++) {
                        ask(steps, world, process, store, clock);
                    }
                    prolong(steps, world, process, store);
                }
            }
        }
        if (world.fencedAt == NEVER) {
            steps.add(new Step<>(() -> "The fence", world.copy(world.time, world.time, NEVER), null));
        } else if (world.first == NEVER) {
            int first = fault == Fault.NO_WAIT ? 0 : world.fencedAt + WINDOW + (fault == Fault.NO_SKEW ? 0 : SKEW);
            if (world.time >= first) {
                steps.add(new Step<>(() -> "The end", world.copy(world.time, world.fencedAt, first), null));
            }
        }
        return steps;
    }

    /** What the record says that was just read. */
    private boolean mayAsk(World world, int process, int store) {
        boolean arrived = world.first != NEVER;
        return switch (process) {
            case OLD -> store == 0 && (world.fencedAt == NEVER || fault == Fault.NO_FENCE);
            case BOTH -> store == 1 || !arrived;
            default -> store == 1 && (arrived || fault == Fault.EARLY_START);
        };
    }

    private void ask(List<Step<World>> steps, World world, int process, int store, int clock) {
        int place = 2 * process + store;
        boolean renews = world.held[place] == world.version[store] && world.holder[store] == process;
        if (!renews && (world.until[store] > Math.min(clock, world.time) || clock > world.time + SKEW)) {
            return;
        }
        int until = clock + WINDOW;
        if (renews && until <= world.to[place]) {
            return;
        }
        World after = world.copy();
        after.asked[place] = new Ask(
                renews ? NEVER : Math.max(world.until[store], clock), until, world.version[store], NEVER, NEVER);
        steps.add(new Step<>(() -> name(process) + " asks store " + store + ", its clock shows " + clock, after, null));
    }

    /** A renewal without a read: the store compares the clock and the record. */
    private void prolong(List<Step<World>> steps, World world, int process, int store) {
        int place = 2 * process + store;
        if (world.held[place] != world.version[store] || world.holder[store] != process) {
            return;
        }
        for (int clock = Math.max(0, world.time - SKEW); clock <= world.time + 2 * SKEW; clock++) {
            int until = clock + WINDOW;
            if (until > world.to[place]) {
                int shown = clock;
                World after = world.copy();
                after.asked[place] = new Ask(NEVER, until, world.version[store], clock, world.record(store));
                steps.add(new Step<>(
                        () -> name(process) + " asks store " + store + " without a read, its clock shows " + shown,
                        after,
                        null));
            }
        }
    }

    private void arrive(List<Step<World>> steps, World world, int process, int store) {
        int place = 2 * process + store;
        Ask ask = world.asked[place];
        World after = world.copy();
        after.asked[place] = null;
        if (ask.isRefused(world, store)) {
            steps.add(new Step<>(() -> "Store " + store + " refuses " + name(process), after, null));
            return;
        }
        after.version[store]++;
        after.until[store] = ask.until;
        after.holder[store] = process;
        after.held[place] = after.version[store];
        after.to[place] = ask.until;
        if (ask.begin != NEVER) {
            after.from[place] = ask.begin;
        }
        steps.add(own(() -> "Store " + store + " does what " + name(process) + " asked", after));
    }

    /** Which process may use each tick, by all current grants. */
    private Step<World> own(java.util.function.Supplier<String> label, World world) {
        String violation = null;
        for (int process = OLD; process <= NEW; process++) {
            int store = process == OLD ? 0 : 1;
            int from = world.from[2 * process + store];
            int to = world.to[2 * process + store];
            if (process == BOTH && fault != Fault.ONE_GRANT) {
                // Once the move has ended, the new store's grant counts from where the old one's may not reach.
                boolean arrived = world.first != NEVER;
                from = Math.max(from, arrived ? world.first : world.from[2 * BOTH]);
                to = arrived ? to : Math.min(to, world.to[2 * BOTH]);
            }
            if (process == NEW) {
                from = Math.max(from, world.first);
            }
            for (int tick = Math.max(0, from); tick < to; tick++) {
                if (world.owners[tick] != NOBODY && world.owners[tick] != process) {
                    violation =
                            "Tick " + tick + " is " + name(process) + "'s, and was " + name(world.owners[tick]) + "'s";
                }
                world.owners[tick] = process;
            }
        }
        return new Step<>(label, world, violation);
    }

    private static String name(int process) {
        return process == OLD ? "the old one" : process == BOTH ? "the one with both" : "the new one";
    }
}
