package io.distributedid.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The files that are packed with this package. */
final class PackedFile {

    private PackedFile() {}

    /** @param name relative to the folder of this package */
    static Buffer read(String name) {
        try (InputStream file = PackedFile.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("The jar is not complete: " + name + " is missing");
            }
            return Buffer.buffer(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shows a file to everyone. */
    static Route route(String name, String type) {
        Buffer content = read(name);
        CharSequence header = HttpHeaders.createOptimized(type);
        return Route.get("/" + name, null, exchange -> {
            exchange.query(List.of());
            exchange.send(200, header, content.copy());
        });
    }
}
