package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CapacityStatistics;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceStatistics;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.IssuingServer;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A service whose ids hold the time. */
class ComposedIdsTest {

    private static final String EPOCH = "2024-01-01T00:00:00Z";

    private final DistributedIds behind = DistributedIds.create(
            Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "1019"));

    private final IssuingServer server =
            IssuingServer.start(behind).layout("time(ms):41, worker:10, sequence:12", EPOCH);

    private final DistributedIds ids = RemoteClients.client(server.url());

    private final GivenIds given = new GivenIds();

    @AfterEach
    void stop() {
        ids.close();
        server.close();
        behind.close();
        given.assertNoneTwice();
    }

    @Test
    void idsAreDecodedByTheLayoutOfTheService() {
        given.take(ids, 1_000);
        long id = ids.next("photos");
        int before = server.requests().size();

        assertThat(ids.decode("photos", id)).isEqualTo(behind.decode("photos", id));
        assertThat(ids.decode("photos", id).field("worker")).isEqualTo(1019);
        assertThat(ids.time("photos")).isEqualTo(behind.time("photos"));
        assertThat(server.requests().stream().skip(before)).noneMatch(request -> request.contains("/ids/"));
        assertThat(ids.statistics("photos")
                        .flatMap(SequenceStatistics::capacity)
                        .flatMap(CapacityStatistics::until))
                .contains(behind.time("photos").end());
    }

    @Test
    void theTimeIsKnownWithoutOpeningTheSequence() {
        assertThat(ids.time("photos").epoch()).isEqualTo(Instant.parse(EPOCH));
        assertThat(server.requestsForIds()).isEmpty();
    }

    /** A newer service may have fields that this version does not know. */
    @Test
    void aLayoutThatIsNotKnownIsLeftToTheService() {
        server.layout("time(ms):41, rack:10, sequence:12", EPOCH);
        long id = ids.next("photos");

        assertThat(ids.decode("photos", id).fields())
                .isEqualTo(behind.decode("photos", id).fields());
        assertThatThrownBy(() -> ids.time("photos")).isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void idsThatDoNotFitAnIntegerAreRefusedWhenTheSequenceIsOpened() {
        assertThatThrownBy(() -> ids.sequence("photos", Integer.MAX_VALUE, "Photo.id"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "The ids of a layout must fit: sequence 'photos' (Photo.id) stores up to 2147483647");
    }

    @Test
    void anExistingIdOfTheFutureIsRefused() {
        ids.sequence("photos");
        long future = behind.time("photos").floor(Instant.now().plusSeconds(86_400));

        assertThatThrownBy(() -> ids.admin().requireAbove("photos", future))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(String.valueOf(future));
        given.take(ids, 10);
    }
}
