package io.distributedid.simulation;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.counter.CountingBackend;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Parts of a run: commands of operators. */
final class LedgerOperators {

    private LedgerOperators() {}

    /** Calls the command of an operator. */
    private interface Command {

        Object on(CountingBackend backend);
    }

    /** Returns whether it succeeded. */
    static boolean repair(Scene scene, String name, long above, int attempts) {
        return realign(scene, name, scene.current(), scene.current(), above, attempts);
    }

    private static boolean realign(
            Scene scene, String name, List<Integer> from, List<Integer> to, long above, int attempts) {
        return run(
                scene,
                "bring " + name + " from " + from + " to " + to,
                attempts,
                backend -> backend.move(
                        List.of(sequence(scene, name, from)),
                        sequence(scene, name, to),
                        command(scene, name, CounterMove.Kind.PLACE, above, List.of(Side.FIRST), token -> {
                            scene.places().replace(name, token);
                            scene.moveTo(to);
                        })));
    }

    private static CounterMove command(
            Scene scene, String name, CounterMove.Kind kind, long above, List<Side> sides, Consumer<String> remember) {
        Set<String> tokens = new LinkedHashSet<>();
        sides.forEach(side -> tokens.add(scene.places(side).token(name)));
        tokens.remove("");
        return new CounterMove(kind, List.of(), above, tokens, false, highest -> {}, remember);
    }

    private static boolean run(Scene scene, String what, int attempts, Command command) {
        for (int attempt = 1; attempt <= attempts; attempt++) {
            Application operator = scene.application(scene.world().current().host());
            try {
                Object told = command.on((CountingBackend) operator.backend());
                scene.world().log(() -> "does " + what + ": " + told);
                return true;
            } catch (DistributedIdException e) {
                scene.world().log(() -> "does not " + what + ": " + e.getMessage());
                Part.pause(scene, 300);
            } finally {
                if (!operator.host().isKilled()) {
                    operator.close();
                }
            }
        }
        return false;
    }

    private static Sequence sequence(Scene scene, String name, List<Integer> servers) {
        Map<String, String> settings = new HashMap<>(scene.setup().settings());
        settings.putAll(LedgerStore.settings(servers));
        return new Sequence(name, scene.setup().typeEnd(name), "Entity.id", Settings.of(settings));
    }

    private static void cut(Scene scene, int after) {
        Host self = scene.world().current().host();
        if (after > 0) {
            scene.world().startAfter(after * 1_000_000L, scene.operator("power"), "cut", () -> {
                scene.world().log(() -> "kills " + self);
                scene.cutOff();
                // Another command may have ended just now.
                scene.judge().begin(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND);
                self.kill();
            });
        }
    }

    /**
     * An operator moves the table to another list of servers, and processes are started with that.
     *
     * @param from the list that the operator has, which may have been left meanwhile
     * @param number of the process
     * @param cutAfter when the command is killed, in milliseconds; 0 for never
     */
    record Moves(int at, List<Integer> from, List<Integer> to, int number, int cutAfter) implements Part {

        @Override
        public void play(Scene scene) {
            // Processes with the old list are refused to the end.
            scene.judge().allow(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND, Rule.OTHER_LIST, Rule.OTHER_PLACE);
            scene.isUnfinished(() -> move(scene, 20));
            cut(scene, cutAfter);
            if (move(scene, 3)) {
                int sequences = scene.setup().names().size();
                new Processes.Takes(at, number, to, 1, 40, 1, sequences, false, 1, false).start(scene, Side.FIRST);
            }
        }

        private boolean move(Scene scene, int attempts) {
            return realign(scene, scene.setup().names().get(0), from, to, 0, attempts);
        }

        @Override
        public String toString() {
            return "the table is moved from servers " + from + " to " + to + " and process " + number + " uses them"
                    + (cutAfter > 0 ? "; the command is killed after " + cutAfter + " ms" : "");
        }
    }

    /**
     * An operator ends the table. No id lies above what the command tells.
     *
     * @param cutAfter when the command is killed, in milliseconds; 0 for never
     */
    record Ends(int at, int cutAfter) implements Part {

        @Override
        public void play(Scene scene) {
            scene.judge().allow(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND, Rule.OTHER_PLACE);
            if (scene.mayHarm()) {
                scene.isUnfinished(() -> end(scene, 20));
                cut(scene, cutAfter);
                boolean unused = end(scene, 3);
            }
        }

        private static boolean end(Scene scene, int attempts) {
            return scene.setup().names().stream()
                    .filter(scene.places()::isRemembered)
                    .allMatch(name -> run(scene, "end " + name, attempts, backend -> {
                        Sequence ended = sequence(scene, name, scene.current());
                        long last = backend.move(
                                List.of(ended),
                                ended,
                                command(scene, name, CounterMove.Kind.END, 0, List.of(Side.FIRST), token -> {}));
                        scene.judge().ended(name, last);
                        scene.ended();
                        return last;
                    }));
        }

        @Override
        public String toString() {
            return "the table ends" + (cutAfter > 0 ? "; the command is killed after " + cutAfter + " ms" : "");
        }
    }

    /**
     * An operator merges the counters of two shards, and a process of the other one is started with the merged ones.
     *
     * @param other the list of the other shard
     * @param to the list of the merged counters
     * @param number of the process
     * @param cutAfter when the command is killed, in milliseconds; 0 for never
     */
    record Merges(int at, List<Integer> other, List<Integer> to, int number, int cutAfter) implements Part {

        @Override
        public void play(Scene scene) {
            scene.judge().allow(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND, Rule.OTHER_LIST, Rule.OTHER_PLACE);
            List<Integer> from = scene.current();
            scene.isUnfinished(() -> merge(scene, from, 20));
            cut(scene, cutAfter);
            if (merge(scene, from, 3)) {
                start(scene, Side.OTHER_MERGED, number);
                start(scene, Side.FIRST_MERGED, number + 1);
            }
        }

        private void start(Scene scene, Side side, int process) {
            int sequences = scene.setup().names().size();
            new Processes.Takes(at, process, to, 1, 40, 1, sequences, false, 1, false).start(scene, side);
        }

        private boolean merge(Scene scene, List<Integer> from, int attempts) {
            String name = scene.setup().names().get(0);
            return run(
                    scene,
                    "merge " + from + " and " + other + " to " + to,
                    attempts,
                    backend -> backend.move(
                            List.of(sequence(scene, name, from), sequence(scene, name, other)),
                            sequence(scene, name, to),
                            command(scene, name, CounterMove.Kind.PLACE, 0, List.of(Side.FIRST, Side.OTHER), token -> {
                                scene.places().replace(name, token);
                                scene.places(Side.OTHER).replace(name, token);
                                scene.moveTo(to);
                                scene.merged();
                            })));
        }

        @Override
        public String toString() {
            return "the counters of another shard, on servers " + other + ", are merged with those of the first, on"
                    + " servers " + to + (cutAfter > 0 ? "; the command is killed after " + cutAfter + " ms" : "");
        }
    }

    /**
     * An operator repairs the table.
     *
     * @param namesIds whether the operator names the largest id in use
     * @param cutAfter when the command is killed, in milliseconds; 0 for never
     */
    record Repairs(int at, boolean namesIds, int cutAfter) implements Part {

        @Override
        public void play(Scene scene) {
            scene.judge().begin(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND);
            cut(scene, cutAfter);
            String name = scene.setup().names().get(0);
            boolean isDone =
                    repair(scene, name, namesIds ? Math.max(1, scene.judge().highest(name)) : 0, 3);
            if (isDone && scene.isInOrder()) {
                scene.judge().end(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND);
            } else {
                // Another command may have ended meanwhile.
                scene.judge().begin(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND);
            }
        }

        @Override
        public String toString() {
            return "an operator runs repair" + (namesIds ? " with the largest id in use" : "")
                    + (cutAfter > 0 ? ", which is killed after " + cutAfter + " ms" : "");
        }
    }

    /** An operator checks the first sequence. */
    record Checks(int at) implements Part {

        @Override
        public void play(Scene scene) {
            String name = scene.setup().names().get(0);
            Application operator = scene.application(scene.world().current().host());
            try {
                List<?> results = operator.backend().check(operator.sequence(name), 0);
                scene.world().log(() -> "checked: " + results);
            } catch (IdUnavailableException e) {
                scene.world().log(() -> "does not check: " + e.getMessage());
            } finally {
                operator.close();
            }
        }

        @Override
        public String toString() {
            return "an operator runs check";
        }
    }
}
