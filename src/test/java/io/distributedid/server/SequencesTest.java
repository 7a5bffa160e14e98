package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.LoggedWarnings;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** What is told of sequences that fail. */
class SequencesTest {

    /** As a sequence of which one key fails: it answers, and does not become well. */
    private static final class Failing implements Served {

        private boolean isDown;

        @Override
        public String name() {
            return "orders";
        }

        @Override
        public boolean isWell() {
            return false;
        }

        @Override
        public SequenceHealth health() {
            return new SequenceHealth(name(), Status.DOWN, NOT_OPEN, SequenceStatistics.NONE);
        }

        @Override
        public void look() {
            if (isDown) {
                throw new IdUnavailableException("The store is down");
            }
        }
    }

    @Test
    void theEndOfAFailureIsToldOnce() {
        Failing served = new Failing();
        Sequences<Failing> sequences =
                new Sequences<>(ServerSettings.SEQUENCES, "ids", Set.of("orders"), name -> served);
        try (LoggedWarnings told = LoggedWarnings.of(Sequences.class)) {
            told.setLevel(Level.INFO);
            served.isDown = true;
            sequences.open();
            sequences.lookAgain();
            served.isDown = false;
            sequences.lookAgain();
            sequences.lookAgain();

            assertThat(told.messages())
                    .containsExactly(
                            "The server starts without some of its sequences, and tries to open them again."
                                    + " The store is down" + Pages.onCall("service-without"),
                            "A sequence can be used now: seq={0}");
        }
    }
}
