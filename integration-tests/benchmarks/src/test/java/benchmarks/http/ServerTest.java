package benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ServerTest {

    @Test
    void itIsKnownByThePortThatItSaysAndByItsProcess() throws Exception {
        ProcessHandle process;
        try (Server server = Server.start(command("4711"))) {
            Target target = server.target();
            process = ProcessHandle.of(target.pid()).orElseThrow();

            assertThat(server.url()).isEqualTo("http://127.0.0.1:4711");
            assertThat(Target.of(target.text())).isEqualTo(target);
            assertThat(target.cpu()).isPositive().isLessThan(Duration.ofMinutes(2));
        }
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void itsFolderIsDeletedWithIt() throws Exception {
        Path folder;
        try (Server server = Server.start(command("4711"))) {
            folder = Path.of(folderOf(server.target().pid()));
            assertThat(folder.resolve("some/file")).exists();
        }
        assertThat(folder).doesNotExist();
    }

    @Test
    void aProgramThatEndsAtItsStartIsAnError() {
        assertThatThrownBy(() -> Server.start(command("none")))
                .hasMessageStartingWith("A server did not start")
                .hasRootCauseMessage("It ended and did not say where it listens");
    }

    /** As Linux knows it. */
    private static String folderOf(long pid) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                .toString();
    }

    private static List<String> command(String port) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Silent.class.getName(),
                port);
    }

    /** Writes a file, says where it listens, and does nothing else. */
    static final class Silent {

        public static void main(String[] args) throws Exception {
            Files.writeString(Files.createDirectory(Path.of("some")).resolve("file"), "text");
            if (!args[0].equals("none")) {
                System.out.println("The server listens at http://127.0.0.1:" + args[0]);
                Thread.currentThread().join();
            }
        }
    }
}
