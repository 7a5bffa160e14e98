package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In the documentation, links have targets, programs run, and quotations agree with their sources. */
class DocsTest {

    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|Contract))(?:\\.\\w+)?`");

    /** A marker, then a block that must be a part of the file. */
    private static final Pattern QUOTE = Pattern.compile("(?ms)^<!-- from (\\S+) -->\\n```\\w+\\n(.*?)^```$");

    /** A marker, then a table of which each row stands in the chart. */
    private static final Pattern FIGURES = Pattern.compile("(?m)^<!-- figures from (\\S+) -->\\n\\n((?:\\|.*\\n)+)");

    @Test
    void everyLinkLeadsToAFileAndAHeading() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        for (Page page : Page.all()) {
            for (String link : page.links()) {
                String file = link.replaceAll("#.*", "");
                Path target = file.isEmpty()
                        ? page.path()
                        : page.path().toAbsolutePath().resolveSibling(file).normalize();
                softly.assertThat(target).as("%s: %s", page.path(), link).exists();
                if (link.contains("#") && Files.exists(target)) {
                    softly.assertThat(Page.of(target.toString()).anchors())
                            .as("%s: %s", page.path(), link)
                            .contains(link.substring(link.indexOf('#') + 1));
                }
            }
        }
        softly.assertAll();
    }

    /** Pages name the tests that show a claim. */
    @Test
    void everyTestThatAPageNamesExists() throws IOException {
        Set<String> tests = new TreeSet<>();
        for (String root : List.of("src/test", "integration-tests")) {
            try (Stream<Path> files = Files.walk(Path.of(root))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> tests.add(name.substring(0, name.length() - ".java".length())));
            }
        }
        SoftAssertions softly = new SoftAssertions();
        for (Page page : Page.all()) {
            softly.assertThat(tests)
                    .as(page.path().toString())
                    .containsAll(TEST.matcher(page.text())
                            .results()
                            .map(name -> name.group(1))
                            .toList());
        }
        softly.assertAll();
    }

    @Test
    void theIndexNamesEveryPage() throws IOException {
        Path docs = Path.of("src/docs");
        try (Stream<Path> pages = Files.list(docs)) {
            assertThat(Page.of("src/docs/README.md").links())
                    .containsAll(pages.map(page -> page.getFileName().toString())
                            .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                            .toList());
        }
    }

    @Test
    void tablesAreThoseThatTheLibraryCreates() {
        assertCreates("ticket-servers.md", Map.of("distributedid.backend", "ticket"));
        assertCreates("sequence-table.md", Map.of("distributedid.backend", "sequence_table"));
        assertCreates("numbers-per-key.md", Map.of("distributedid.keyed.backend", "row"));
        assertCreates(
                "snowflake.md",
                Map.of(
                        "distributedid.backend", "snowflake",
                        "distributedid.snowflake.worker", "lease",
                        "distributedid.snowflake.lease.server", "jdbc:mysql://ids1/ids"));
    }

    private static void assertCreates(String page, Map<String, String> settings) {
        List<String> created = IdAdmin.ddl(settings, "mysql").stream()
                .map(sql -> sql.replace("IF NOT EXISTS ", ""))
                .toList();
        List<String> shown = Page.of("src/docs/" + page).blocks("sql").stream()
                .flatMap(block -> Arrays.stream(block.split(";")))
                .map(sql -> sql.strip().replaceAll("\\s+", " "))
                .filter(sql -> sql.startsWith("CREATE TABLE"))
                .map(sql -> sql.replace(" ( ", " ("))
                .toList();

        assertThat(shown).isNotEmpty().isSubsetOf(created);
    }

    @Test
    void quotesAreWhatTheExamplesRun() throws IOException {
        List<MatchResult> quotes = new ArrayList<>();
        for (Page page : Page.all()) {
            QUOTE.matcher(page.text()).results().forEach(quotes::add);
        }

        assertThat(quotes).isNotEmpty();
        for (MatchResult quote : quotes) {
            assertThat(Files.readString(Path.of(quote.group(1)))).contains(quote.group(2));
        }
    }

    @Test
    void figuresAreThoseOfTheCharts() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        List<MatchResult> tables = new ArrayList<>();
        for (Page page : Page.all()) {
            FIGURES.matcher(page.text()).results().forEach(tables::add);
        }
        assertThat(tables).isNotEmpty();
        for (MatchResult table : tables) {
            String chart = Pattern.compile(">([^<>]+)<")
                    .matcher(Files.readString(Path.of(table.group(1))))
                    .results()
                    .map(text -> text.group(1).strip())
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining("|", "|", "|"));
            table.group(2).lines().skip(2).forEach(row -> {
                List<String> cells = Arrays.stream(row.split("\\|"))
                        .map(String::strip)
                        .filter(cell -> !cell.isEmpty())
                        .toList();
                cells.stream()
                        .skip(1)
                        .forEach(figure -> softly.assertThat(chart)
                                .as(table.group(1))
                                .contains("|" + cells.get(0) + "|" + figure + "|"));
            });
        }
        softly.assertAll();
    }

    @Test
    void theProgramWithoutHibernatePrintsWhatThePageSays(@TempDir Path folder) throws Exception {
        Page page = Page.of("src/docs/frameworks.md");
        SnippetProgram program = new SnippetProgram(folder);
        program.compile(page.blocks("java").stream()
                .filter(block -> block.startsWith("package "))
                .toList());

        String printed = program.run("plain.Main").strip();
        assertThat(printed).isEqualTo("worker 1");
        assertThat(page.text()).contains("It prints `" + printed + "`");
    }
}
