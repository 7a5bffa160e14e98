package io.distributedid.internal.layout;

import static io.distributedid.internal.layout.IdField.BUSINESS;
import static io.distributedid.internal.layout.IdField.DATA_CENTRE;
import static io.distributedid.internal.layout.IdField.SEQUENCE;
import static io.distributedid.internal.layout.IdField.SHARD;
import static io.distributedid.internal.layout.IdField.TIME;
import static io.distributedid.internal.layout.IdField.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DecodedId;
import io.distributedid.spi.Settings;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ids of other generators, computed by hand, bit for bit. */
class IdLayoutTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    /** A tweet of June 2022, whose id is decoded in the Wikipedia article on Snowflake ids: machine 378, sequence 0. */
    @Test
    void twitter() {
        IdLayout layout = preset("snowflake", "2010-11-04T01:42:54.657Z");
        long tick = layout.tick(Instant.parse("2022-06-28T16:07:40.105Z").toEpochMilli());

        assertThat(tick).isEqualTo(367_597_485_448L);
        assertThat(layout.compose(tick, 0, layout.place(WORKER, 378))).isEqualTo(1_541_815_603_606_036_480L);
        DecodedId decoded = layout.decode(1_541_815_603_606_036_480L);
        assertThat(decoded.time()).contains(Instant.parse("2022-06-28T16:07:40.105Z"));
        assertThat(decoded.fields()).isEqualTo(Map.of("worker", 378L, "sequence", 0L));
        assertThat(decoded.bits()).isEqualTo("00101010110010110100001000111110110001000 0101111010 000000000000");
    }

    /** Machine 378 as data centre 11 and machine 26, five bits each. */
    @Test
    void twitterWithDataCentres() {
        IdLayout layout = parse("time:41, data_centre:5, worker:5, sequence:12", "2010-11-04T01:42:54.657Z");

        assertThat(layout.decode(1_541_815_603_606_036_480L).fields())
                .isEqualTo(Map.of("data_centre", 11L, "worker", 26L, "sequence", 0L));
    }

    /** 183,600,000 ms after the epoch (51 hours), data centre 5, business 9, sequence 700. */
    @Test
    void dataCentreAndBusiness() {
        IdLayout layout = preset("data_centre_business", "2024-01-01T00:00:00Z");
        long id = layout.compose(183_600_000, 700, layout.place(DATA_CENTRE, 5) | layout.place(BUSINESS, 9));

        assertThat(id).isEqualTo(0b1010_1111_0001_1000_0011_1000_0000_000101_001001_1010111100L);
        assertThat(id).isEqualTo(770_074_214_737_596L);
        DecodedId decoded = layout.decode(id);
        assertThat(decoded.time()).contains(Instant.parse("2024-01-03T03:00:00Z"));
        assertThat(decoded.toString())
                .isEqualTo("770074214737596 (2024-01-03T03:00:00Z, data_centre=5, business=9, sequence=700)");
    }

    /**
     * 100,000,000 s after Baidu's epoch, worker 4,000,000, the last sequence: seconds * 2^35 + worker * 2^13 +
     * sequence.
     */
    @Test
    void baidu() {
        IdLayout layout = preset("baidu", "2020-05-20T00:00:00Z");
        long id = layout.compose(100_000_000, 8_191, layout.place(WORKER, 4_000_000));

        assertThat(id).isEqualTo(100_000_000L * 34_359_738_368L + 4_000_000L * 8_192L + 8_191L);
        assertThat(id).isEqualTo(3_435_973_869_568_008_191L);
        assertThat(layout.decode(id).time()).contains(Instant.parse("2023-07-21T09:46:40Z"));
        assertThat(layout.decode(id).fields()).isEqualTo(Map.of("worker", 4_000_000L, "sequence", 8_191L));
    }

    /** 1,387,263,000 ms after Instagram's epoch, user 31341 on 2000 shards, sequence 5001. */
    @Test
    void instagram() {
        IdLayout layout = LayoutParser.of(settings("instagram", ""), NOW);
        long id = layout.compose(1_387_263_000L, 5_001 % 1_024, layout.place(SHARD, 31_341 % 2_000));

        assertThat(id).isEqualTo(1_387_263_000L << 23 | 1_341L << 10 | 5_001 % 1_024);
        assertThat(id).isEqualTo(11_637_205_501_278_089L);
        assertThat(layout.decode(id).time()).contains(Instant.ofEpochMilli(1_314_220_021_721L + 1_387_263_000L));
        assertThat(layout.decode(id).fields()).isEqualTo(Map.of("shard", 1_341L, "sequence", 905L));
    }

    @Test
    void js53IsExactInJavaScript() {
        IdLayout layout = preset("js53", "2024-01-01T00:00:00Z");
        long largest = layout.compose(layout.time().maxTick(), layout.max(SEQUENCE), layout.place(WORKER, 255));

        assertThat(largest).isEqualTo((1L << 53) - 1).isEqualTo(layout.time().maxId());
        assertThat((long) (double) largest).isEqualTo(largest);
    }

    @ParameterizedTest
    @CsvSource({
        "snowflake, 'time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z until 2093'",
        "data_centre_business, 'time(ms):41, data_centre:6, business:6, sequence:10 from 2024-01-01T00:00:00Z until"
                + " 2093'",
        "seconds, 'time(s):32, worker:11, sequence:20 from 2024-01-01T00:00:00Z until 2160'",
        "baidu, 'time(s):28, worker:22, sequence:13 from 2024-01-01T00:00:00Z until 2032'",
        "instagram, 'time(ms):40, shard:13, sequence:10 from 2011-08-24T21:07:01.721Z until 2046'",
        "js53, 'time(s):31, worker:8, sequence:14 from 2024-01-01T00:00:00Z until 2092'",
        "'time( 10ms ):39,sequence : 8, WORKER:16', 'time(10ms):39, sequence:8, worker:16 from 2024-01-01T00:00:00Z"
                + " until 2198'",
    })
    void aLayoutSaysWhatItIsAndWhenItEnds(String text, String said) {
        IdLayout layout = LayoutParser.of(settings(text, ""), NOW);

        assertThat(layout).hasToString(said);
        assertThat(layout).isEqualTo(LayoutParser.of(settings(text, ""), NOW)).hasSameHashCodeAs(said);
    }

    @Test
    void theSequenceMayStandAnywhere() {
        IdLayout layout = parse("time(10ms):39, sequence:8, worker:16", "2024-01-01T00:00:00Z");
        long id = layout.compose(5, 200, layout.place(WORKER, 40_000));

        assertThat(id).isEqualTo(5L << 24 | 200L << 16 | 40_000);
        assertThat(layout.decode(id).fields())
                .containsExactly(Map.entry("sequence", 200L), Map.entry("worker", 40_000L));
        assertThat(layout.decode(id).time()).contains(Instant.parse("2024-01-01T00:00:00.050Z"));
    }

    @Test
    void instantsAreTicksToTheUnit() {
        IdLayout seconds = preset("seconds", "2024-01-01T00:00:00Z");
        long epoch = Instant.parse("2024-01-01T00:00:00Z").toEpochMilli();

        assertThat(seconds.tick(epoch + 1_999)).isEqualTo(1);
        assertThat(seconds.tick(epoch - 1)).isEqualTo(-1);
        assertThat(seconds.millis(1)).isEqualTo(epoch + 1_000);
        assertThat(seconds.firstTick(epoch + 1_000)).isEqualTo(1);
        assertThat(seconds.firstTick(epoch + 1_001)).isEqualTo(2);
    }

    @Test
    void onlyAFieldBesidesTimeAndSequenceTellsProcessesApart() {
        IdLayout lone = parse("time:41, sequence:22", "2024-01-01T00:00:00Z");
        IdLayout worker = parse("time:41, worker:1, sequence:21", "2024-01-01T00:00:00Z");

        assertThat(lone.tellsProcessesApart()).isFalse();
        assertThat(worker.tellsProcessesApart()).isTrue();
        assertThat(lone.has(WORKER)).isFalse();
        assertThat(worker.has(WORKER)).isTrue();
        assertThat(lone).isNotEqualTo(worker);
    }

    @Test
    void aValueThatDoesNotFitItsFieldIsRefused() {
        IdLayout layout = preset("data_centre_business", "2024-01-01T00:00:00Z");

        assertThatThrownBy(() -> layout.place(BUSINESS, 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A value must fit its field: business=64, allowed: 0 to 63 in " + layout);
        assertThatThrownBy(() -> layout.place(WORKER, 1))
                .hasMessageStartingWith("A value must fit its field: worker=1, allowed: 0 to 0");
        assertThat(layout.place(WORKER, 0)).isZero();
        assertThat(layout.bits(TIME)).isEqualTo(41);
    }

    @Test
    void anIdOfAnotherLayoutIsRefusedWhereThatCanBeSeen() {
        IdLayout layout = preset("js53", "2024-01-01T00:00:00Z");

        assertThatThrownBy(() -> layout.decode(1L << 53))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "An id must fit its layout: id=9007199254740992, allowed: 0 to 9007199254740991 in " + layout);
        assertThatThrownBy(() -> layout.decode(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(layout.decode(0).id()).isZero();
        assertThat(layout.decode((1L << 53) - 1).id()).isEqualTo((1L << 53) - 1);
    }

    private static IdLayout preset(String name, String epoch) {
        return LayoutParser.of(settings(name, epoch), NOW);
    }

    private static IdLayout parse(String text, String epoch) {
        return LayoutParser.parse(text, Instant.parse(epoch));
    }

    private static Settings settings(String layout, String epoch) {
        return Settings.of(Map.of("distributedid.snowflake.layout", layout, "distributedid.snowflake.epoch", epoch));
    }
}
