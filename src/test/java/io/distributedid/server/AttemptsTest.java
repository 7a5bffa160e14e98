package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import org.junit.jupiter.api.Test;

/** Which requests share the error of a failed attempt. */
class AttemptsTest {

    private final Attempts attempts = new Attempts(failure -> !(failure instanceof IdStandbyException));

    private void failWith(IdUnavailableException failure) {
        assertThatThrownBy(() -> attempts.attempt(System.nanoTime(), () -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    @Test
    void thoseThatCameBeforeAFailedAttemptGetItsError() {
        long before = System.nanoTime() - 1;
        IdUnavailableException failure = new IdUnavailableException("The database is down");
        failWith(failure);

        assertThatThrownBy(() -> attempts.attempt(before, () -> "not tried")).isSameAs(failure);
        assertThat(attempts.<String>attempt(System.nanoTime(), () -> "tried")).isEqualTo("tried");
    }

    @Test
    void aFailureOfOneRequestAloneIsNotShared() {
        long before = System.nanoTime() - 1;
        failWith(new IdStandbyException("Another server has this key", "https://ids2:8443"));

        assertThat(attempts.<String>attempt(before, () -> "tried")).isEqualTo("tried");
    }
}
