package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.JavaProcess;
import io.distributedid.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed program starts, stops and starts again. */
class ServiceTest {

    @TempDir
    Path folder;

    private ServerProcess demo() throws IOException {
        return ServerProcess.start(
                folder,
                "-jar",
                jar().toString(),
                "--demo",
                "-Ddistributedid.server.port=0",
                "-Ddistributedid.block.max_age=off");
    }

    private static Path jar() {
        return JavaProcess.jarOf("io.distributedid.server.Main");
    }

    @Test
    void theDemonstrationGivesIdsAndGoesOnAfterARestart() throws Exception {
        Set<Long> given = new HashSet<>();
        for (int start = 0; start < 3; start++) {
            try (ServerProcess service = demo()) {
                assertThat(service.send("GET", "/health/ready").statusCode()).isEqualTo(200);
                for (long id : service.ids("demo", 1000)) {
                    assertThat(given.add(id)).as("id %d", id).isTrue();
                }
                if (start == 1) {
                    service.kill9();
                } else {
                    service.terminate();
                    assertThat(service.awaitExit()).as(service.errors()).isZero();
                }
            }
        }
        assertThat(folder.resolve("distributedid-demo.mv.db")).exists();
    }

    @Test
    void noRequestFailsAndNoIdIsLostWhenItStops() throws Exception {
        Set<Long> given = ConcurrentHashMap.newKeySet();
        CountDownLatch running = new CountDownLatch(8);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (ServerProcess service = demo()) {
            List<Future<?>> callers = IntStream.range(0, 8)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> {
                        while (callUntilItLeaves(service, given)) {
                            running.countDown();
                        }
                        return null;
                    }))
                    .toList();
            assertThat(running.await(2, TimeUnit.MINUTES)).isTrue();

            service.terminate();

            for (Future<?> caller : callers) {
                caller.get(2, TimeUnit.MINUTES);
            }
            assertThat(service.awaitExit()).as(service.errors()).isZero();
        } finally {
            threads.shutdownNow();
        }
        try (ServerProcess service = demo()) {
            assertThat(service.ids("demo", 1).get(0))
                    .isGreaterThan(
                            given.stream().mapToLong(Long::longValue).max().orElseThrow());
        }
    }

    /** Returns whether to go on: a caller leaves a server that is not ready. */
    private static boolean callUntilItLeaves(ServerProcess service, Set<Long> given)
            throws IOException, InterruptedException {
        if (service.send("GET", "/health/ready").statusCode() != 200) {
            return false;
        }
        for (long id : service.ids("demo", 3)) {
            assertThat(given.add(id)).as("id %d", id).isTrue();
        }
        return true;
    }

    @Test
    void theJarHoldsNeitherHibernateNorDriversOtherThanH2() throws IOException {
        try (JarFile jar = new JarFile(jar().toFile())) {
            assertThat(jar.stream().map(entry -> entry.getName()))
                    .contains("io/distributedid/server/openapi.yaml", "META-INF/LICENSE", "org/h2/Driver.class")
                    .noneMatch(name -> name.startsWith("org/hibernate/")
                            || name.startsWith("org/springframework/")
                            || name.startsWith("com/mysql/")
                            || name.startsWith("org/postgresql/")
                            || name.startsWith("org/mariadb/"));
            assertThat(new String(jar.getInputStream(jar.getEntry("META-INF/services/java.sql.Driver"))
                                    .readAllBytes())
                            .strip())
                    .isEqualTo("org.h2.Driver");
        }
        assertThat(Files.size(jar())).isLessThan(20_000_000);
    }
}
