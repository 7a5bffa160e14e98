package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.service.ServiceServer;
import java.net.http.HttpRequest;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer repeats the id of its request, by which clients notice one that a cache has kept for another request. */
@Timeout(120)
class KeptAnswersTest {

    private static final RunningServer SERVER =
            RunningServer.with(Map.of("backend", "memory", "server.sequences", "photos"));

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/sequences/photos/ids", "/v1/sequences/photos", "/v1/sequences/phots/ids", "/other"})
    void everyAnswerRepeatsTheIdOfItsRequest(String path) {
        assertThat(repeated(path, "3f2a-B7")).containsExactly("3f2a-B7");
        assertThat(SERVER.post(path).headers().allValues(ServiceServer.REQUEST_ID))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a b", "<a>", "a,b", "12345678901234567890123456789012345678901234567890123456789012345"})
    void noOtherTextIsRepeated(String id) {
        assertThat(repeated("/v1/sequences/photos/ids", id)).isEmpty();
    }

    private Iterable<String> repeated(String path, String id) {
        HttpRequest request = SERVER.request(path)
                .header(ServiceServer.REQUEST_ID, id)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return SERVER.send(request).headers().allValues(ServiceServer.REQUEST_ID);
    }
}
