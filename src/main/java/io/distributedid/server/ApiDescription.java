package io.distributedid.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.List;

/** The description of the paths for programs and people, {@code /openapi.yaml}. */
final class ApiDescription {

    static final String FILE = "openapi.yaml";

    private static final CharSequence YAML = HttpHeaders.createOptimized("application/yaml");

    private static final int OK = 200;

    private final Buffer text = PackedFile.read(FILE);

    List<Route> routes() {
        return List.of(Route.get("/" + FILE, null, exchange -> {
            exchange.query(List.of());
            exchange.send(OK, YAML, text.copy());
        }));
    }
}
