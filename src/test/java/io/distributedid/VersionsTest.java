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

/** The projects that {@code mvn verify} and {@code mvn -Pversions verify} run, and their versions. */
class VersionsTest {

    private static final Path PROJECTS = Path.of("integration-tests");

    private static final String MODULE = "<module>\\.\\./(\\S+)</module>";

    private static final String VERSIONS = "<id>versions</id>";

    @Test
    void theBuildOfDatabasesAndHostsHasEachFolderOfThem() throws IOException {
        String modules = Files.readString(PROJECTS.resolve("parent/pom.xml")).split(VERSIONS)[0];

        assertThat(projects("pom.xml"))
                .filteredOn(project -> project.startsWith("databases/") || project.startsWith("hosts/"))
                // Most of MySQL's tests again: a build of its own, where MySQL can't run.
                .filteredOn(project -> !project.equals("databases/mariadb"))
                .containsExactlyInAnyOrderElementsOf(found(modules, MODULE));
    }

    /** Each would run with the version that mvn verify has run already, if it were not told otherwise. */
    @Test
    void profileVersionsRunsTheProjectsThatHaveFurtherVersions() throws IOException {
        String profile = Files.readString(Path.of(".ci/pom.xml")).split("<id>(?:versions|models)</id>")[1];
        List<String> named = found(profile, "<pomInclude>(\\w+/[\\w-]+)/pom.xml</pomInclude>");

        assertThat(named).isNotEmpty().containsExactlyInAnyOrderElementsOf(projects("versions.properties"));
    }

    @Test
    void profileVersionsRunsTheModulesThatHaveFurtherVersions() throws IOException {
        List<String> with = new ArrayList<>();
        for (String project : projects("pom.xml")) {
            if (Files.readString(PROJECTS.resolve(project).resolve("pom.xml")).contains(VERSIONS)) {
                with.add(project);
            }
        }
        String modules = Files.readString(PROJECTS.resolve("parent/pom.xml")).split(VERSIONS)[1];

        assertThat(with).isNotEmpty().containsExactlyInAnyOrderElementsOf(found(modules, MODULE));
    }

    @Test
    void theMatrixRunsOnEachVersionOfItsTable() throws IOException {
        String matrix = Files.readString(PROJECTS.resolve("hosts/matrix/pom.xml"));
        List<String> run = new ArrayList<>(found(matrix, "<id>hibernate-(\\S+)</id>"));
        run.addAll(found(matrix, "<hibernate.version>(\\S+).Final</hibernate.version>"));
        run.addAll(found(
                Files.readString(PROJECTS.resolve("parent/pom.xml")),
                "<hibernate.version>(\\S+).Final</hibernate.version>"));
        run.addAll(
                found(Files.readString(PROJECTS.resolve("parent/versions.properties")), "-Dhibernate.version=(\\S+)"));
        String table = found(
                        Files.readString(Path.of("src/docs/internals/hibernate-versions.md")),
                        "\\n\\| case \\|(.*)\\| EclipseLink")
                .get(0);

        assertThat(run).containsExactlyInAnyOrder(table.strip().split(" \\| "));
    }

    /** The projects of databases, examples and hosts that have this file. */
    private static List<String> projects(String file) throws IOException {
        try (Stream<Path> files = Files.find(PROJECTS, 3, (path, attributes) -> path.endsWith(file))) {
            return files.map(path -> PROJECTS.relativize(path.getParent()))
                    .filter(project -> project.getNameCount() == 2)
                    .map(Path::toString)
                    .toList();
        }
    }

    private static List<String> found(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
