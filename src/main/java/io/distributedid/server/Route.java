package io.distributedid.server;

import io.vertx.core.http.HttpMethod;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A method of a path.
 *
 * @param method in upper case
 * @param path with parameters in braces, as in OpenAPI
 * @param rights of which the caller needs one; none if everyone may call it, or the operation looks for itself
 * @param largestBody in bytes; 0 if a request may have no body
 * @param problems how they are answered
 * @param operation what it does
 */
record Route(
        HttpMethod method,
        String path,
        Set<Right> rights,
        long largestBody,
        ProblemForm problems,
        Operation operation) {

    static Route get(String path, @Nullable Right right, Operation operation) {
        return new Route(HttpMethod.GET, path, setOf(right), 0, Exchange::refuse, operation);
    }

    static Route post(String path, @Nullable Right right, Operation operation) {
        return new Route(HttpMethod.POST, path, setOf(right), 0, Exchange::refuse, operation);
    }

    private static Set<Right> setOf(@Nullable Right right) {
        return right == null ? Set.of() : EnumSet.of(right);
    }

    /** Another right suffices too. */
    Route or(Right other) {
        Set<Right> either = EnumSet.of(other);
        either.addAll(rights);
        return new Route(method, path, either, largestBody, problems, operation);
    }

    /** A request may have a body of the size that the settings allow. */
    Route withBody() {
        return withBody(Long.MAX_VALUE);
    }

    /** A request may have a body of such a size, or of that in the settings if that is smaller. */
    Route withBody(long largest) {
        return new Route(method, path, rights, largest, problems, operation);
    }

    Route withProblems(ProblemForm form) {
        return new Route(method, path, rights, largestBody, form, operation);
    }
}
