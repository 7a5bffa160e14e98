package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counter.CounterRules.Omission;
import io.distributedid.internal.counter.RulesFaults.Fault;
import io.distributedid.testkit.Explorer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RulesModelTest {

    @Test
    void firstUse() {
        run("same", new RulesScenario(2, List.of(List.of(0, 1)), List.of(0, 0), List.of(), Set.of(), 0, 3, 0, 0, 0, false, false));
        run("reversed", new RulesScenario(2, List.of(List.of(0, 1), List.of(1, 0)), List.of(0, 1), List.of(), Set.of(), 0, 3, 0, 0, 0, false, false));
        run("longer", new RulesScenario(3, List.of(List.of(0, 1), List.of(0, 1, 2)), List.of(0, 1), List.of(), Set.of(), 0, 3, 0, 0, 0, false, false));
        run("replaced", new RulesScenario(3, List.of(List.of(0, 1), List.of(0, 2)), List.of(0, 1), List.of(), Set.of(), 0, 3, 0, 0, 0, false, false));
    }

    private void run(String name, RulesScenario scenario) {
        long begin = System.nanoTime();
        Explorer.Result result = new RulesModel(scenario, Omission.NONE).explore();
        System.out.println(name + ": " + result.states() + " states, " + (System.nanoTime() - begin) / 1_000_000 + " ms\n  "
                + String.join("\n  ", result.trace()));
    }
}
