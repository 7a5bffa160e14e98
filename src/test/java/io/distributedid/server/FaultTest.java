package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdUnavailableException;
import io.distributedid.server.ScriptedBackendProvider.Script;
import io.distributedid.testkit.LoggedWarnings;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A fault of the program, or what a database writes, shows callers nothing of the inside. The log has it all. */
class FaultTest {

    private static final String FIXED = "The log of the server says more. The request may be repeated";

    private static RunningServer server(String sequence) {
        return RunningServer.with(Map.of("backend", ScriptedBackendProvider.NAME, "server.sequences", sequence));
    }

    private static void assertNothingOfTheInside(HttpResponse<String> answer) {
        assertThat(answer.body())
                .doesNotContain("Exception", "Error:", "java.", "io.", "\tat ", " at ", ".java", "the inside");
    }

    private static void assertInternal(HttpResponse<String> answer) {
        assertThat(assertProblem(answer, 500, "internal").getString("detail")).isEqualTo(FIXED);
        assertNothingOfTheInside(answer);
    }

    @Test
    void aFaultIsAnsweredWithAFixedTextAndLoggedWithItsTrace() {
        Script script = ScriptedBackendProvider.script("fault_everywhere");
        try (RunningServer server = server("fault_everywhere");
                LoggedWarnings log = LoggedWarnings.of(PublicText.class)) {
            Error fault = new StackOverflowError("java.lang.Object of the inside");
            script.fault = fault;

            assertInternal(server.post("/v1/sequences/fault_everywhere/ids"));
            assertInternal(server.get("/v1/sequences/fault_everywhere/ids/5"));
            assertInternal(server.get("/v1/sequences/fault_everywhere"));
            assertInternal(server.post("/v1/sequences/fault_everywhere/above", "{\"existing\":[\"5\"]}"));

            assertThat(log.messages()).containsOnly("A request failed").hasSize(4);
            assertThat(log.thrown()).containsOnly(fault).hasSize(4);
            script.fault = null;
            script.memory.set(1);
            assertThat(server.ids("fault_everywhere", 1)).containsExactly(1L);
        }
    }

    @Test
    void aFaultOfAThreadThatWaitsIsAnsweredAndLoggedToo() {
        Script script = ScriptedBackendProvider.script("fault_waiting");
        try (RunningServer server = server("fault_waiting");
                LoggedWarnings log = LoggedWarnings.of(PublicText.class)) {
            script.permits.release(2);
            script.failure = new IllegalStateException("the inside");
            assertInternal(server.post("/v1/sequences/fault_waiting/ids"));
            assertThat(log.thrown()).containsExactly(script.failure);

            script.failure = null;
            script.error = new NoClassDefFoundError("the/inside/Driver");
            assertInternal(server.post("/v1/sequences/fault_waiting/blocks"));
            assertThat(log.thrown()).endsWith(script.error);
        }
    }

    /** The clients of other products read no problems. */
    @Test
    void clientsOfLeafAndTinyIdSeeNothingOfItEither() {
        Script script = ScriptedBackendProvider.script("fault_others");
        try (RunningServer server = server("fault_others");
                LoggedWarnings log = LoggedWarnings.of(PublicText.class)) {
            script.fault = new StackOverflowError("the inside");

            JsonObject leaf =
                    new JsonObject(server.get("/api/segment/get/fault_others").body());
            assertThat(leaf.getString("detail")).isEqualTo(FIXED);
            assertThat(leaf.getString("message")).isEqualTo("Result{id=-3, status=EXCEPTION}");
            assertThat(server.get("/tinyid/id/nextId?bizType=fault_others").body())
                    .isEqualTo("{\"data\":null,\"code\":6,\"message\":\"" + FIXED + "\"}");
            HttpResponse<String> form = server.send(server.request("/tinyid/id/nextId")
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString("bizType=fault_others"))
                    .build());
            assertThat(form.body()).isEqualTo("{\"data\":null,\"code\":6,\"message\":\"" + FIXED + "\"}");
            HttpResponse<String> simple = server.get("/tinyid/id/nextIdSimple?bizType=fault_others");
            assertThat(simple.body()).isEmpty();
            assertThat(simple.headers().firstValue("x-problem")).hasValue("https://distributedid.io/problems/internal");

            assertThat(log.thrown()).containsOnly(script.fault).hasSize(4);
        }
    }

    @Test
    void whatADatabaseWritesIsCutToItsMessage() {
        Script script = ScriptedBackendProvider.script("fault_database");
        script.refusal = new IdUnavailableException("t1 said: java.net.ConnectException: Connection refused\n"
                + "\tat java.base/sun.nio.ch.Net.connect0(Native Method)\n");
        try (RunningServer server = server("fault_database")) {
            for (HttpResponse<String> answer : List.of(
                    server.post("/v1/sequences/fault_database/ids"),
                    server.get("/v1/sequences/fault_database"),
                    server.get("/health/ready"),
                    server.get("/v1/status"))) {
                assertThat(answer.body()).contains("t1 said: Connection refused\"");
                assertNothingOfTheInside(answer);
            }
        }
    }

    @Test
    void anExceptionWithoutAMessageIsNotNamed() {
        Script script = ScriptedBackendProvider.script("fault_silent");
        try (RunningServer server = server("fault_silent")) {
            for (String message : new String[] {null, "", "\tat io.x.Y.run(Y.java:5)"}) {
                script.permits.release(1);
                script.failure = new IdUnavailableException(message);

                HttpResponse<String> answer = server.post("/v1/sequences/fault_silent/ids");

                assertThat(assertProblem(answer, 503, "unavailable").getString("detail"))
                        .isEqualTo("There is no message. " + FIXED);
            }
        }
    }
}
