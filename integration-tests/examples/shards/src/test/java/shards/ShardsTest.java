package shards;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sixteen logical shards on two real servers; one of them moves while photos are uploaded to all the others. */
class ShardsTest {

    private static final Shard MOVED = new Shard(5);

    private static final int OLD = 0;

    private static final int NEW = 1;

    private static final int WRITERS = 3;

    private final List<EmbeddedPostgres> servers = new ArrayList<>();

    private final List<HikariDataSource> pools = new ArrayList<>();

    private Directory directory;

    private PhotoSite site;

    private final Collection<Long> uploaded = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() throws IOException, SQLException {
        for (int server = 0; server < 2; server++) {
            servers.add(EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .setServerConfig("fsync", "off")
                    .start());
        }
        for (EmbeddedPostgres server : servers) {
            HikariDataSource pool = new HikariDataSource();
            pool.setDataSource(server.getPostgresDatabase());
            pools.add(pool);
        }
        directory = new Directory(pools);
        for (int number = 0; number < Shard.COUNT; number++) {
            Shard shard = new Shard(number);
            directory.place(shard, number < 8 ? OLD : NEW);
            try (Connection connection =
                    directory.server(directory.serverOf(shard)).getConnection()) {
                ShardSchema.create(connection, shard);
            }
        }
        site = new PhotoSite(directory);
    }

    @AfterEach
    void stop() throws IOException {
        if (site != null) {
            site.close();
        }
        pools.forEach(HikariDataSource::close);
        for (EmbeddedPostgres server : servers) {
            server.close();
        }
    }

    @Test
    void aShardMovesWhileTheOthersGoOn() throws Exception {
        for (long user = 0; user < 320; user++) {
            upload(user);
        }
        Set<Long> before = ids(OLD, MOVED.schema());
        assertThat(before)
                .isNotEmpty()
                .allSatisfy(id -> assertThat(site.shardOf(id)).isEqualTo(MOVED));

        AtomicBoolean enough = new AtomicBoolean();
        CountDownLatch elsewhere = new CountDownLatch(300);
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS + 1);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                long first = writer;
                running.add(writers.submit(() -> write(first, enough, elsewhere)));
            }
            running.add(writers.submit(() -> writeBySql(new Shard(6), enough)));
            ShardMove.move(directory, MOVED, NEW, () -> await(elsewhere));
            enough.set(true);
            for (Future<?> each : running) {
                each.get(120, TimeUnit.SECONDS);
            }
        } finally {
            enough.set(true);
            writers.shutdown();
        }
        upload(MOVED.number());

        Set<Long> after = ids(NEW, MOVED.schema());
        assertThat(after).containsAll(before).hasSizeGreaterThan(before.size());
        after.removeAll(before);
        long last = before.stream().mapToLong(Long::longValue).max().orElseThrow();
        assertThat(after).allSatisfy(id -> assertThat(id).isGreaterThan(last));
        assertThat(uploaded).doesNotHaveDuplicates().hasSizeGreaterThan(600);
        assertThat(uploaded).allSatisfy(id -> {
            Photo photo = site.find(id);
            assertThat(photo).isNotNull();
            assertThat(site.shardOf(id)).isEqualTo(Shard.ofUser(photo.userId()));
        });
    }

    /** Uploads for users of all shards; those of the one that moves wait until it is there. */
    private void write(long first, AtomicBoolean enough, CountDownLatch elsewhere) {
        for (long user = first; !enough.get(); user += WRITERS) {
            Shard shard = Shard.ofUser(user);
            if (shard.equals(MOVED) && elsewhere.getCount() > 0) {
                continue;
            }
            upload(user);
            if (!shard.equals(MOVED)) {
                elsewhere.countDown();
            }
        }
    }

    private void upload(long user) {
        Photo[] photos = {new Photo(user, "sunrise"), new Photo(user, "sunset")};
        site.upload(user, photos);
        for (Photo photo : photos) {
            uploaded.add(photo.id());
        }
    }

    /** Without Hibernate, as a nightly job of somebody else's would. */
    private void writeBySql(Shard shard, AtomicBoolean enough) {
        try (Connection connection = directory.connect(shard);
                Statement statement = connection.createStatement()) {
            while (!enough.get()) {
                read(
                        statement,
                        "INSERT INTO photo (user_id, title) VALUES (" + shard.number() + ", 'by SQL') RETURNING id",
                        uploaded::add);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(120, TimeUnit.SECONDS))
                    .as(latch.getCount() + " uploads to other shards are missing")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Set<Long> ids(int server, String schema) throws SQLException {
        Set<Long> ids = new HashSet<>();
        try (Connection connection = directory.server(server).getConnection();
                Statement statement = connection.createStatement()) {
            read(statement, "SELECT id FROM " + schema + ".photo", ids::add);
        }
        return ids;
    }

    private static void read(Statement statement, String sql, LongConsumer consumer) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                consumer.accept(row.getLong(1));
            }
        }
    }
}
