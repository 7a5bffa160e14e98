package io.distributedid;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.layout.IdLayout;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResultKt;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Explores the interleavings of threads with Lincheck's model checker, which decides at each access to shared memory
 * which thread goes on. It reports an interleaving in which an assertion fails, an answer is none that the operations
 * could have given one after another, or all threads wait.
 *
 * <p>More of them with {@code -Dinterleavings.scale=}.
 */
public final class Interleavings {

    private static final int SCALE = Integer.getInteger("interleavings.scale", 1);

    /** So many of each scenario find most of the broken lines that were tried. */
    private static final int SCHEDULES = 60;

    /** A schedule that lasts so long has hung. Lincheck's own limit is too short for a busy machine. */
    private static final long HUNG_MILLIS = 600_000;

    /** Kept, so that its level stays. Log lines would be explored too, down to the calendar of the JDK. */
    private static final Logger SILENT = Logger.getLogger("io.distributedid");

    static {
        SILENT.setLevel(Level.OFF);
    }

    private Interleavings() {}

    /** Accepts every answer. An operation that finds its answer wrong throws. */
    public static final class NothingThrown implements Verifier {

        /** Lincheck calls it. */
        public NothingThrown(Class<?> specification) {}

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            return ExecutionResultKt.getAllResults(results).stream().noneMatch(ExceptionResult.class::isInstance);
        }
    }

    /**
     * Runs generated scenarios of two threads.
     *
     * @param operations a public class with methods that have Lincheck's annotations
     * @param specification what they answer one after another, with the same methods
     */
    public static void check(Class<?> operations, Class<?> specification, int scenarios) {
        check(operations, specification, scenarios, SCHEDULES);
    }

    /** @param schedules of each scenario; many if threads must change twice at the right places */
    public static void check(Class<?> operations, Class<?> specification, int scenarios, int schedules) {
        options(scenarios * SCALE)
                .invocationsPerIteration(schedules)
                .sequentialSpecification(specification)
                .check(operations);
    }

    /** As above. The operations themselves throw if an answer is wrong. */
    public static void check(Class<?> operations, int scenarios) {
        check(operations, scenarios, SCHEDULES);
    }

    /** As above, with so many schedules of each scenario. */
    public static void check(Class<?> operations, int scenarios, int schedules) {
        options(scenarios * SCALE)
                .invocationsPerIteration(schedules)
                .verifier(NothingThrown.class)
                .check(operations);
    }

    /** A control: an answer is found that is none of {@code specification}. */
    public static void assertFound(Class<?> operations, Class<?> specification) {
        assertThatThrownBy(() -> options(100)
                        .minimizeFailedScenario(false)
                        .sequentialSpecification(specification)
                        .check(operations))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    /** A control: an operation throws, and the report contains {@code reason}. */
    public static void assertFound(Class<?> operations, String reason) {
        assertThatThrownBy(() -> options(100)
                        .minimizeFailedScenario(false)
                        .verifier(NothingThrown.class)
                        .check(operations))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining(reason);
    }

    private static ModelCheckingOptions options(int scenarios) {
        return new ModelCheckingOptions()
                .invocationTimeout$lincheck(HUNG_MILLIS)
                .iterations(scenarios)
                .invocationsPerIteration(SCHEDULES)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(1)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(AnswersInOrder.class.getName())
                        .allMethods()
                        .treatAsAtomic())
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                "java.util.UUID",
                                "java.util.regex.Matcher",
                                "java.util.regex.Pattern",
                                // Its maps were filled with hash codes that Lincheck does not know.
                                IdLayout.class.getName())
                        .allMethods()
                        .ignore());
    }

    /** Runs one scenario, which starts threads and waits for them. */
    public static void check(int schedules, Runnable scenario) {
        Lincheck.runConcurrentTest(schedules * SCALE, scenario);
    }

    /** A control: an assertion fails in the scenario, and the report contains {@code reason}. */
    public static void assertFound(int schedules, Runnable scenario, String reason) {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(schedules, scenario))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining(reason);
    }

    /** Waits for a thread of a scenario. */
    public static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
