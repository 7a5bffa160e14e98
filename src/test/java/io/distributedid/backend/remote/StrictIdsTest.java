package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.IssuingServer;
import io.distributedid.testkit.IssuingServer.Answer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that the test writes. */
class StrictIdsTest {

    private static final Sequence SEQUENCE = new Sequence("photos", 9_999, "Photo.id", Settings.of(Map.of()));

    private final DistributedIds unused = DistributedIds.create(Map.of("distributedid.backend", "memory"));

    private final IssuingServer server = IssuingServer.start(unused);

    private final ServicePool pool = RemoteClients.pool(server);

    private final RemoteSequence remote =
            new RemoteSequence(SEQUENCE, pool, new SequenceMemory("photos"), Platform.JVM);

    private final StrictIds ids = ids(SEQUENCE);

    private StrictIds ids(Sequence sequence) {
        return new StrictIds(
                sequence,
                remote,
                new OutageLog(System.getLogger("test")),
                new WaitStatistics("photos", System::nanoTime, time -> {}),
                Platform.JVM);
    }

    /** The ids of one request. */
    private List<Long> ask(int count) throws InterruptedException {
        return ask(ids, count);
    }

    private List<Long> ask(StrictIds ids, int count) throws InterruptedException {
        return pool.await(ids.send(count));
    }

    @AfterEach
    void stop() {
        ids.close();
        pool.close();
        server.close();
        unused.close();
    }

    /** A server that was left out a moment ago is not asked. */
    private List<Long> askUntilTried(int count) {
        AtomicReference<List<Long>> given = new AtomicReference<>();
        Await.until("ids are given", () -> {
            try {
                given.set(ask(count));
                return true;
            } catch (IdUnavailableException e) {
                return false;
            }
        });
        return given.get();
    }

    private void awaitRefusal(int count, String message) {
        Await.until("ids are refused: " + message, () -> {
            try {
                return ask(count).isEmpty();
            } catch (IdUnavailableException e) {
                return e.getMessage().contains(message);
            }
        });
    }

    private void answers(String body) {
        server.fault((asked, usual) ->
                Answer.ok(asked.startsWith("GET ") ? "{\"sequence\":\"photos\",\"kind\":\"strict\"}" : body));
    }

    @Test
    void theIdsOfAnAnswerAreTaken() throws Exception {
        answers("{\"sequence\":\"photos\",\"ids\":[\"7\",\"9\"]}");

        assertThat(ask(2)).containsExactly(7L, 9L);
        assertThat(server.requests()).containsExactly("GET /v1/sequences/photos", "POST /v1/sequences/photos/ids?n=2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"sequence\":\"photos\",\"ids\":[\"7\"]}",
                "{\"sequence\":\"photos\",\"ids\":[]}",
                "{\"sequence\":\"photos\",\"ids\":[\"7\",\"8\",\"9\"]}",
                "{\"sequence\":\"photos\",\"ids\":[\"9\",\"7\"]}",
                "{\"sequence\":\"photos\",\"ids\":[\"7\",\"7\"]}",
                "{\"sequence\":\"photos\",\"ids\":[7,9]}",
                "{\"sequence\":\"photos\",\"ids\":[\"7\",\"09\"]}",
                "{\"sequence\":\"photos\",\"ids\":[\"-1\",\"7\"]}",
                "{\"sequence\":\"users\",\"ids\":[\"7\",\"9\"]}",
                "{\"ids\":[\"7\",\"9\"]}",
                "{\"sequence\":\"photos\"}"
            })
    void noIdIsTakenFromAnAnswerThatBreaksTheRules(String body) {
        answers(body);

        assertThatThrownBy(() -> ask(2))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("No server gives ids; " + server.url()
                        + " said: The answer is not that of an issuing service: ");
    }

    /** Its limit is 2 ids, though it says 100 at first. */
    private void answersUpToTwo(Answer above, Answer tooMany) {
        AtomicInteger said = new AtomicInteger(100);
        server.fault((asked, usual) -> {
            if (asked.endsWith("/above")) {
                return above;
            }
            return asked.startsWith("GET ")
                    ? Answer.ok("{\"sequence\":\"photos\",\"kind\":\"strict\",\"maxIds\":" + said.getAndSet(2) + "}")
                    : asked.endsWith("n=2") ? Answer.ok("{\"sequence\":\"photos\",\"ids\":[\"7\",\"9\"]}") : tooMany;
        });
    }

    @Test
    void aServerWithALowerLimitGivesFewer() throws Exception {
        remote.memory().add(List.of(6L), 1);
        answersUpToTwo(new Answer(204, ""), Answer.problem(400, "invalid-parameter", "n=20, allowed: 1 to 2"));
        assertThatThrownBy(() -> ask(20)).hasMessageContaining("n=20, allowed: 1 to 2");
        assertThat(askUntilTried(20)).containsExactly(7L, 9L);
        assertThat(server.requests())
                .containsExactly(
                        "GET /v1/sequences/photos",
                        "POST /v1/sequences/photos/above",
                        "POST /v1/sequences/photos/ids?n=20",
                        "GET /v1/sequences/photos",
                        "POST /v1/sequences/photos/above",
                        "POST /v1/sequences/photos/ids?n=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"not-above", "invalid-parameter", "forbidden"})
    void noIdIsTakenFromAServerThatRefusesTheComparison(String problem) {
        remote.memory().add(List.of(1_000_000L), 1);
        answersUpToTwo(
                Answer.problem(409, problem, "New ids would be smaller than an existing id: id=1000000"),
                Answer.problem(400, "invalid-parameter", "n=20, allowed: 1 to 2"));

        assertThatThrownBy(() -> ask(20))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("New ids would be smaller than an existing id: id=1000000");
        assertThat(server.requestsForIds()).isEmpty();
    }

    @Test
    void noOtherRefusalIsAnsweredWithARequestForFewer() {
        answersUpToTwo(new Answer(204, ""), Answer.problem(403, "forbidden", "The token has no right to take ids"));

        assertThatThrownBy(() -> ask(20))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("The token has no right to take ids");
        assertThat(server.requestsForIds())
                .startsWith("POST /v1/sequences/photos/ids?n=20")
                .doesNotContain("POST /v1/sequences/photos/ids?n=2");
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    void aServerThatGoesBackIsRefused(long again) throws Exception {
        answers("{\"sequence\":\"photos\",\"ids\":[\"7\",\"9\"]}");
        ask(2);
        answers("{\"sequence\":\"photos\",\"ids\":[\"" + again + "\"]}");

        assertThatThrownBy(() -> ask(1))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage(
                        "No server gives ids; " + server.url() + " said: The ids of a strictly ordered sequence must"
                                + " ascend: seq=photos, " + server.url() + " gave " + again
                                + " after 9. Check that only one server is active, and that its store did not go back"
                                + Pages.onCall("service-again"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"token\":\"T2\","})
    void noIdIsTakenFromAnAnswerWithoutTheKnownToken(String token) throws Exception {
        server.fault((asked, usual) -> Answer.ok(
                asked.startsWith("GET ")
                        ? "{\"sequence\":\"photos\",\"kind\":\"strict\",\"token\":\"T1\"}"
                        : "{\"sequence\":\"photos\",\"token\":\"T1\",\"ids\":[\"7\"]}"));
        ask(1);
        answers("{\"sequence\":\"photos\"," + token + "\"ids\":[\"8\"]}");

        assertThatThrownBy(() -> ask(1))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("Servers of an issuing service give ids from different places: seq=photos, "
                        + server.url() + " says "
                        + (token.isEmpty() ? "that there is no token" : "token=T2") + ", but "
                        + server.url() + " said token=T1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocks", "composed"})
    void noIdIsTakenFromAServerThatIsNotStrictAnyMore(String kind) throws Exception {
        answers("");
        pool.await(remote.describe(pool.servers().get(0)));
        server.fault((asked, usual) -> null);
        assertThatThrownBy(() -> ask(1)).hasMessageContaining("The request failed");
        int before = server.requestsForIds().size();
        server.fault((asked, usual) -> Answer.ok(
                asked.startsWith("GET ")
                        ? "{\"sequence\":\"photos\",\"kind\":\"" + kind + "\"}"
                        : "{\"sequence\":\"photos\",\"ids\":[\"7\"]}"));

        for (int i = 0; i < 2; i++) {
            awaitRefusal(
                    1,
                    "Servers of an issuing service issue a sequence in different ways: seq=photos, " + server.url()
                            + " says kind=" + kind + ", allowed: kind=strict, as the first server said. Give the"
                            + " servers the same settings, or remove one from distributedid.remote.servers. If the"
                            + " service has changed, restart this application" + Pages.onCall("service-places"));
        }
        assertThat(server.requestsForIds()).hasSize(before);
    }

    @Test
    void fewerIdsAreTakenOnlyFromAServerThatIsStillStrict() throws Exception {
        answers("{\"sequence\":\"photos\",\"ids\":[\"7\"]}");
        ask(1);
        server.fault((asked, usual) -> asked.startsWith("GET ")
                ? Answer.ok("{\"sequence\":\"photos\",\"kind\":\"composed\",\"maxIds\":2}")
                : Answer.problem(400, "invalid-parameter", "n=20, allowed: 1 to 2"));

        awaitRefusal(20, "says kind=composed, allowed: kind=strict");
        assertThat(server.requestsForIds()).doesNotContain("POST /v1/sequences/photos/ids?n=2");
    }

    /** 100,000 ids of 18 digits take twice the longest answer. */
    @Test
    void noRequestAsksForMoreIdsThanAnAnswerCanHold() throws Exception {
        server.fault((asked, usual) -> asked.startsWith("GET ")
                ? Answer.ok("{\"sequence\":\"photos\",\"kind\":\"strict\",\"maxIds\":100000}")
                : asked.endsWith("n=10000")
                        ? Answer.ok(ids(10_000))
                        : Answer.problem(400, "invalid-parameter", "n is too large"));

        assertThat(pool.await(remote.describe(pool.servers().get(0))).maxIds())
                .as("what the calls that wait share")
                .isEqualTo(10_000);
        Sequence wide = new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of()));
        assertThat(ask(ids(wide), 60_000)).hasSize(10_000);
    }

    private static String ids(int count) {
        return LongStream.range(0, count)
                .mapToObj(i -> "\"" + (800_000_000_000_000_000L + i) + "\"")
                .collect(Collectors.joining(",", "{\"sequence\":\"photos\",\"ids\":[", "]}"));
    }
}
