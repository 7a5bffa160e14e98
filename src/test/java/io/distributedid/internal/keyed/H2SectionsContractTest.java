package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.KeyedSequence;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SectionsContract;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class H2SectionsContractTest extends SectionsContract {

    private static H2Servers servers;

    @BeforeAll
    static void start() throws SQLException {
        servers = H2Servers.start();
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @Override
    protected String url(String name) {
        return servers.url(name);
    }

    @Test
    void whenMemoryIsUsedUpKeysAreForgottenAndTheirNumbersGoOnAbove() {
        Map<String, Object> settings = Map.of(
                "distributedid.keyed.backend",
                "section",
                "distributedid.keyed.section.store",
                servers.url("memory"),
                "distributedid.keyed.section.address",
                "a",
                "distributedid.keyed.section.lease",
                "1m",
                "distributedid.keyed.section.memory",
                1 << 20,
                "distributedid.keyed.section.sections",
                4,
                "distributedid.timeout",
                "25s",
                "distributedid.create_tables",
                true);
        try (DistributedIds ids =
                DistributedIds.builder().settings(settings).asService().build()) {
            KeyedSequence messages = ids.keyed("messages");
            long last = messages.next(7);
            boolean jumped = false;
            for (int i = 0; i < 300_000; i++) {
                messages.next("key " + i);
                if (i % 1000 == 0) {
                    long number = messages.next(7);
                    assertThat(number).isGreaterThan(last);
                    jumped |= number > last + 1;
                    last = number;
                }
            }
            assertThat(jumped).isTrue();
        }
    }
}
