package io.distributedid.cli;

import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * What the page for somebody on call tells: each trouble is made, the message is the one of the row, its command is run
 * as it is printed, then ids come, and none comes twice.
 */
abstract class OnCallRows extends MovedPhotos {

    /** A test of the row with this anchor. */
    @Test
    @Retention(RetentionPolicy.RUNTIME)
    @interface Walks {
        String value();
    }

    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([a-z-]+)\"></a>");

    private String anchor = "";

    @BeforeEach
    void find(TestInfo test) {
        Walks walks = test.getTestMethod().orElseThrow().getAnnotation(Walks.class);
        anchor = walks == null ? "" : walks.value();
    }

    @AfterEach
    void end() throws SQLException {
        H2Servers.drop("call_a", "call_b", "call_c", "call_d", "call_app");
        assertThat(anchor).as("the row that was not walked").isEmpty();
    }

    /**
     * The rows with a command, by anchor: messages with their anchors, those of the row above if they are the same;
     * command; cost.
     */
    static Map<String, List<String>> rows() throws IOException {
        Map<String, List<String>> rows = new HashMap<>();
        String messages = "";
        for (String line : Files.readAllLines(Path.of("src/docs/on-call.md"))) {
            String[] cells = line.split(" ?\\| ?");
            if (cells.length == 5 && cells[3].startsWith("`distributedid ")) {
                messages = cells[1].contains("The same") ? messages : cells[1];
                List<String> row = List.of(messages, cells[3].replace("`", ""), cells[4]);
                ANCHOR.matcher(cells[1]).results().forEach(each -> rows.put(each.group(1), row));
            }
        }
        return rows;
    }

    /** @param then the anchors of rows whose commands the row names, too */
    void walk(String seen, Path settings, String... then) throws IOException {
        List<String> row = rows().get(anchor);
        assertThat(ANCHOR.matcher(row.get(0)).replaceAll("").split("`, `"))
                .as(seen)
                .anyMatch(message -> seen.contains(message.replace("`", "")));
        assertThat(ANCHOR.matcher(row.get(0)).results().map(each -> each.group(1)))
                .as(seen)
                .anyMatch(
                        each -> seen.contains(Pages.onCall(row.get(0).contains("\"" + anchor + "\"") ? anchor : each)));
        run(row.get(1), settings);
        for (String next : then) {
            run(rows().get(next).get(1), settings);
        }
        if (row.get(2).contains("91 s")) {
            Await.until("what was lost has ended", () -> check(settings).exitCode() == 0, () -> check(settings));
        }
        assertThat(check(settings).exitCode()).as(check(settings).out()).isZero();
        used(settings);
        anchor = "";
    }

    void start(Path settings) throws IOException {
        walk(draw(settings), settings);
    }

    /** As an operator types it, who agrees to what it asks. */
    private void run(String command, Path settings) {
        String typed = (command.contains("--config") ? command : command + " --config new.properties")
                .replaceAll("^distributedid ", "")
                .replaceAll("<largest>|<id>", Collections.max(given).toString())
                .replace("<URL>", url("call_app"))
                .replace("old.properties", folder.resolve("old.properties").toString())
                .replace("new.properties", settings.toString());
        Run run = Run.with(Map.of(), question -> Optional.of("y"), typed.split(" "));
        assertThat(run.err())
                .as(typed)
                .matches("(Warning: The store of leases has lost leases, and gives none before [^ ]+: seq=photos\n)?");
        assertThat(run.exitCode()).as(typed + run.out()).isZero();
    }

    /** Takes ids as an application does. Returns why none came; empty if some did. */
    String draw(Path settings) {
        Map<String, String> all = new HashMap<>(Map.of("distributedid.existing_ids", "refuse"));
        SettingsFile.read(settings, null, Map.of()).forEach((name, value) -> all.put(name, (String) value));
        try (SessionFactory factory = factory("call_app", all)) {
            for (int i = 0; i < 10; i++) {
                persist(factory);
            }
            return "";
        } catch (DistributedIdException e) {
            return e.getMessage();
        }
    }

    Path used(Path settings) {
        assertThat(draw(settings)).isEmpty();
        assertThat(given).doesNotHaveDuplicates();
        return settings;
    }

    void cutOff(String database, String command, Path settings) throws SQLException {
        execute(database, "ALTER TABLE distributedid ADD CONSTRAINT cut CHECK (state <> 'OPEN') NOCHECK");
        assertThat(command(command, settings).exitCode()).isNotZero();
        execute(database, "ALTER TABLE distributedid DROP CONSTRAINT cut");
    }

    static Run check(Path settings) {
        return command("check --seq photos", settings);
    }

    static Run command(String command, Path settings) {
        return Run.of((command + " --config " + settings).split(" "));
    }
}
