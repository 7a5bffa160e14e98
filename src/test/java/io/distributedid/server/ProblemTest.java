package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a problem says besides its text. */
class ProblemTest {

    /** Who asks earlier is refused again. */
    @ParameterizedTest
    @CsvSource({"-5000, 1", "0, 1", "1, 1", "1000, 1", "1001, 2", "1999, 2", "2000, 2", "59500, 60", "998999, 999"})
    void theTimeToAskAgainIsInSecondsAndNotTooEarly(long millis, long seconds) {
        Problem problem = new Problem(ProblemType.QUOTA, "later", Duration.ofMillis(millis));

        assertThat(problem.retrySeconds()).isEqualTo(seconds);
    }

    @Test
    void aDebtOfANanosecondIsRoundedUp() {
        Problem problem =
                new Problem(ProblemType.QUOTA, "later", Duration.ofSeconds(3).plusNanos(1));

        assertThat(problem.retrySeconds()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(ProblemType.class)
    void thoseThatPassAreTheOnesForWhichHttpHasAField(ProblemType type) {
        assertThat(type.passes()).isEqualTo(type.status() == 503 || type.status() == 429);
        assertThat(new Problem(type, "usual").retrySeconds()).isEqualTo(1);
    }
}
