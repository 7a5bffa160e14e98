package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;

/** Assertions about an answer that must be a problem. */
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
        return problem;
    }
}
