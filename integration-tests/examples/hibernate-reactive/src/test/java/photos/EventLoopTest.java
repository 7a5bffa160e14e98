package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.StartedServers;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.cfg.Configuration;
import org.hibernate.reactive.provider.ReactiveServiceRegistryBuilder;
import org.hibernate.reactive.stage.Stage;
import org.hibernate.reactive.vertx.VertxInstance;
import org.hibernate.reactive.vertx.impl.ProvidedVertxInstance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server of ids is slow, stands still, and is killed, while two event loops insert rows into another database.
 * Blocks are small, so that callers often find no id in memory.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Needs(Need.MYSQL)
class EventLoopTest {

    private static final int CALLERS = 40;

    private EmbeddedPostgres database;

    private MySqlServer ids;

    private Vertx vertx;

    private StandardServiceRegistry registry;

    private Stage.SessionFactory sessions;

    private LoopWatch watch;

    @BeforeAll
    void startServers(@TempDir Path folder) throws IOException {
        ids = MySqlServer.start(folder.resolve("mysql"));
        database = StartedServers.add(EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "off")
                .start());
    }

    @BeforeEach
    void open() {
        watch = new LoopWatch();
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(2)
                .setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
                .setMaxEventLoopExecuteTime(LoopWatch.LONGEST_MILLIS)
                .setWarningExceptionTimeUnit(TimeUnit.MILLISECONDS)
                .setWarningExceptionTime(LoopWatch.LONGEST_MILLIS)
                .setBlockedThreadCheckInterval(LoopWatch.LONGEST_MILLIS / 4));
        sessions = open(Map.of());
    }

    private Stage.SessionFactory open(Map<String, String> more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("jakarta.persistence.jdbc.url", "jdbc:postgresql://localhost:" + database.getPort() + "/postgres");
        settings.put("jakarta.persistence.jdbc.user", "postgres");
        settings.put("hibernate.hbm2ddl.auto", "update");
        settings.put("hibernate.connection.pool_size", 20);
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", ids.jdbcUrl("tickets"));
        settings.put("distributedid.create_tables", "true");
        settings.put("distributedid.block.min", 16);
        settings.put("distributedid.block.max", 16);
        settings.put("distributedid.block.timeout", "1s");
        settings.putAll(more);
        registry = new ReactiveServiceRegistryBuilder()
                .applySettings(settings)
                .addService(VertxInstance.class, new ProvidedVertxInstance(vertx))
                .build();
        return new Configuration()
                .addAnnotatedClass(Album.class)
                .addAnnotatedClass(Photo.class)
                .buildSessionFactory(registry)
                .unwrap(Stage.SessionFactory.class);
    }

    private void reopen(Map<String, String> more) {
        sessions.close();
        registry.close();
        sessions = open(more);
    }

    @AfterEach
    void close() {
        sessions.close();
        registry.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        watch.close();
    }

    /** One that inserts three rows: two ids, and a number at the flush. */
    private CompletionStage<Album> upload() {
        Album album = new Album("holidays");
        Photo photo = album.add(new Photo("sunset"));
        return sessions.withTransaction(session -> session.persist(album)).thenApply(none -> {
            assertThat(photo.number).isPositive();
            return album;
        });
    }

    private List<CompletableFuture<Album>> uploads() {
        return IntStream.range(0, CALLERS)
                .mapToObj(i -> upload().toCompletableFuture())
                .toList();
    }

    private static Set<Long> idsOf(List<CompletableFuture<Album>> uploads) {
        Set<Long> all = new HashSet<>();
        for (CompletableFuture<Album> each : uploads) {
            assertThat(all.add(ReactiveContract.get(each).id)).as("new").isTrue();
        }
        return all;
    }

    @Test
    void noEventLoopWaitsForASlowServer() {
        reopen(Map.of("distributedid.block.timeout", "1m"));
        Set<Long> all = new HashSet<>(idsOf(uploads()));
        for (int round = 0; round < 2; round++) {
            ids.pause();
            List<CompletableFuture<Album>> uploads = uploads();
            Await.until("a thread waits for ids", () -> LoopWatch.waitingThreads() > 0);
            watch.lookAgain();
            ids.resume();
            all.addAll(idsOf(uploads));
        }
        assertThat(all).hasSize(3 * CALLERS);
        watch.requireUnblocked();
    }

    /** The callers get an error, and others get ids as soon as the server is there again. */
    @Test
    void noEventLoopWaitsForAServerThatStandsStill() {
        Set<Long> all = new HashSet<>(idsOf(uploads()));
        ids.pause();
        List<Throwable> failures = failures();
        ids.resume();
        Await.until(
                "the server gives ids again",
                () -> catchThrowable(() -> all.addAll(idsOf(List.of(upload().toCompletableFuture())))) == null);
        all.addAll(idsOf(uploads()));
        assertThat(failures).isNotEmpty().allSatisfy(EventLoopTest::isUnavailable);
        watch.requireUnblocked();
    }

    /** With the opening put off, the first session opens the sequences. */
    @Test
    void noEventLoopWaitsForTheOpening() {
        reopen(Map.of("distributedid.open", "lazy", "distributedid.block.timeout", "1m"));
        ids.pause();
        CompletableFuture<Album> first = upload().toCompletableFuture();
        Await.until("a thread opens the sequence", () -> LoopWatch.waitingThreads() > 0);
        watch.lookAgain();
        assertThat(first).isNotDone();
        ids.resume();
        assertThat(ReactiveContract.get(first).id).isPositive();
        watch.requireUnblocked();
    }

    /** Until each of many callers at once fails: ids that are in memory are used first. */
    private List<Throwable> failures() {
        List<Throwable> failures = new ArrayList<>();
        Await.until("ids run out", () -> {
            int before = failures.size();
            for (CompletableFuture<Album> each : uploads()) {
                Throwable failure = catchThrowable(() -> ReactiveContract.get(each));
                if (failure != null) {
                    failures.add(failure);
                }
            }
            return failures.size() - before == CALLERS;
        });
        return failures;
    }

    private static void isUnavailable(Throwable failure) {
        assertThat(ReactiveContract.ours(failure))
                .as("%s", failure)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("No id");
    }
}
