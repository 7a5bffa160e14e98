package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.IssuingServer;
import io.distributedid.testkit.IssuingServer.Answer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client of two servers that fail in turn. */
@Timeout(300)
class RemoteBackendTest {

    private final DistributedIds behind = RemoteClients.behind("remote_ids");

    private final IssuingServer a = IssuingServer.start(behind);

    private final IssuingServer b = IssuingServer.start(behind);

    private final GivenIds given = new GivenIds();

    @AfterEach
    void stop() throws SQLException {
        a.close();
        b.close();
        behind.close();
        H2Servers.drop("remote_ids", "remote_app", "remote_other");
        given.assertNoneTwice();
    }

    private record OwnDatabase(String url) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return DriverManager.getConnection(url);
        }

        @Override
        public String label() {
            return "own database";
        }
    }

    private DistributedIds both(Object... more) {
        return RemoteClients.client(RemoteClients.servers(a, b), more);
    }

    private DistributedIds client(IssuingServer server, Object... more) {
        return RemoteClients.client(server.url(), more);
    }

    private static IssuingServer.Fault down(String why) {
        return (request, usual) -> IssuingServer.unavailable(why);
    }

    private static List<ServerStatistics> servers(DistributedIds ids) {
        return ids.statistics("photos").map(SequenceStatistics::servers).orElse(List.of());
    }

    private static long failovers(DistributedIds ids) {
        return servers(ids).stream().mapToLong(ServerStatistics::failovers).sum();
    }

    private static Optional<String> failure(DistributedIds ids, IssuingServer server) {
        return servers(ids).stream()
                .filter(each -> each.server().equals(server.url()))
                .findFirst()
                .flatMap(ServerStatistics::failure);
    }

    /** Takes ids until this server is asked for some: which one is asked first is random. */
    private void takeUntilAsked(DistributedIds ids, IssuingServer server) {
        int before = server.requestsForIds().size();
        Await.until(server.url() + " is asked for ids", () -> {
            given.take(ids, 10);
            return server.requestsForIds().size() > before;
        });
    }

    /** The one that alone is asked. An answer that is late on a busy machine makes it another one. */
    private IssuingServer inUse(DistributedIds ids) {
        return aloneInUse(ids, 50);
    }

    private IssuingServer aloneInUse(DistributedIds ids, int count) {
        AtomicInteger ofA = new AtomicInteger();
        AtomicInteger ofB = new AtomicInteger();
        Await.until(
                "one server alone is asked for " + count + " ids",
                () -> {
                    int beforeA = a.requestsForIds().size();
                    int beforeB = b.requestsForIds().size();
                    given.take(ids, count);
                    ofA.set(a.requestsForIds().size() - beforeA);
                    ofB.set(b.requestsForIds().size() - beforeB);
                    return ofA.get() == 0 || ofB.get() == 0;
                },
                () -> "requests: " + ofA + " and " + ofB);
        return ofA.get() == 0 ? b : a;
    }

    @Test
    void oneServerIsInUseAtATime() {
        try (DistributedIds ids = both()) {
            assertThat(aloneInUse(ids, 500).requestsForIds()).hasSizeGreaterThanOrEqualTo(40);
            assertThat(ids.health().status()).hasToString("UP");
        }
    }

    @Test
    void aServerThatFailsIsLeftOutAndUsedAgainWhenItIsBack() {
        try (DistributedIds ids = both()) {
            IssuingServer used = inUse(ids);
            IssuingServer other = used == a ? b : a;
            long before = failovers(ids);
            used.faultOfIds(down("the tickets are down"));
            takeUntilAsked(ids, other);

            assertThat(failure(ids, used)).contains("the tickets are down");
            assertThat(failure(ids, other)).isEmpty();
            assertThat(ids.health().status()).hasToString("DEGRADED");
            assertThat(failovers(ids)).isEqualTo(before + 1);

            used.recover();
            Await.until("it is used again", () -> {
                given.take(ids, 10);
                return failure(ids, used).isEmpty();
            });
            takeUntilAsked(ids, used);
        }
    }

    @Test
    void aServerThatHangsForLongerThanTheTimeoutIsLeftOut() {
        try (DistributedIds ids = both("timeout", "500ms")) {
            IssuingServer used = inUse(ids);
            used.fault((request, usual) -> used.hang());

            Await.until("it is left out", () -> {
                given.take(ids, 10);
                return failure(ids, used).isPresent();
            });
            assertThat(failure(ids, used)).contains("No answer within 500 ms");
        }
    }

    /** The maximum age is ten seconds. */
    @Test
    void noIdIsTakenThatHasBecomeTooOldInTheBufferOfTheService() {
        a.age(() -> 9_001);
        b.age(() -> 5_000);
        try (DistributedIds ids = both()) {
            given.take(ids, 100);
            takeUntilAsked(ids, b);
        }
        try (DistributedIds ids = client(a, "block.timeout", "3s")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("The ids are too old: age=")
                    .hasMessageContaining("9/10 of block.max_age");
        }
    }

    @Test
    void aServerWithAnotherTokenThanTheFirstFailsTheStart() {
        b.token(token -> "another");
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        Await.until("both servers answer the start in time", () -> {
            try (DistributedIds ids = both()) {
                refusal.set(catchThrowable(() -> ids.sequence("photos")));
                return refusal.get() != null;
            }
        });
        assertThat(refusal.get())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Servers of an issuing service give ids from different places: seq=photos, ")
                .hasMessageContainingAll(a.url(), b.url(), "token=another", "Both would give the same ids");
    }

    @Test
    void anotherPlaceThanTheOneTheApplicationRemembersIsRefused() throws SQLException {
        OwnDatabase database = new OwnDatabase("jdbc:h2:mem:remote_app;DB_CLOSE_DELAY=-1");
        try (DistributedIds ids = DistributedIds.builder()
                .settings(RemoteClients.settings(a.url()))
                .applicationDatabase(database)
                .build()) {
            given.take(ids, 10);
            assertThat(ids.admin().token("photos")).isEqualTo(behind.admin().token("photos"));
        }
        try (DistributedIds otherBehind = RemoteClients.behind("remote_other");
                IssuingServer other = IssuingServer.start(otherBehind);
                DistributedIds ids = DistributedIds.builder()
                        .settings(RemoteClients.settings(other.url()))
                        .applicationDatabase(database)
                        .build()) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A sequence takes its ids from a different place than before: seq=photos");
        }
    }

    @Test
    void anUnknownSequenceFailsTheStartWithTheServersMessage() {
        try (DistributedIds ids = both()) {
            assertThatThrownBy(() -> ids.sequence("unknown_photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageMatching(
                            "There is no such sequence: sequence=unknown_photos, allowed: photos\\. Check the"
                                    + " name of the sequence, and distributedid.server.sequences or"
                                    + " distributedid.server.keyed at the service"
                                    + " \\(seq=unknown_photos, server=http://127\\.0\\.0\\.1:\\d+\\)");
            given.take(ids, 10);
        }
    }

    @Test
    void theTokenIsSentAndAWrongOneFailsTheStartWithoutBeingShown() {
        a.needs("s3cr3t.token");
        try (DistributedIds ids = client(a, "remote.token", "s3cr3t.token")) {
            given.take(ids, 10);
        }
        a.fault((request, usual) -> Answer.problem(401, "unauthenticated", "No such token: wr0ng.token"));
        try (DistributedIds ids = client(a, "remote.token", "wr0ng.token")) {
            assertThatThrownBy(() -> ids.sequence("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("No such token: ***. Set distributedid.remote.token to a token of the service"
                            + " (seq=photos, server=" + a.url() + ")");
        }
    }

    @Test
    void aForbiddenSequenceFailsTheStart() {
        a.fault((request, usual) -> Answer.problem(403, "forbidden", "This token may not use photos"));
        try (DistributedIds ids = client(a)) {
            assertThatThrownBy(() -> ids.sequence("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("This token may not use photos. Use a token that has this right"
                            + " (distributedid.remote.token), or grant it at the service (seq=photos, server=" + a.url()
                            + ")");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "503 | unavailable | the tickets are down | the tickets are down",
                "429 | quota | 100 ids a second at most | 100 ids a second at most",
            })
    void aServiceThatGivesNoIdsSaysWhy(int status, String type, String detail, String message) {
        a.fault((request, usual) -> Answer.problem(status, type, detail));
        try (DistributedIds ids = client(a, "block.timeout", "50ms")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("No server gives ids; " + a.url() + " said: " + message);
        }
    }

    @Test
    void anAddressOfSomethingElseIsSaidToBeThat() {
        a.fault((request, usual) -> Answer.ok("<html>"));
        try (DistributedIds ids = client(a, "block.timeout", "50ms")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("The answer is not that of an issuing service: not the JSON of an");
        }
        a.fault((request, usual) -> new Answer(502, "<html>"));
        try (DistributedIds ids = client(a, "block.timeout", "50ms")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("The answer is not that of an issuing service: status=502");
        }
    }

    @Test
    void anAnswerThatIsTooLongIsNotRead() {
        a.faultOfIds((request, usual) -> Answer.ok(" ".repeat(2_000_000)));
        try (DistributedIds ids = client(a, "block.timeout", "3s")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("The answer is longer than 1048576 bytes");
        }
    }

    @Test
    void existingIdsAreComparedByTheService() {
        try (DistributedIds ids = both()) {
            given.take(ids, 10);
            assertThatThrownBy(() -> ids.admin().requireAbove("photos", 1_000_000))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContainingAll("1000000", "(seq=photos, server=");

            ids.admin().raise("photos", 1_000_000);
            ids.admin().requireAbove("photos", 1_000_000);

            assertThat(ids.next("photos")).isGreaterThan(1_000_000);
        }
    }

    @Test
    void aServerThatWasDownComparesExistingIdsBeforeItGivesSome() {
        b.fault(down("not yet"));
        try (DistributedIds ids = both()) {
            given.take(ids, 100);
            ids.admin().requireAbove("photos", 50);
            b.recover();
            a.fault(down("now this one"));

            takeUntilAsked(ids, b);

            List<String> asked = b.requests();
            int compared = asked.lastIndexOf("POST /v1/sequences/photos/above");
            assertThat(compared).isNotNegative();
            assertThat(asked.subList(compared, asked.size())).anyMatch(each -> each.contains("/blocks?"));
        }
    }

    @Test
    void aPreparedStartAsksOnceForEachSequence() {
        List<String> names = List.of("photos", "users", "likes");
        try (DistributedIds ids = both()) {
            ids.admin().prepare(names);
            names.forEach(ids::sequence);

            for (IssuingServer server : List.of(a, b)) {
                assertThat(server.requests())
                        .containsExactlyInAnyOrderElementsOf(names.stream()
                                .map(name -> "GET /v1/sequences/" + name)
                                .toList());
            }
        }
    }

    @Test
    void aRaiseNeedsAllServers() {
        try (DistributedIds ids = both()) {
            given.take(ids, 10);
            b.fault(down("not now"));

            assertThatThrownBy(() -> ids.admin().raise("photos", 5_000))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage("All servers must answer; " + b.url() + " said: not now. Repeat the call when they do"
                            + Pages.onCall("counter-not-all-answer"));
        }
    }

    @Test
    void aCheckAsksEveryServerAndReservesNothing() {
        b.fault(down("being restarted"));
        try (DistributedIds ids = both()) {
            List<CheckResult> results = ids.admin().check("photos");

            assertThat(results).hasSize(2);
            assertThat(results.get(0).server()).isEqualTo(a.url());
            assertThat(results.get(0).status()).isEqualTo(CheckResult.Status.OK);
            assertThat(results.get(0).detail()).startsWith("kind=blocks step=1 token=");
            assertThat(results.get(1)).isEqualTo(CheckResult.failed("server", b.url(), "being restarted"));
        }
        assertThat(a.requestsForIds()).isEmpty();
    }

    @Test
    void countersAreThoseBehindTheService() {
        try (DistributedIds ids = both()) {
            given.take(ids, 10);

            Await.until(
                    "no block is under way",
                    () -> ids.admin().counters("photos").equals(behind.admin().counters("photos")),
                    () -> ids.admin().counters("photos"));
            assertThat(ids.statistics("photos")
                            .flatMap(SequenceStatistics::capacity)
                            .orElseThrow()
                            .idsLeft())
                    .isPresent();
        }
    }

    @Test
    void commandsForServersAreOnesOfTheService() {
        try (DistributedIds ids = both()) {
            assertThatThrownBy(() -> ids.admin().repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The ids of a sequence come from an issuing service, which has the servers and leases:"
                            + " seq=photos. Run distributedid repair with the settings of the service");
        }
    }

    @Test
    void aCloseDoesNotWaitForAServerThatHangs() {
        DistributedIds ids = client(a, "timeout", "1m");
        given.take(ids, 1);
        a.fault((request, usual) -> a.hang());
        given.take(ids, 5);
        Await.until("the server hangs", () -> a.requestsForIds().size() > 1);

        long began = System.nanoTime();
        ids.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(50));
        assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdUnavailableException.class);
    }

    @Test
    void settingsThatAreWrongAreRefused() {
        Map<String, String> wrong = Map.of(
                "remote.servers", "ids1:8443",
                "remote.token", "two words",
                "remote.trust", "/no/such/file.pem");
        wrong.forEach((name, value) -> {
            try (DistributedIds ids = client(a, name, value)) {
                assertThatThrownBy(() -> ids.sequence("photos"))
                        .as(name)
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("distributedid." + name + "=")
                        .hasMessageNotContaining("two words");
            }
        });
    }
}
