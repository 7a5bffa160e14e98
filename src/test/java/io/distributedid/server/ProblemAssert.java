package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Optional;

/**
 * Assertions about an answer that must be a problem. One that passes says when to ask again, in whole seconds: after a
 * 429 when the quota is paid, after a 503 in a second. Others do not say so.
 */
final class ProblemAssert {

    private ProblemAssert() {}

    /** Checks the form, status and type of a problem, and returns it. */
    static JsonObject assertProblem(HttpResponse<String> answer, int status, String type) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        JsonObject problem = new JsonObject(answer.body());
        assertThat(problem.getString("type")).isEqualTo("https://distributedid.io/problems/" + type);
        assertThat(problem.getInteger("status")).isEqualTo(status);
        assertThat(problem.getString("title")).isNotBlank();
        assertThat(problem.getString("detail")).isNotBlank();
        Optional<String> retryAfter = answer.headers().firstValue("retry-after");
        switch (status) {
            case 503 -> assertThat(retryAfter).as(type).hasValue("1");
            case 429 -> assertThat(retryAfter).as(type).get().asString().matches("[1-9][0-9]*");
            default -> assertThat(retryAfter).as(type).isEmpty();
        }
        return problem;
    }
}
