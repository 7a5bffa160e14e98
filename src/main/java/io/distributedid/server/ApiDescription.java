package io.distributedid.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The description of the paths for programs and people, {@code /openapi.yaml}. */
final class ApiDescription {

    static final String FILE = "openapi.yaml";

    private static final CharSequence YAML = HttpHeaders.createOptimized("application/yaml");

    private static final int OK = 200;

    private final Buffer text;

    ApiDescription() {
        try (InputStream file = ApiDescription.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException("The jar is not complete: " + FILE + " is missing");
            }
            text = Buffer.buffer(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Route> routes() {
        return List.of(Route.get("/" + FILE, null, exchange -> {
            exchange.query(List.of());
            exchange.send(OK, YAML, text.copy());
        }));
    }
}
