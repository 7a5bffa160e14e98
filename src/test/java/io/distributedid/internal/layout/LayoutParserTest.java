package io.distributedid.internal.layout;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutParserTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private static final String ALLOWED =
            "snowflake, data_centre_business, seconds, baidu, instagram, sharded, js53, strict, or fields as in"
                    + " time(ms):41, data_centre:6, business:6, sequence:10 (time first, in ms, 10ms or s; then"
                    + " data_centre, worker,"
                    + " business, shard, sequence in any order)";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "twitter | A field of a layout must be a name, ':' and a number of bits: twitter",
                "time:41, worker, sequence:12 | A field of a layout must be a name, ':' and a number of bits: worker",
                "time(us):41, worker:10, sequence:12 | A field of a layout must be a name, ':' and a number of bits:"
                        + " time(us):41",
                "time:41, machine:10, sequence:12 | A layout must have known fields only: machine, allowed: time,"
                        + " data_centre,"
                        + " worker, business, shard, sequence",
                "time:41, worker(s):10, sequence:12 | Only the time of a layout may have a unit: worker(s):10",
                "time:41, worker:5, worker:5, sequence:12 | A layout must have each field once: worker",
                "worker:10, time:41, sequence:12 | The first field of a layout must be the time, so that ids sort by"
                        + " it:"
                        + " worker:10, time:41, sequence:12",
                "time:41, worker:10 | A layout must have a sequence, which tells the ids of one unit of time apart:"
                        + " time:41,"
                        + " worker:10",
                "time:41, worker:0, sequence:12 | Every field of a layout must have 1 bit or more: worker:0",
                "time:41, worker:11, sequence:12 | The fields of a layout must have at most 63 bits together, so"
                        + " that ids are"
                        + " positive: time:41, worker:11, sequence:12 has 64",
                "time:51, worker:2, sequence:2 | The time of an id must have 1 to 50 bits, and at most 63 together with"
                        + " the bits below it: bits=51 shift=4",
            })
    void aTextThatIsNoLayoutIsRefusedNamingTheRule(String text, String rule) {
        assertThatThrownBy(() -> LayoutParser.of(settings(text, ""), NOW))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.snowflake.layout=" + text
                        + ", allowed: " + ALLOWED + ". " + rule);
    }

    @Test
    void anEpochInTheFutureIsRefusedWithTheYearInWhichTheLayoutEnds() {
        assertThatThrownBy(() -> LayoutParser.of(settings("", "2999-01-01T00:00:00Z"), NOW))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.snowflake.epoch=2999-01-01T00:00:00Z,"
                                + " allowed: an instant in the past; with this one the layout lasts until 3068, the"
                                + " clock says"
                                + " 2026-11-21T12:00:00Z");
    }

    /** Baidu's own epoch. */
    @Test
    void aLayoutThatHasRunOutIsRefused() {
        assertThatThrownBy(() -> LayoutParser.of(settings("baidu", "2016-05-20T00:00:00Z"), NOW))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "The layout has run out of time: time(s):28, worker:22, sequence:13 from 2016-05-20T00:00:00Z"
                                + " until 2024, the clock says 2026-11-21T12:00:00Z. Choose one with more bits of time"
                                + " (distributedid.snowflake.layout); a later epoch would repeat ids");
    }

    private static Settings settings(String layout, String epoch) {
        return Settings.of(Map.of("distributedid.snowflake.layout", layout, "distributedid.snowflake.epoch", epoch));
    }
}
