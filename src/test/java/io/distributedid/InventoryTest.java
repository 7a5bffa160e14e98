package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a user can meet has a line in the inventory, and what the inventory calls kept exists. Names that can't be
 * listed are at least written somewhere in the sources.
 */
class InventoryTest {

    private static final Page PAGE = Page.of("src/docs/internals/inventory.md");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static final Pattern FATE = Pattern.compile("kept|(?:renamed to|gone:) .+ \\(([0-9, ]+)\\)");

    private static Map<String, Collection<String>> existing;

    @BeforeAll
    static void find() throws Exception {
        existing = ExistingNames.bySection();
    }

    /** A line of a table: the names in its first cell, all cells, and its fate, which is the last one. */
    private record Line(List<String> names, List<String> cells, String fate) {

        static Stream<Line> of(String text) {
            return text.lines()
                    .filter(line -> line.startsWith("| ") && !line.startsWith("| entry "))
                    .map(line -> List.of(line.substring(2).split("\\s*(?<!\\\\)\\|\\s*")))
                    .map(cells -> new Line(codes(cells.get(0)), cells, cells.get(cells.size() - 1)));
        }

        boolean isKept() {
            return fate.equals("kept");
        }
    }

    @Test
    void whatExistsHasALineAndWhatIsKeptExists() {
        SoftAssertions softly = new SoftAssertions();
        existing.forEach((section, names) -> {
            List<Line> lines = Line.of(PAGE.section(section)).toList();
            softly.assertThat(without(names, names(lines)))
                    .as("%s: exists, and has no line", section)
                    .isEmpty();
            softly.assertThat(without(names(lines.stream().filter(Line::isKept).toList()), names))
                    .as("%s: is kept, and does not exist", section)
                    .isEmpty();
            softly.assertThat(names(lines)).as(section).doesNotHaveDuplicates();
        });
        softly.assertAll();
    }

    @Test
    void whatIsKeptElsewhereIsWrittenInTheSources() throws IOException {
        String sources = ExistingNames.sources();
        SoftAssertions softly = new SoftAssertions();
        headings()
                .filter(section -> !existing.containsKey(section))
                .forEach(section -> softly.assertThat(names(Line.of(PAGE.section(section))
                                .filter(Line::isKept)
                                .toList()))
                        .as(section)
                        .allSatisfy(name ->
                                assertThat(sources.contains(name)).as(name).isTrue()));
        softly.assertAll();
    }

    @Test
    void everyLineHasAFateByADecision() {
        Set<String> decisions = Line.of(PAGE.section("Decisions"))
                .map(line -> line.cells.get(0))
                .collect(Collectors.toSet());
        headings()
                .filter(section -> !section.equals("Decisions"))
                .forEach(section -> Line.of(PAGE.section(section)).forEach(line -> {
                    Matcher fate = FATE.matcher(line.fate);
                    assertThat(fate.matches()).as("%s", line).isTrue();
                    if (fate.group(1) != null) {
                        assertThat(decisions)
                                .as("%s", line)
                                .contains(fate.group(1).split(", "));
                    }
                }));
    }

    @Test
    void theSettingsThatRemainAreThoseThatAreKept() {
        List<Line> lines = Line.of(PAGE.section("Settings")).toList();
        Set<String> kept =
                new HashSet<>(names(lines.stream().filter(Line::isKept).toList()));
        lines.stream().filter(line -> line.fate.startsWith("renamed")).forEach(line -> kept.addAll(codes(line.fate)));
        String section = PAGE.section("Settings that remain").strip();
        List<String> remaining = codes(section.substring(section.indexOf("\n- ")));

        assertThat(remaining).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(kept);
        assertThat(section).startsWith(remaining.size() + " of at most 85 ");
        assertThat(remaining).hasSizeLessThanOrEqualTo(85);
    }

    private static Stream<String> headings() {
        return Pattern.compile("(?m)^## (.+)$").matcher(PAGE.text()).results().map(heading -> heading.group(1));
    }

    private static List<String> names(List<Line> lines) {
        return lines.stream().flatMap(line -> line.names.stream()).toList();
    }

    private static List<String> codes(String text) {
        return CODE.matcher(text).results().map(code -> code.group(1).strip()).toList();
    }

    private static List<String> without(Iterable<String> names, Iterable<String> others) {
        Set<String> left = new TreeSet<>();
        names.forEach(left::add);
        others.forEach(left::remove);
        return List.copyOf(left);
    }
}
