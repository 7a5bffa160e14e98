package io.distributedid.server;

import io.vertx.core.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * A method of a path.
 *
 * @param method in upper case
 * @param path with parameters in braces, as in OpenAPI
 * @param right that the caller needs; null if everyone may call it, or the operation looks for itself
 * @param takesBody whether a request may have a body
 * @param operation what it does
 */
record Route(HttpMethod method, String path, @Nullable Right right, boolean takesBody, Operation operation) {

    static Route get(String path, @Nullable Right right, Operation operation) {
        return new Route(HttpMethod.GET, path, right, false, operation);
    }

    static Route post(String path, @Nullable Right right, Operation operation) {
        return new Route(HttpMethod.POST, path, right, false, operation);
    }

    Route withBody() {
        return new Route(method, path, right, true, operation);
    }
}
