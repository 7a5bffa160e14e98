package benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TimesTest {

    @Test
    void aPercentileIsTheShortestTimeThatSoManyRequestsDidNotExceed() {
        Times times = new Times(LongStream.rangeClosed(1, 1_000)
                .map(number -> (1_001 - number) * 1_000_000)
                .toArray());

        assertThat(times.millis(0)).isEqualTo(1);
        assertThat(times.millis(0.5)).isEqualTo(500);
        assertThat(times.millis(0.99)).isEqualTo(990);
        assertThat(times.millis(0.9991)).isEqualTo(1_000);
        assertThat(times.millis(1)).isEqualTo(1_000);
    }

    @Test
    void ofOneRequestAllPercentilesAreItsTime() {
        assertThat(new Times(new long[] {7_000_000}).millis(0.5)).isEqualTo(7);
    }

    @Test
    void noRequestHasNoPercentile() {
        assertThatThrownBy(() -> new Times(new long[0])).hasMessage("Percentiles need a time: nanos=[]");
    }
}
