package io.distributedid.simulation;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parts of a run: commands of operators. */
final class Operators {

    private static final CounterMove END =
            new CounterMove(CounterMove.Kind.END, List.of(), 0, Set.of(), false, highest -> {}, token -> {});

    private Operators() {}

    /** What an operator runs for one sequence. */
    enum Command {
        REPAIR,
        RETIRE,
        CHECK
    }

    /**
     * A command for the first sequence.
     *
     * @param namesIds whether the operator names the largest id in use
     * @param cutAfter when the command is killed, in milliseconds; 0 for never
     */
    record Runs(int at, Command command, boolean namesIds, int cutAfter) implements Part {

        @Override
        public void play(Scene scene) {
            if (command != Command.CHECK) {
                scene.judge().allow(Rule.OPERATOR_AT_WORK);
            }
            Host self = scene.world().current().host();
            if (cutAfter > 0) {
                scene.world().startAfter(cutAfter * 1_000_000L, scene.operator("power"), "cut", () -> {
                    scene.world().log(() -> "kills " + self);
                    self.kill();
                });
            }
            String name = scene.setup().names().get(0);
            switch (command) {
                case REPAIR -> {
                    long above = namesIds ? Math.max(1, scene.judge().highest(scene.age(), name)) : 0;
                    boolean unused = repair(scene, name, above, 2);
                }
                case RETIRE -> retire(scene, name);
                case CHECK -> check(scene, name);
            }
        }

        @Override
        public String toString() {
            return "an operator runs " + command + (namesIds ? " with the largest id in use" : "")
                    + (cutAfter > 0 ? ", which is killed after " + cutAfter + " ms" : "");
        }
    }

    /** Returns whether it succeeded, or the counter is retired. */
    static boolean repair(Scene scene, String name, long above, int attempts) {
        for (int attempt = 1; attempt <= attempts; attempt++) {
            Application operator = scene.application(scene.world().current().host());
            try {
                Map<String, Long> last = operator.backend().repair(operator.sequence(name), above, target -> {});
                scene.world().log(() -> "repaired " + name + " above " + above + ": " + last);
                return true;
            } catch (DistributedIdException e) {
                scene.world().log(() -> "does not repair " + name + ": " + e.getMessage());
                if (Rule.RETIRED.isReasonOf(String.valueOf(e.getMessage())) || e instanceof IdsExhaustedException) {
                    return true;
                }
                Part.pause(scene, 300);
            } finally {
                if (!operator.host().isKilled()) {
                    operator.close();
                }
            }
        }
        return false;
    }

    private static void retire(Scene scene, String name) {
        scene.judge().allow(Rule.RETIRED);
        int age = scene.age();
        for (int attempt = 1; attempt <= 2; attempt++) {
            Application operator = scene.application(scene.world().current().host());
            try {
                long last = operator.backend().end(List.of(operator.sequence(name)), END);
                scene.world().log(() -> "retired " + name + ": " + last);
                scene.judge().ended(age, name, last);
                return;
            } catch (DistributedIdException e) {
                scene.world().log(() -> "does not retire " + name + ": " + e.getMessage());
            } finally {
                operator.close();
            }
        }
    }

    private static void check(Scene scene, String name) {
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

    /** All tables are emptied on purpose when no process runs, and ids begin with 1 again. */
    record BeginsAnew(int at) implements Part {

        @Override
        public void play(Scene scene) {
            if (scene.world().await(() -> scene.applications().isEmpty(), 3_000_000_000L, false)) {
                scene.world().log(() -> "all tables are emptied");
                scene.beginAnew();
                if (scene.setup().troubleOneIn() > 0) {
                    // A note of before may be written late: the new counters then lie below it.
                    scene.judge().allow(Rule.ALONE_AND_BACK);
                }
            }
        }

        @Override
        public String toString() {
            return "all tables are emptied, and the application's database forgets them";
        }
    }
}
