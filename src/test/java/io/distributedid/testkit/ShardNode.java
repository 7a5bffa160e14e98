package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.ShardedIdSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A process that takes ids for rows of many shards, in any order of the shards, and writes down what it got and when.
 */
final class ShardNode implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 300;

    /** Ids that the row's own database is asked for at once. */
    private static final int BATCH = 50;

    /**
     * An id.
     *
     * @param shard it was asked for
     * @param before the clock when it was asked for, in milliseconds
     * @param after the clock when it was there
     */
    record Taken(long shard, long id, long before, long after) {

        private static final int BYTES = 4 * Long.BYTES;

        private static Taken read(ByteBuffer bytes) {
            return new Taken(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
        }

        private void write(ByteBuffer bytes) {
            bytes.putLong(shard).putLong(id).putLong(before).putLong(after);
        }
    }

    private final Process process;

    private final Path file;

    private final Path errors;

    private ShardNode(Process process, Path file, Path errors) {
        this.process = process;
        this.file = file;
        this.errors = errors;
    }

    /**
     * Starts it.
     *
     * @param url of the database that makes the ids, with a schema for each shard, {@code shard_7}; empty if it makes
     *     none
     */
    static ShardNode start(Path folder, Map<String, String> settings, String url, int shards, int ids, long seed)
            throws IOException {
        Path file = Files.createTempFile(folder, "shard", ".ids");
        Path errors = Files.createTempFile(folder, "shard", ".err");
        Process process = JavaProcess.of(
                        "256m", ShardNode.class, PatientSettings.of(settings), url, shards, ids, seed, file)
                .redirectError(errors.toFile())
                .start();
        return new ShardNode(process, file, errors);
    }

    /** Waits for its end. */
    List<Taken> taken() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw JavaProcess.failure(process, errors);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        List<Taken> all = new ArrayList<>(bytes.capacity() / Taken.BYTES);
        while (bytes.hasRemaining()) {
            all.add(Taken.read(bytes));
        }
        return all;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] args) throws Exception {
        int shards = Integer.parseInt(args[2]);
        int count = Integer.parseInt(args[3]);
        Random random = new Random(Long.parseLong(args[4]));
        ByteBuffer bytes = ByteBuffer.allocate(count * Taken.BYTES);
        try (DistributedIds ids = DistributedIds.create(JavaProcess.settings(args[0]));
                Connection connection = args[1].isEmpty() ? null : DriverManager.getConnection(args[1])) {
            IdSource source = ids.sequence("rows");
            while (bytes.hasRemaining()) {
                take(source, connection, random.nextInt(shards), count - bytes.position() / Taken.BYTES)
                        .forEach(taken -> taken.write(bytes));
            }
        }
        Files.write(Path.of(args[5]), bytes.array());
    }

    private static List<Taken> take(IdSource source, Connection connection, int shard, int most) throws SQLException {
        InstantSource clock = InstantSource.system();
        long before = clock.millis();
        if (source instanceof ConnectionIdSource database) {
            connection.setSchema("shard_" + shard);
            List<Taken> batch = new ArrayList<>();
            for (long id : database.next(connection, Math.min(BATCH, most))) {
                batch.add(new Taken(shard, id, before, clock.millis()));
            }
            return batch;
        }
        return List.of(new Taken(shard, ((ShardedIdSource) source).next(shard), before, clock.millis()));
    }
}
