package io.distributedid.postgresql;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.KeyedServerCrashContract;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

class KeyedServerCrashTest extends KeyedServerCrashContract {

    @Override
    protected Server start(Path home) throws IOException {
        return new OwnServer(home);
    }

    private static final class OwnServer implements Server {

        private final Path data;

        private EmbeddedPostgres running;

        OwnServer(Path data) throws IOException {
            this.data = data;
            running = builder().start();
        }

        private EmbeddedPostgres.Builder builder() {
            return EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false);
        }

        @Override
        public String url() {
            return running.getJdbcUrl("postgres", "postgres");
        }

        /** Its first process and those that it has started. */
        @Override
        public void kill() throws IOException {
            long pid = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0));
            ProcessHandle first = ProcessHandle.of(pid).orElseThrow();
            List<ProcessHandle> all =
                    Stream.concat(Stream.of(first), first.descendants()).toList();
            all.forEach(ProcessHandle::destroyForcibly);
            Await.until("PostgreSQL is gone", () -> all.stream().noneMatch(ProcessHandle::isAlive), () -> all);
        }

        @Override
        public void start() throws IOException {
            // Ends nothing but the lock of its folder.
            running.close();
            running = builder().setPort(running.getPort()).start();
        }

        @Override
        public void close() throws IOException {
            running.close();
        }
    }
}
