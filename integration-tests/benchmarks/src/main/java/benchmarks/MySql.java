package benchmarks;

import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A real MySQL 8.0 server on the loopback address, durable ({@code sync_binlog=1},
 * {@code innodb_flush_log_at_trx_commit=1}), with a redo log that does not fill up during a measurement. Deleted when
 * closed.
 */
public final class MySql implements AutoCloseable {

    private final MySqlServer server;

    private MySql(MySqlServer server) {
        this.server = server;
    }

    /** Starts one, with more options if need be. */
    public static MySql start(String... options) throws IOException {
        String[] all = Stream.concat(
                        Stream.of("--innodb-buffer-pool-size=256M", "--innodb-redo-log-capacity=512M"),
                        Stream.of(options))
                .toArray(String[]::new);
        return new MySql(MySqlServer.start(Files.createTempDirectory("benchmarks-mysql"), all));
    }

    /** Starts one of two ticket servers; {@code offset} is 1 or 2. */
    public static MySql startOfPair(int offset) throws IOException {
        return start("--auto-increment-increment=2", "--auto-increment-offset=" + offset);
    }

    /** The URL of a schema, created at its first use. */
    public String url(String schema) {
        return server.jdbcUrl(schema) + "&rewriteBatchedStatements=true";
    }

    /** Where it listens. */
    public int port() {
        return server.port();
    }

    /** Processor time of its process since it was started. */
    public Duration cpu() {
        return ProcessHandle.of(server.pid())
                .orElseThrow()
                .info()
                .totalCpuDuration()
                .orElseThrow();
    }

    @Override
    public void close() {
        server.close();
    }
}
