package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.spi.Block;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.IssuingServer;
import io.distributedid.testkit.IssuingServer.Answer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that the test writes, on a clock that it sets. */
class RemoteBlocksTest {

    private static final String TWO_BLOCKS = "{\"sequence\":\"photos\",\"blocks\":["
            + "{\"first\":\"11\",\"step\":\"2\",\"count\":\"3\",\"ageMillis\":1000},"
            + "{\"first\":\"101\",\"step\":\"1\",\"count\":\"7\",\"ageMillis\":4000}]}";

    private static final Sequence SEQUENCE = new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of()));

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private final DistributedIds unused = DistributedIds.create(Map.of("distributedid.backend", "memory"));

    private final IssuingServer server = IssuingServer.start(unused);

    private final ServicePool pool = RemoteClients.pool(server);

    private final RemoteSequence remote = new RemoteSequence(SEQUENCE, pool, new SequenceMemory("photos"), nanos::get);

    private RemoteBlocks blocks = blocks(Optional.of(Duration.ofSeconds(10)));

    private RemoteBlocks blocks(Optional<Duration> maxAge) {
        return new RemoteBlocks(remote, maxAge, nanos::get);
    }

    @AfterEach
    void stop() {
        pool.close();
        server.close();
        unused.close();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private void answers(String body, Duration trip) {
        server.fault((request, usual) -> {
            if (request.startsWith("GET ")) {
                return Answer.ok("{\"sequence\":\"photos\",\"kind\":\"blocks\",\"maxBlock\":1000}");
            }
            pass(trip);
            return Answer.ok(body);
        });
    }

    @Test
    void aBlockIsAsOldAsTheServiceSaysAndAsLongAgoAsTheRequestWasSent() throws Exception {
        answers(TWO_BLOCKS, Duration.ofMillis(700));

        assertThat(blocks.reserveAged(10)).isEqualTo(reserved(new Block(11, 2, 3), 1_700));
    }

    @Test
    void furtherBlocksOfAnAnswerWaitAndGrowOlder() throws Exception {
        answers(TWO_BLOCKS, Duration.ofMillis(700));
        blocks.reserveAged(10);
        pass(Duration.ofSeconds(2));

        assertThat(blocks.reserveAged(5)).isEqualTo(reserved(new Block(101, 1, 5), 6_700));
        assertThat(blocks.reserveAged(5)).isEqualTo(reserved(new Block(106, 1, 2), 6_700));
        assertThat(server.requestsForIds()).hasSize(1);
    }

    @Test
    void aBlockThatHasBecomeTooOldIsNotUsed() throws Exception {
        answers(TWO_BLOCKS, Duration.ofMillis(700));
        blocks.reserveAged(10);
        pass(Duration.ofMillis(4_301));
        answers(TWO_BLOCKS.replace("\"11\"", "\"211\"").replace("\"101\"", "\"301\""), Duration.ZERO);

        assertThat(blocks.reserveAged(10)).isEqualTo(reserved(new Block(211, 2, 3), 1_000));
    }

    @Test
    void ofAnAnswerOnlyBlocksThatAreYoungEnoughAreTaken() throws Exception {
        answers(TWO_BLOCKS, Duration.ofMillis(5_500));

        assertThat(blocks.reserveAged(10)).isEqualTo(reserved(new Block(11, 2, 3), 6_500));
        answers(TWO_BLOCKS.replace("\"11\"", "\"211\"").replace("\"101\"", "\"301\""), Duration.ZERO);
        assertThat(blocks.reserveAged(10)).isEqualTo(reserved(new Block(211, 2, 3), 1_000));
    }

    @Test
    void idsThatAreTooOldOnArrivalAreRefused() {
        answers(TWO_BLOCKS, Duration.ofMillis(8_001));

        assertThatThrownBy(() -> blocks.reserveAged(10))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No server gives ids; " + server.url()
                        + " said: The ids are too old: age=12001ms, allowed: up to 9000ms, 9/10 of block.max_age. The"
                        + " block.max_age of the service must not be longer than that of this application"
                        + Pages.onCall("no-server"));
    }

    @Test
    void withoutAMaximumNoAgeIsTooOld() throws Exception {
        blocks = blocks(Optional.empty());
        answers(TWO_BLOCKS, Duration.ofDays(3));

        assertThat(blocks.reserveAged(10).block()).isEqualTo(new Block(11, 2, 3));
        pass(Duration.ofDays(300));
        assertThat(blocks.reserveAged(10).block()).isEqualTo(new Block(101, 1, 7));
    }

    /** The counter was raised above them. */
    @Test
    void blocksThatWaitAreDroppedWithThoseOfTheBuffer() throws Exception {
        answers(TWO_BLOCKS, Duration.ZERO);
        blocks.reserveAged(10);
        remote.raised();
        answers(TWO_BLOCKS.replace("\"11\"", "\"211\"").replace("\"101\"", "\"301\""), Duration.ZERO);

        assertThat(blocks.reserveAged(10).block()).isEqualTo(new Block(211, 2, 3));
    }

    @Test
    void blocksOfAnAnswerToARequestBeforeTheRaiseAreDroppedToo() throws Exception {
        server.fault((request, usual) -> {
            if (request.startsWith("GET ")) {
                return Answer.ok("{\"sequence\":\"photos\",\"kind\":\"blocks\",\"maxBlock\":1000}");
            }
            remote.raised();
            return Answer.ok(TWO_BLOCKS);
        });
        blocks.reserveAged(10);
        answers(TWO_BLOCKS.replace("\"11\"", "\"211\"").replace("\"101\"", "\"301\""), Duration.ZERO);

        assertThat(blocks.reserveAged(10).block()).isEqualTo(new Block(211, 2, 3));
    }

    @Test
    void aRequestAsksForNoMoreThanTheServiceAllows() throws Exception {
        answers(TWO_BLOCKS, Duration.ZERO);
        blocks.reserveAged(5_000);

        assertThat(server.requestsForIds()).containsExactly("POST /v1/sequences/photos/blocks?count=1000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no JSON",
                "[]",
                "{}",
                "{\"sequence\":\"photos\",\"blocks\":[]}",
                "{\"sequence\":\"users\",\"blocks\":[{\"first\":\"1\",\"step\":\"1\",\"count\":\"1\",\"ageMillis\":0}]}",
                "{\"sequence\":\"photos\",\"blocks\":[{\"first\":\"1\",\"step\":\"1\",\"count\":\"11\",\"ageMillis\":0}]}",
                "{\"sequence\":\"photos\",\"blocks\":[{\"first\":\"0\",\"step\":\"1\",\"count\":\"1\",\"ageMillis\":0}]}",
                "{\"sequence\":\"photos\",\"blocks\":[{\"first\":1,\"step\":\"1\",\"count\":\"1\",\"ageMillis\":0}]}",
                "{\"sequence\":\"photos\",\"blocks\":[{\"first\":\"1\",\"step\":\"1\",\"count\":\"1\"}]}",
                "{\"sequence\":\"photos\",\"blocks\":[{\"first\":\"1\",\"step\":\"1\",\"count\":\"1\",\"ageMillis\":-1}]}",
                "{\"sequence\":\"photos\",\"blocks\":[{\"first\":\"9223372036854775807\",\"step\":\"1\",\"count\":\"2\","
                        + "\"ageMillis\":0}]}",
                "{\"sequence\":\"photos\",\"blocks\":[{\"first\":\"1\",\"step\":\"1\",\"count\":\"1\","
                        + "\"ageMillis\":9223372036854775807}]}"
            })
    void noIdIsTakenFromAnAnswerThatBreaksTheRules(String body) {
        answers(body, Duration.ZERO);

        assertThatThrownBy(() -> blocks.reserveAged(10))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("No server gives ids; " + server.url()
                        + " said: The answer is not that of an issuing service: ");
    }

    private static ReservedBlock reserved(Block block, long millis) {
        return new ReservedBlock(block, Duration.ofMillis(millis));
    }
}
