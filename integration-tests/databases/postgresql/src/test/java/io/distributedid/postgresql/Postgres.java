package io.distributedid.postgresql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** The server of these tests, started when it is first needed and stopped with the JVM. */
public final class Postgres {

    private static final EmbeddedPostgres SERVER = start();

    private Postgres() {}

    public static String url() {
        return url("postgres");
    }

    public static String url(String database) {
        return SERVER.getJdbcUrl("postgres", database);
    }

    private static EmbeddedPostgres start() {
        try {
            // Hostile on purpose: no time of the server's may get into an id.
            return EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .setServerConfig("timezone", "Pacific/Marquesas")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
