package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The versions that the integration tests run with, in {@code mvn verify} and in {@code mvn -Pversions verify}. */
class VersionsTest {

    private static final Path PROJECTS = Path.of("integration-tests");

    /** Invoker runs a project without the file with no version, so that it must be told which have one. */
    @Test
    void profileVersionsRunsTheProjectsThatHaveFurtherVersions() throws IOException {
        List<String> named = included(1);

        try (Stream<Path> files = Files.find(PROJECTS, 3, (path, attributes) -> path.endsWith("versions.properties"))) {
            assertThat(files.map(file -> PROJECTS.relativize(file.getParent()).toString()))
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(named);
        }
    }

    @Test
    void theProjectsThatStartFirstExist() throws IOException {
        assertThat(included(0))
                .isNotEmpty()
                .allSatisfy(project ->
                        assertThat(PROJECTS.resolve(project).resolve("pom.xml")).exists());
    }

    /** The projects that the pom names alone: 0 without a profile, 1 with profile versions. */
    private static List<String> included(int place) throws IOException {
        String[] parts = Files.readString(Path.of("pom.xml")).split("<id>(?:versions|models)</id>");
        return found(parts[place], "<pomInclude>(\\w+/[\\w-]+)/pom.xml</pomInclude>");
    }

    @Test
    void theMatrixRunsOnEachVersionOfItsTable() throws IOException {
        Path matrix = PROJECTS.resolve("hosts/matrix");
        List<String> run = new ArrayList<>();
        for (String file : List.of("invoker.properties", "versions.properties")) {
            run.addAll(found(matrix.resolve(file), "-Dhibernate.version=(\\S+)"));
        }
        String table = found(Path.of("src/docs/hibernate-versions.md"), "\\n\\| case \\|(.*)\\| EclipseLink")
                .get(0);

        assertThat(run.stream().map(version -> version.replace(".Final", "")))
                .containsExactlyInAnyOrder(table.strip().split(" \\| "));
    }

    private static List<String> found(Path file, String pattern) throws IOException {
        return found(Files.readString(file), pattern);
    }

    private static List<String> found(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
