package io.distributedid.server;

import io.vertx.core.http.HttpMethod;

/**
 * A method of a path.
 *
 * @param method in upper case
 * @param path with parameters in braces, as in OpenAPI
 * @param takesBody whether a request may have a body
 * @param operation what it does
 */
record Route(HttpMethod method, String path, boolean takesBody, Operation operation) {

    static Route get(String path, Operation operation) {
        return new Route(HttpMethod.GET, path, false, operation);
    }

    static Route post(String path, Operation operation) {
        return new Route(HttpMethod.POST, path, false, operation);
    }

    static Route postBody(String path, Operation operation) {
        return new Route(HttpMethod.POST, path, true, operation);
    }
}
