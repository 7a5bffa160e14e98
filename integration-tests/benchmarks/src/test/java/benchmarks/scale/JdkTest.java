package benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {

    @TempDir
    private Path empty;

    @Test
    void aJdkSaysItsVersion() throws IOException {
        assertThat(Jdk.version(Path.of(System.getProperty("java.home"))))
                .isEqualTo(Runtime.version().feature());
    }

    @Test
    void aFolderWithoutJavaHasNone() throws IOException {
        assertThat(Jdk.version(empty)).isZero();
    }
}
