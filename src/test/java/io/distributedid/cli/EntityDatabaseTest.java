package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.number;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.JdbcUrl;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a move needs of the databases of the entities, and does there. */
@Tag("slow")
class EntityDatabaseTest extends MovedPhotos {

    @Test
    void aTokenThatSomebodyElseChangedMeanwhileIsKept() throws Exception {
        for (Optional<String> before : List.of(Optional.<String>empty(), Optional.of("old"))) {
            execute("cli_app", "DROP ALL OBJECTS");
            before.ifPresent(token -> remember("cli_app", "photos", token));
            JdbcUrl url = new JdbcUrl(url("cli_app"), JdbcUrl.credentials(null, null));
            EntityDatabase database = new EntityDatabase(url, Optional.empty(), "photos");
            assertThat(database.read()).isEqualTo(before);
            database.prepare();
            execute("cli_app", "DELETE FROM distributedid");
            remember("cli_app", "photos", "other");

            assertThatThrownBy(() -> database.replace(Set.of("old"), "new", other -> true))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("Somebody else changed what a database remembers: jdbc:h2:mem:cli_app"
                            + " seq=photos token=other, new token=new. Repeat the command");
            assertThat(database.read()).contains("other");
            database.replace(Set.of("other"), "new", other -> true);
            assertThat(database.read()).contains("new");
        }
    }

    @Test
    void theTablesMayHaveASchemaOfTheirOwn() throws Exception {
        execute("cli_app", "CREATE SCHEMA photos");
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));

        Run run = move("tickets2", List.of(from("tickets"), "--schema=photos"), "cli_app");

        assertThat(run.exitCode()).isZero();
        assertThat(number("cli_app", "SELECT COUNT(*) FROM photos.distributedid WHERE name = '@place/photos'"))
                .isEqualTo(1);
        assertThat(move("tickets2", List.of(from("tickets"), "--schema=a b"), "cli_app")
                        .err())
                .startsWith("A schema must have a plain name: schema=a b");
    }

    @Test
    void aUserWithoutTheRightIsRefusedAndNoPasswordPrinted() throws Exception {
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));
        execute("cli_app", "CREATE USER app PASSWORD 'top-secret'");
        Map<String, String> environment = Map.of("DISTRIBUTEDID_DATABASE_PASSWORD", "top-secret");
        String[] command = arguments(
                options("tickets2"),
                "move",
                "photos",
                "--yes",
                from("tickets"),
                "--database=jdbc:h2:mem:cli_app",
                "--user=app");

        Run run = Run.with(environment, command);

        assertThat(run.err())
                .startsWith(
                        "The ledger beside the ids is missing: table=distributedid on jdbc:h2:mem:cli_app. Create it: ")
                .doesNotContain("secret");
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));
        execute("cli_app", "ALTER USER app ADMIN TRUE");
        assertThat(Run.with(environment, command).exitCode()).isZero();
    }
}
