package io.distributedid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.H2Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings from Spring Boot's files. */
class SpringSettingsTest {

    private static final Map<String, String> ENVIRONMENT = Map.of("DB_PASSWORD", "a$1\\b", "PORT", "3306");

    @TempDir
    Path folder;

    private Map<String, Object> read(String name, String text) throws IOException {
        return SettingsFile.read(write(name, text), null, ENVIRONMENT);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application.yml", "application-prod.YAML", "ids.yaml"})
    void yamlIsReadAsSpringReadsIt(String name) throws IOException {
        assertThat(read(name, """
                        server.port: ${ANY.OTHER}
                        distributedid:
                          backend: ticket
                          ticket:
                            servers:
                              - jdbc:mysql://t1:${PORT}/tickets
                              - jdbc:mysql://t2:${T2_PORT:3307}/tickets
                          create-tables: true
                          seq:
                            my-Comments.backend: SEQUENCE-TABLE
                            photos:
                              snowflake.worker: 7
                              snowflake:
                                epoch: 2024-01-01T00:00:00Z
                        """))
                .isEqualTo(Map.of(
                        "distributedid.backend",
                        "ticket",
                        "distributedid.ticket.servers",
                        List.of("jdbc:mysql://t1:3306/tickets", "jdbc:mysql://t2:3307/tickets"),
                        "distributedid.create_tables",
                        "true",
                        "distributedid.seq.my-Comments.backend",
                        "sequence_table",
                        "distributedid.seq.photos.snowflake.worker",
                        "7",
                        "distributedid.seq.photos.snowflake.epoch",
                        "2024-01-01T00:00:00Z"));
    }

    @Test
    void soArePropertiesOfTheApplication() throws IOException {
        assertThat(read("application.properties", """
                        distributedid.maxDistance = 1000
                        distributedid.ticket.password = ${DB_PASSWORD}
                        distributedid.bogus-name = x
                        """))
                .isEqualTo(Map.of(
                        "distributedid.max_distance",
                        "1000",
                        "distributedid.ticket.password",
                        "a$1\\b",
                        "distributedid.bogus-name",
                        "x"));
    }

    /** A move reads an old file and a new one, which an operator puts beside each other. */
    @Test
    void soArePropertiesUnderAnotherNameThatNameSpring() throws IOException {
        assertThat(read("old.properties", """
                        spring.datasource.url = jdbc:h2:mem:app
                        distributedid.maxDistance = 1000
                        """))
                .containsEntry("jakarta.persistence.jdbc.url", "jdbc:h2:mem:app")
                .containsEntry("distributedid.max_distance", "1000");
    }

    /** YAML makes false of off. */
    @Test
    void aWordMayBeWrittenAsInSpring() throws IOException {
        assertThat(read("application.yml", "distributedid: {block.max-age: off, failover: LossLess}"))
                .isEqualTo(Map.of("distributedid.block.max_age", "off", "distributedid.failover", "lossless"));
    }

    @Test
    void theDataSourceIsTheApplicationsDatabaseAndTheUnitOverrides() throws IOException {
        assertThat(read("application.yml", """
                        spring:
                          datasource:
                            url: jdbc:mysql://s1/app
                            username: app
                            password: ${DB_PASSWORD}
                          jpa.properties:
                            hibernate.default_schema: photos
                            distributedid.max_distance: 5
                            other: 1
                        distributedid.max-distance: 7
                        """))
                .isEqualTo(Map.of(
                        "jakarta.persistence.jdbc.url",
                        "jdbc:mysql://s1/app",
                        "jakarta.persistence.jdbc.user",
                        "app",
                        "jakarta.persistence.jdbc.password",
                        "a$1\\b",
                        "hibernate.default_schema",
                        "photos",
                        "distributedid.max_distance",
                        "5"));
    }

    @Test
    void aLaterDocumentOverrides() throws IOException {
        assertThat(read("application.yml", """
                        ---
                        distributedid.backend: ticket
                        ---
                        distributedid.backend: snowflake
                        ---
                        """)).isEqualTo(Map.of("distributedid.backend", "snowflake"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.config.activate.on-profile",
                "spring.config.import",
                "spring.profiles.active",
                "spring.profiles.group.a"
            })
    void whatDependsOnProfilesAndOtherFilesIsRefused(String name) throws IOException {
        Path file = write("application.yml", "distributedid.backend: ticket\n---\n" + name + ": prod\n");

        assertThat(Run.of("check", "--config=" + file))
                .isEqualTo(new Run(
                        2,
                        "",
                        "Settings of profiles and of other files are not read: --config=" + file + " has " + name
                                + ". Write those that the application runs with into one file\n"));
    }

    @Test
    void twoSpellingsThatDifferAreRefused() {
        assertThatThrownBy(() -> read("application.yml", "distributedid: {max-distance: 5, maxDistance: 6}"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting must have one value: distributedid.max_distance is written in two"
                        + " spellings with different values: --config=");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${db.password}",
                "x${a-b}",
                "${A:${B}}",
                "x${",
                "\\${PORT}",
                "${A:$}",
                "${db_host:local}",
                "${KEY:a}"
            })
    void anotherPlaceholderIsRefusedAndNotPrinted(String value) {
        assertThatThrownBy(() -> read("application.yml", "KEY: b\ndistributedid.ticket.password: '" + value + "'"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A placeholder must name a variable of the environment:"
                        + " distributedid.ticket.password --config=")
                .hasMessageEndingWith(", allowed: ${NAME} or ${NAME:default} in capital letters, with a name that the"
                        + " file does not define, or the value itself")
                .hasMessageNotContaining(value);
    }

    @Test
    void aVariableThatIsNotSetIsNamed() {
        assertThatThrownBy(() -> read("application.yml", "distributedid.ticket.password: x${NO_SUCH}"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "A placeholder has no value: ${NO_SUCH} in distributedid.ticket.password" + " --config=")
                .hasMessageEndingWith(". Set this variable of the environment, or write the value itself");
    }

    @Test
    void aPasswordIsNeededByTheCommandsThatUseIt() throws IOException {
        String file = "--config=" + write("application.yml", """
                        spring:
                          datasource.password: ${NO_SUCH}
                          jpa.properties.hibernate.other: ${no.such}
                        distributedid:
                          backend: snowflake
                          snowflake: {worker: lease, lease: {server: "jdbc:h2:mem:x", password: "${NO_SUCH}"}}
                        """);

        assertThat(Run.of("decode", "382500178340355880", file).out()).contains("worker    1\n");
        assertThat(Run.of("next", "photos", file))
                .isEqualTo(new Run(
                        2,
                        "",
                        "A setting has a value that is not allowed: distributedid.snowflake.lease.password=***,"
                                + " allowed: a password. The placeholder *** was not resolved. Define it, or write the"
                                + " value itself\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "database.password",
                "%prod.distributedid.backend",
                "quarkus.hibernate-orm.unsupported-properties.\"distributedid.backend\"",
                "spring.jpa.properties.[distributedid.backend]"
            })
    void aSettingThatWouldNotBeReadIsRefused(String name) {
        assertThatThrownBy(() -> read("application.properties", name + " = x"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting would not be read: " + name + " --config=")
                .hasMessageEndingWith(", allowed in a file of Spring Boot: distributedid.NAME. Write settings in other"
                        + " forms into a file with another name, such as ids.properties");
    }

    @Test
    void loggersAndMetersAreNoSettings() throws IOException {
        assertThat(read("application.properties", """
                        logging.level.io.distributedid.cli = info
                        quarkus.log.category."io.distributedid.cli".level = INFO
                        management.metrics.enable.distributedid.draw = true
                        """)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'a: 1\nb: {secret' | in line 2",
                "'a: 1\na: secret' | a key occurs twice in line 2",
                "'a: !!java.net.URL [http://secret]' | in line 1",
                "'a: @project.version@' | in line 1",
                "'a: *secret' | in line 1",
                "'a: !secret x' | in line 1",
                "'a: !!int secret' | not YAML",
                "secret | a document does not name its settings"
            })
    void aFileThatIsNotRightIsNamedWithoutItsText(String text, String expected) throws IOException {
        Path file = write("application.yml", text);

        Run run = Run.of("check", "--config=" + file, "--seq=photos", "--verbose");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("A file of settings can't be read: --config=" + file + ", allowed: properties in UTF-8, an"
                        + " application.yml or application.properties of Spring Boot, or a persistence.xml (")
                .contains(expected)
                .doesNotContain("secret");
    }

    @Test
    void aCommandRunsWithIt() throws Exception {
        Path file = write("application.yml", """
                spring.datasource.url: jdbc:h2:mem:cli_spring;DB_CLOSE_DELAY=-1
                distributedid:
                  backend: sequence-table
                  create-tables: true
                  timeout: 1m
                """);
        try {
            assertThat(Run.of("next", "photos", "--config=" + file)).isEqualTo(new Run(0, "1\n", ""));
        } finally {
            H2Servers.drop("cli_spring");
        }
    }
}
