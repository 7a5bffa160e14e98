package io.distributedid.cli;

import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.DistributedIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Stores of leases, and layouts. */
@Tag("slow")
class OnCallLeasesTest extends OnCallRows {

    private static final String EPOCH = "distributedid.snowflake.epoch=";

    @Walks("store-never-used")
    void aStoreThatWasEmptied() throws Exception {
        Path one = used(store("new", "call_a"));
        execute("call_a", "DELETE FROM distributedid");
        walk(draw(one), one, "place-workers");
    }

    @Walks("store-other-store")
    void aStoreThatWasEmptiedWhileAProcessRan() throws Exception {
        Path one = used(store("new", "call_a"));
        Throwable refused;
        try (DistributedIds running = DistributedIds.create(SettingsFile.read(one, null, Map.of()))) {
            given.add(running.next("photos"));
            execute("call_a", "DELETE FROM distributedid");
            refused = catchThrowable(() -> running.next("albums"));
        }
        walk(refused.getMessage(), one, "place-workers");
    }

    @Walks("store-lost")
    void aStoreThatHasLostARow() throws Exception {
        Path one = used(store("new", "call_a"));
        execute("call_a", "DELETE FROM distributedid WHERE name = '@worker/1'");
        walk(check(one).out(), one);
    }

    @Walks("store-lost-elsewhere")
    void aReplicaThatLacksARow() throws Exception {
        used(store("old", "call_a"));
        execute("call_a", "DELETE FROM distributedid WHERE name = '@worker/1'");
        execute("call_a", "CREATE SCHEMA replica", "CREATE TABLE replica.distributedid AS SELECT * FROM distributedid");
        start(store("new", "call_a;SCHEMA=REPLICA"));
    }

    @Walks("store-closed")
    void aCommandThatWasCutOff() throws Exception {
        Path one = used(store("new", "call_a"));
        cutOff("call_a", "init photos -Ddistributedid.snowflake.lease.window=3s", one);
        start(one);
    }

    @Walks("store-made")
    void aMoveThatWasCutOff() throws Exception {
        Path old = used(store("old", "call_a"));
        Path other = store("new", "call_b");
        execute("call_b", command("ddl", other).out().replace(";", ""));
        cutOff("call_b", "move photos --yes --from " + old, other);
        start(other);
    }

    @Walks("layout")
    void anotherLayoutWhoseIdsAreNotLarger() throws Exception {
        String layout = "distributedid.snowflake.layout=time:41, worker:9, sequence:13\n" + EPOCH;
        used(store("old", "call_a"));
        Path other = store("new", "call_a", layout + "2025-01-01T00:00:00Z");
        assertThat(draw(other)).contains("A sequence must keep its layout and epoch");
        String refused = command("change-layout photos", other).err();
        String epoch = refused.replaceAll("(?s).*Set " + EPOCH + "(\\S+) or earlier.*", "$1");
        walk(refused, store("new", "call_a", layout + epoch));
    }

    @Walks("single-use")
    void singleUseNumbersGetAnotherLayout() throws Exception {
        String single = "distributedid.snowflake.worker=single_use";
        used(store("old", "call_a", single));
        Path earlier = store("new", "call_a", single, EPOCH + "2023-01-01T00:00:00Z");
        walk(command("change-layout photos", earlier).err(), earlier);
    }

    @Walks("place-workers")
    void anotherStoreOfLeases() throws Exception {
        used(store("old", "call_a"));
        start(store("new", "call_b"));
    }

    /** With the shortest window that a busy machine keeps up with. */
    private Path store(String name, String database, String... more) throws IOException {
        return Files.writeString(
                folder.resolve(name + ".properties"), """
                distributedid.backend=snowflake
                distributedid.snowflake.worker=lease
                distributedid.snowflake.lease.server=%s
                distributedid.snowflake.lease.window=2s
                distributedid.timeout=1m
                distributedid.create_tables=true
                """.formatted(url(database)) + String.join("\n", more));
    }
}
