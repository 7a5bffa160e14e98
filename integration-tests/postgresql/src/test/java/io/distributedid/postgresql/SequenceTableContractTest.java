package io.distributedid.postgresql;

import io.distributedid.testkit.SequenceTableContract;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class SequenceTableContractTest extends SequenceTableContract {

    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setServerConfig("timezone", "Pacific/Marquesas")
                .start();
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    @Override
    protected String server() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }
}
