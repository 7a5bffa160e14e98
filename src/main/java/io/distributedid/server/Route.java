package io.distributedid.server;

import io.vertx.core.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * A method of a path.
 *
 * @param method in upper case
 * @param path with parameters in braces, as in OpenAPI
 * @param right that the caller needs; null if everyone may call it, or the operation looks for itself
 * @param largestBody in bytes; 0 if a request may have no body
 * @param problems how they are answered
 * @param operation what it does
 */
record Route(
        HttpMethod method,
        String path,
        @Nullable Right right,
        long largestBody,
        ProblemForm problems,
        Operation operation) {

    static Route get(String path, @Nullable Right right, Operation operation) {
        return new Route(HttpMethod.GET, path, right, 0, Exchange::refuse, operation);
    }

    static Route post(String path, @Nullable Right right, Operation operation) {
        return new Route(HttpMethod.POST, path, right, 0, Exchange::refuse, operation);
    }

    /** A request may have a body of the size that the settings allow. */
    Route withBody() {
        return withBody(Long.MAX_VALUE);
    }

    /** A request may have a body of such a size, or of that in the settings if that is smaller. */
    Route withBody(long largest) {
        return new Route(method, path, right, largest, problems, operation);
    }

    Route withProblems(ProblemForm form) {
        return new Route(method, path, right, largestBody, form, operation);
    }
}
