package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.LoggedWarnings;
import java.net.ConnectException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutageLogTest {

    private static final Logger LOGGER = Logger.getLogger(OutageLogTest.class.getName());

    private static final SQLException REFUSED = new SQLException(
            "Communications link failure\n\nThe last packet", new ConnectException("Connection refused"));

    private static final String DOWN = "A server is left out: server=t1";

    private static final String ROW = Pages.onCall("counter-silent");

    private static final String UP = "A server is used again: server=t1";

    private static final String WARNING = "WARNING " + DOWN + ". Reason: Connection refused" + ROW;

    private final List<String> lines = new ArrayList<>();

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            String stack = line.getThrown() == null ? "" : " with stack";
            lines.add(line.getLevel() + " " + line.getMessage() + stack);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private long nanos;

    private final OutageLog log = new OutageLog(System.getLogger(OutageLogTest.class.getName()), () -> nanos);

    @BeforeEach
    void listen() {
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void leave() {
        LOGGER.removeHandler(handler);
        LOGGER.setLevel(null);
    }

    @Test
    void anOutageOfManyIsOneWarningAndOneLineWhenTheLastHasSucceeded() {
        for (int round = 0; round < 3; round++) {
            for (String user : List.of("a", "b", "c")) {
                log.failed(user, DOWN, REFUSED, ROW);
            }
            pass(4);
        }
        for (String user : List.of("a", "b", "c")) {
            assertThat(lines).containsExactly(WARNING);
            log.succeeded(user, () -> UP);
        }

        assertThat(lines).containsExactly(WARNING, "INFO " + UP + ", after 12 s");
    }

    @Test
    void theStackIsThereAtDebug() {
        LOGGER.setLevel(Level.FINE);

        log.failed("a", DOWN, REFUSED, ROW);

        assertThat(lines).containsExactly(WARNING, "FINE " + DOWN + " with stack");
    }

    @Test
    void aUserThatIsIdleIsNotWaitedFor() {
        log.failed("idle", DOWN, REFUSED, ROW);
        pass(29);
        log.failed("a", DOWN, REFUSED, ROW);
        log.succeeded("a", () -> UP);
        assertThat(lines).containsExactly(WARNING);
        pass(1);
        log.succeeded("a", () -> UP);

        assertThat(lines).containsExactly(WARNING, "INFO " + UP + ", after 30 s");
    }

    @Test
    void aLateFailureBelongsToTheOutageUnlessItPersists() {
        log.failed("a", DOWN, REFUSED, ROW);
        log.succeeded("a", () -> UP);
        lines.clear();

        pass(29);
        log.failed("late", DOWN, REFUSED, ROW);
        assertThat(lines).isEmpty();
        pass(1);
        log.failed("late", DOWN, REFUSED, ROW);
        assertThat(lines).containsExactly(WARNING);
        log.succeeded("late", () -> UP);
        assertThat(lines).containsExactly(WARNING, "INFO " + UP + ", after 1 s");
    }

    @Test
    void aLateFailureThatPassesLeavesNoLine() {
        log.failed("a", DOWN, REFUSED, ROW);
        log.succeeded("a", () -> UP);
        lines.clear();

        log.failed("late", DOWN, REFUSED, ROW);
        log.succeeded("late", () -> UP);

        assertThat(lines).isEmpty();
    }

    @Test
    void aNoteIsLoggedOnceInAnOutage() {
        try (LoggedWarnings warnings = LoggedWarnings.of(OutageLogTest.class)) {
            log.failed("a", DOWN, REFUSED, ROW);
            log.note("Old ids are used");
            log.note("Old ids are used");
            log.succeeded("a", () -> UP);
            log.note("Old ids are used again");

            assertThat(warnings.messages())
                    .containsExactly(WARNING.substring(8), "Old ids are used", "Old ids are used again");
        }
    }

    private void pass(int seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
    }
}
