package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.skippedWithReason;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** A class that needs what is missing starts nothing and is skipped; another one closes what it started. */
class StartedServersTest {

    private static final String LACK = "Prometheus' view of the alerts was not tested, since this machine lacks"
            + " promtool. Install the Debian packages: prometheus";

    private static final List<String> DONE = new CopyOnWriteArrayList<>();

    private static void start(String name) {
        StartedServers.add(() -> DONE.add("-" + name));
        DONE.add("+" + name);
    }

    @TempDir
    Path folder;

    /** In an environment that has no program, and says what may be missing. */
    private Events run(Class<?> type, String without) {
        DONE.clear();
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("PATH", "")
                .configurationParameter("CI", "true")
                .configurationParameter("TESTKIT_WITHOUT", without)
                .configurationParameter(Need.SKIPS_PROPERTY, skips().toString())
                .selectors(selectClass(type))
                .execute()
                .allEvents();
    }

    private Path skips() {
        return folder.resolve("target/skips.txt");
    }

    @ExtendWith(StartedServers.class)
    static class Starts {

        Starts() {
            start("field");
        }

        @BeforeAll
        static void startAll() {
            start("all");
            StartedServers.keep(StartedServers.add(() -> DONE.add("kept")));
        }

        @AfterAll
        static void closeClientsOfAll() {
            DONE.add("clients of all");
        }

        @BeforeEach
        void startEach() {
            start("each");
        }

        @AfterEach
        void closeClients() {
            DONE.add("clients");
        }

        @Test
        void test() throws Exception {
            start("test");
            Together.run(1, number -> {
                start("thread");
                return number;
            });
        }
    }

    @Needs(Need.PROMTOOL)
    static class StartsWithPromtool extends Starts {}

    /** Another test before, or after. */
    static class StartsAndFails extends Starts {

        @BeforeEach
        void fail() {
            throw new IllegalStateException("on purpose");
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class StartsOnce extends Starts {}

    @Test
    void aClassThatNeedsWhatIsMissingStartsNothing() {
        Events events = run(StartsWithPromtool.class, "x, promtool");

        assertThat(DONE).isEmpty();
        events.assertThatEvents().haveExactly(1, skippedWithReason(LACK));
        assertThat(events.failed().count()).isZero();
        assertThat(skips()).hasContent(LACK + "\n");
    }

    /** A skipped test would go unseen in CI. */
    @Test
    void itFailsWhereTheEnvironmentSaysCiAndDoesNotNameIt() {
        Events events = run(StartsWithPromtool.class, "x");

        assertThat(DONE).isEmpty();
        events.assertThatEvents()
                .haveExactly(
                        1,
                        finishedWithFailure(
                                message(text -> text.contains(LACK + "; or name what is missing in TESTKIT_WITHOUT"))));
        assertThat(events.skipped().count()).isZero();
        assertThat(skips()).doesNotExist();
    }

    @Test
    void whatATestStartsIsClosedAfterItsClients() {
        Events events = run(Starts.class, "");

        assertThat(events.failed().count()).isZero();
        assertThat(DONE)
                .containsExactly(
                        "+all",
                        "+field",
                        "+each",
                        "+test",
                        "+thread",
                        "clients",
                        "-thread",
                        "-test",
                        "-each",
                        "-field",
                        "clients of all",
                        "-all");
    }

    @Test
    void nothingIsClosedThatWasNotStarted() {
        run(StartsAndFails.class, "");

        assertThat(DONE)
                .containsExactly("+all", "+field", "+each", "clients", "-each", "-field", "clients of all", "-all");
    }

    /** Its constructor starts a server. */
    @Test
    void whatAllTestsShareIsClosedAfterThem() {
        run(StartsOnce.class, "");

        assertThat(DONE)
                .containsExactly(
                        "+field",
                        "+all",
                        "+each",
                        "+test",
                        "+thread",
                        "clients",
                        "-thread",
                        "-test",
                        "-each",
                        "clients of all",
                        "-all");
    }
}
