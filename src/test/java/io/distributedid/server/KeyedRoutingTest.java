package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers, each with some of the keys: the wrong one names the right one, and the client finds it. */
@Timeout(300)
class KeyedRoutingTest {

    private static final int KEYS = 16;

    @Test
    void theWrongServerNamesTheRightOneWhichGivesTheNumber() {
        try (KeyOwners owners = new KeyOwners("routing_named")) {
            RunningServer wrong = owners.at(0);
            String key = owners.keyOfOthers(0);
            String target = "/v1/keyed/messages/numbers?key=" + key + "&n=3";

            HttpResponse<String> answer = wrong.post(target);
            JsonObject problem = assertProblem(answer, 307, "other-server");

            String right = owners.at(1).server().url();
            assertThat(answer.headers().firstValue("location")).hasValue(right + target + "&redirects=1");
            assertThat(problem.getString("active")).isEqualTo(right);
            assertThat(problem.getString("table")).matches("[0-9]+");
            HttpRequest followed = HttpRequest.newBuilder(URI.create(problem.getString("location")))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(wrong.send(followed).body()).contains("\"key\":\"" + key + "\",\"first\":\"");
            JsonObject last = assertProblem(wrong.post(target + "&redirects=3"), 503, "standby");
            assertThat(last.getString("active")).isEqualTo(right);
        }
    }

    @Test
    void aServerWithoutAnAddressIsRefused() {
        assertThatThrownBy(() -> RunningServer.with(KeyOwners.settings("routing_refused", "ids1")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("Callers must be able to reach the server that has a key: seq=messages"
                        + " distributedid.keyed.section.address=ids1, allowed: an http or https address without a path."
                        + " Set it to the server's own, as in https://ids1:8443");
    }

    private static DistributedIds client(KeyOwners owners) {
        return DistributedIds.create(Map.of(
                "distributedid.keyed.backend",
                "remote",
                "distributedid.keyed.remote.servers",
                owners.urls(),
                "distributedid.block.timeout",
                "2m"));
    }
}
