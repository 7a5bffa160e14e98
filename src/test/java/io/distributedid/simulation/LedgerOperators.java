package io.distributedid.simulation;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.counter.CountingBackend;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parts of a run: commands of operators. */
final class LedgerOperators {

    private LedgerOperators() {}

    /** Returns whether it succeeded. */
    static boolean repair(Scene scene, String name, long above, int attempts) {
        return realign(scene, name, scene.current(), scene.current(), above, attempts);
    }

    private static boolean realign(
            Scene scene, String name, List<Integer> from, List<Integer> to, long above, int attempts) {
        for (int attempt = 1; attempt <= attempts; attempt++) {
            Application operator = scene.application(scene.world().current().host());
            try {
                long last = ((CountingBackend) operator.backend())
                        .move(
                                List.of(sequence(scene, name, from)),
                                sequence(scene, name, to),
                                new CounterMove(
                                        CounterMove.Kind.PLACE,
                                        List.of(),
                                        above,
                                        scene.places().token(name).isEmpty()
                                                ? Set.of()
                                                : Set.of(scene.places().token(name)),
                                        false,
                                        target -> {},
                                        token -> {
                                            scene.places().replace(name, token);
                                            scene.moveTo(to);
                                        }));
                scene.world().log(() -> "brought " + name + " from " + from + " to " + to + ": " + last);
                return true;
            } catch (DistributedIdException e) {
                scene.world()
                        .log(() -> "does not bring " + name + " from " + from + " to " + to + ": " + e.getMessage());
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
                // Another command may have ended just now.
                scene.judge().begin(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND);
                self.kill();
            });
        }
    }

    /**
     * An operator moves the table to another list of servers, and processes are started with that.
     *
     * @param number of the process
     */
    record Moves(int at, List<Integer> to, int number, int cutAfter) implements Part {

        @Override
        public void play(Scene scene) {
            // Processes with the old list are refused to the end.
            scene.judge().allow(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND, Rule.OTHER_LIST, Rule.OTHER_PLACE);
            List<Integer> from = scene.current();
            scene.isUnfinished(() -> move(scene, from, 20));
            cut(scene, cutAfter);
            if (move(scene, from, 3)) {
                int sequences = scene.setup().names().size();
                Processes.Takes takes = new Processes.Takes(at, number, to, 1, 40, 1, sequences, false, 1, false);
                World.Task unused = scene.world().start(takes.host(scene), "Takes", () -> takes.play(scene));
            }
        }

        private boolean move(Scene scene, List<Integer> from, int attempts) {
            return realign(scene, scene.setup().names().get(0), from, to, 0, attempts);
        }

        @Override
        public String toString() {
            return "the table is moved to servers " + to + " and process " + number + " uses them"
                    + (cutAfter > 0 ? "; the command is killed after " + cutAfter + " ms" : "");
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
                List<?> results = operator.backend().check(operator.sequence(name));
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
