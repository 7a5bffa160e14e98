package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;

/** The application as it is, on a real server. */
class PhotoApplicationTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static PhotoServer server;

    @BeforeAll
    static void start() throws IOException {
        server = PhotoServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Test
    void photosAndCommentsGetIdsAndARollbackGivesNoneAgain() {
        try (ConfigurableApplicationContext application = server.run()) {
            PhotoRepository photos = application.getBean(PhotoRepository.class);
            CommentRepository comments = application.getBean(CommentRepository.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            TransactionalOperator reactive =
                    TransactionalOperator.create(application.getBean(ReactiveTransactionManager.class));

            Photo rolledBack = transaction.execute(status -> {
                status.setRollbackOnly();
                return photos.save(new Photo("dawn"));
            });
            Photo photo = transaction.execute(status -> photos.save(new Photo("sunset")));
            Comment rolledBackToo = reactive.execute(status -> {
                        status.setRollbackOnly();
                        return comments.save(new Comment(photo.id(), "ugly"));
                    })
                    .blockLast(PATIENCE);
            Comment comment = reactive.execute(status -> comments.save(new Comment(photo.id(), "nice")))
                    .blockLast(PATIENCE);

            assertThat(photo.id()).isGreaterThan(rolledBack.id());
            assertThat(photos.findById(photo.id())).contains(photo);
            assertThat(photos.existsById(rolledBack.id())).isFalse();
            assertThat(comment.id()).isGreaterThan(rolledBackToo.id());
            assertThat(comments.findByPhotoId(photo.id()).collectList().block(PATIENCE))
                    .containsExactly(comment);
            Photo renamed = photos.save(new Photo(photo.id(), "afterglow"));
            assertThat(photos.findById(photo.id())).contains(renamed);
        }
    }

    @Test
    void manyAtOnceGetIdsAndAStopLeavesNeitherConnectionNorThread() throws SQLException, InterruptedException {
        String connections = "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'photos'";
        try (ConfigurableApplicationContext application = server.run("--distributedid.block.max-age=off")) {
            List<Photo> photos = application
                    .getBean(PhotoRepository.class)
                    .saveAll(IntStream.range(0, 500)
                            .mapToObj(i -> new Photo("photo"))
                            .toList());
            List<Comment> comments = Flux.range(0, 500)
                    .map(i -> new Comment(i, "nice"))
                    .flatMap(application.getBean(CommentRepository.class)::save, 8)
                    .collectList()
                    .block(PATIENCE);

            assertThat(photos).extracting(Photo::id).doesNotContainNull().doesNotHaveDuplicates();
            assertThat(comments).extracting(Comment::id).doesNotContainNull().doesNotHaveDuplicates();
            assertThat(application.getBean(DistributedIds.class).sequences()).containsExactly("comments", "photos");
            assertThat(server.number(connections)).isPositive();
        }
        for (int i = 0; i < 6_000 && (server.number(connections) > 0 || hasThread()); i++) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(server.number(connections)).isZero();
        assertThat(hasThread()).isFalse();
    }

    /** Two JVMs write 2,000 rows at the same time. */
    @Test
    void twoProcessesGiveNoIdTwice(@TempDir Path folder) throws IOException, InterruptedException, SQLException {
        server.run().close();
        long photos = server.number("SELECT COUNT(*) FROM photo");
        long comments = server.number("SELECT COUNT(*) FROM comment");
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                processes.add(uploader(folder.resolve("uploader" + i + ".log")));
            }
            for (int i = 0; i < 2; i++) {
                assertThat(processes.get(i).waitFor(5, TimeUnit.MINUTES)).isTrue();
                assertThat(processes.get(i).exitValue())
                        .as(Files.readString(folder.resolve("uploader" + i + ".log")))
                        .isZero();
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }

        assertThat(server.number("SELECT COUNT(DISTINCT id) FROM photo")).isEqualTo(photos + 2 * Uploader.PHOTOS);
        assertThat(server.number("SELECT COUNT(DISTINCT id) FROM comment")).isEqualTo(comments + 2 * Uploader.COMMENTS);
    }

    private static Process uploader(Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Uploader.class.getName()));
        command.addAll(server.arguments());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static boolean hasThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("distributedid-"));
    }
}
