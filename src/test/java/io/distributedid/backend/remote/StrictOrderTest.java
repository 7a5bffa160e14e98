package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.IssuingServer;
import io.distributedid.testkit.IssuingServer.Answer;
import io.distributedid.testkit.Together;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client of an active server and a standby. */
@Timeout(300)
@Tag("slow")
class StrictOrderTest {

    private final DistributedIds behind = RemoteClients.behind("strict_ids");

    private final IssuingServer a = IssuingServer.start(behind).kind("strict");

    private final IssuingServer b = IssuingServer.start(behind).kind("strict");

    private final GivenIds given = new GivenIds();

    private DistributedIds ids;

    @BeforeEach
    void start() {
        b.standbyOf(a.url());
        ids = RemoteClients.client(RemoteClients.servers(a, b));
    }

    @AfterEach
    void stop() throws SQLException {
        ids.close();
        a.close();
        b.close();
        behind.close();
        H2Servers.drop("strict_ids");
        given.assertNoneTwice();
    }

    private SequenceStatistics statistics() {
        return ids.statistics("photos").orElseThrow();
    }

    @Test
    void eachCallIsARequestAndTheActiveServerIsRemembered() {
        given.take(ids, 100);

        assertThat(a.requestsForIds()).hasSizeGreaterThanOrEqualTo(100);
        assertThat(b.requestsForIds())
                .as("the first one may have gone there, and some if the other was slow")
                .hasSizeLessThan(50);
        assertThat(statistics().issued()).isEqualTo(100);
        assertThat(statistics().blocks()).isEmpty();
        assertThat(ids.health().status()).hasToString("UP");
    }

    @Test
    void aServerThatStandsByAfterAFailureIsWell() {
        given.take(ids, 10);
        a.faultOfIds((request, usual) -> IssuingServer.unavailable("the store is down"));
        b.standbyOf("");
        given.take(ids, 10);
        assertThat(statistics().servers())
                .extracting(ServerStatistics::failure)
                .contains(Optional.of("the store is down"));
        a.standbyOf(b.url());
        a.recover();

        Await.until("no failure is left", () -> {
            given.take(ids, 10);
            return statistics().servers().stream()
                    .allMatch(each -> each.failure().isEmpty());
        });
    }

    @Test
    void theActiveServerRaisesForThoseThatStandBy() {
        given.take(ids, 10);

        ids.admin().raise("photos", 1_000_000);

        assertThat(ids.next("photos")).isGreaterThan(1_000_000);
        a.standbyOf(b.url());
        assertThatThrownBy(() -> ids.admin().raise("photos", 2_000_000))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("All servers must answer; ")
                .hasMessageContaining("Another server is active");
    }

    @Test
    void callsAtTheSameTimeShareRequests() throws Exception {
        ids.sequence("photos");
        for (long[] taken : Together.run(16, thread -> {
            long[] mine = new long[500];
            for (int i = 0; i < mine.length; i++) {
                mine[i] = ids.next("photos");
            }
            return mine;
        })) {
            for (int i = 0; i < taken.length; i++) {
                given.add(taken[i]);
                assertThat(i == 0 || taken[i] > taken[i - 1]).isTrue();
            }
        }

        assertThat(given.count()).isEqualTo(8_000);
        assertThat(a.requestsForIds()).hasSizeLessThan(8_000);
    }

    @Test
    void anIdThatDoesNotFitItsTypeIsRefused() {
        behind.sequence("photos");
        String token = behind.admin().token("photos").orElseThrow();
        a.faultOfIds((request, usual) ->
                Answer.ok("{\"sequence\":\"photos\",\"token\":\"" + token + "\",\"ids\":[\"2147483648\"]}"));
        try (DistributedIds narrow = RemoteClients.client(a.url())) {
            assertThatThrownBy(narrow.sequence("photos", Integer.MAX_VALUE, "Photo.id")::next)
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessage(
                            "The next id does not fit its type: sequence 'photos' (Photo.id) id=2147483648, allowed:"
                                    + " up to 2147483647. Map the property to a wider type"
                                    + Pages.onCall("counter-no-room"));
        }
    }

    @Test
    void aServiceThatRecoversIsNoticedWithoutCalls() {
        try (DistributedIds hasty = RemoteClients.client(RemoteClients.servers(a, b), "block.timeout", "2s")) {
            given.takeOnceGiven(hasty, 1);
            a.faultOfIds((request, usual) -> IssuingServer.unavailable("the store is down"));
            assertThatThrownBy(() -> hasty.next("photos")).hasMessageContaining("the store is down");
            assertThat(hasty.health().status()).hasToString("DOWN");
            a.recover();

            Await.until("health is up", () -> hasty.health().status().toString().equals("UP"));
            given.takeOnceGiven(hasty, 1);
        }
    }

    @Test
    void aCloseEndsACallThatWaits() throws Exception {
        given.take(ids, 1);
        a.fault((request, usual) -> a.hang());
        b.fault((request, usual) -> b.hang());
        List<String> ended = Together.run(2, thread -> {
            if (thread == 0) {
                try {
                    return "id " + ids.next("photos");
                } catch (IdUnavailableException e) {
                    return "refused";
                }
            }
            Await.until("the call waits", () -> statistics().waits() > 1);
            ids.close();
            return "closed";
        });

        assertThat(ended).containsExactly("refused", "closed");
    }
}
