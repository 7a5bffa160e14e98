package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.counting.CountingBackend;
import java.util.Map;

/** Parts of a run: commands of operators. */
final class LedgerOperators {

    private LedgerOperators() {}

    /** Returns whether it succeeded. */
    static boolean repair(Scene scene, String name, long above, int attempts) {
        for (int attempt = 1; attempt <= attempts; attempt++) {
            Application operator = scene.application(scene.world().current().host());
            try {
                Map<String, Long> last = ((CountingBackend) operator.backend())
                        .realign(
                                operator.sequence(name),
                                operator.sequence(name),
                                above,
                                scene.remembered(name),
                                false,
                                target -> {},
                                token -> scene.remembers(name, token));
                scene.world().log(() -> "repaired " + name + " above " + above + ": " + last);
                return true;
            } catch (DistributedIdException e) {
                scene.world().log(() -> "does not repair " + name + ": " + e.getMessage());
                Part.pause(scene, 300);
            } finally {
                if (!operator.host().isKilled()) {
                    operator.close();
                }
            }
        }
        return false;
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
            Host self = scene.world().current().host();
            if (cutAfter > 0) {
                scene.world().startAfter(cutAfter * 1_000_000L, scene.operator("power"), "cut", () -> {
                    scene.world().log(() -> "kills " + self);
                    self.kill();
                });
            }
            String name = scene.setup().names().get(0);
            boolean isDone =
                    repair(scene, name, namesIds ? Math.max(1, scene.judge().highest(scene.age(), name)) : 0, 3);
            if (isDone && scene.isInOrder()) {
                scene.judge().end(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND);
            }
        }

        @Override
        public String toString() {
            return "an operator runs repair" + (namesIds ? " with the largest id in use" : "")
                    + (cutAfter > 0 ? ", which is killed after " + cutAfter + " ms" : "");
        }
    }
}
