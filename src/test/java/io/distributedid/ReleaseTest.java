package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a release rests on is up to date. */
class ReleaseTest {

    /** Else a release could break a package without notice. */
    @Test
    void theApiThatIsComparedWithTheLastReleaseIsWhatTheModuleExports() throws IOException {
        List<String> exported = found("src/main/java/module-info.java", "exports ([\\w.]+);");

        assertThat(exported).isNotEmpty();
        assertThat(found(".ci/pom.xml", "<include>(io\\.distributedid[\\w.]*)</include>"))
                .containsExactlyInAnyOrderElementsOf(exported);
    }

    private static List<String> found(String file, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(Path.of(file)))
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
