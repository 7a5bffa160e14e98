package io.distributedid.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PagesTest {

    /** {@code #x} stands for an address. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "No id#own, No id#own",
                "No id: a said: read-only#cause. Tried again#own, No id: a said: read-only. Tried again#cause",
                "No id; a said: locked#first; b said: locked#second#own, No id; a said: locked; b said: locked#first",
                "No id: A driver said this.#own, No id: A driver said this.#own",
                "No id, No id"
            })
    void oneRowIsNamedAndThatOfACauseFirst(String message, String expected) {
        assertThat(Pages.withOneRow(written(message)))
                .isEqualTo(written(expected).replace(".. See", ". See"));
    }

    private static String written(String message) {
        return message.replaceAll("#([a-z]+)", Pages.onCall("$1"));
    }

    @Test
    void theRowOfAConstantHasItsName() {
        assertThat(Pages.onCall("thread", Thread.State.TIMED_WAITING)).isEqualTo(Pages.onCall("thread-timed-waiting"));
    }
}
