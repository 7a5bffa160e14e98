package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counter.Refusal;
import io.distributedid.internal.lease.StoreRules;
import io.distributedid.internal.process.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The page for somebody on call has messages as the code prints them, and each that asks an operator to act. */
class OnCallPageTest {

    private static final Page PAGE = Page.of("src/docs/on-call.md");

    private static final String MAIN = "src/main/java/io/distributedid/";

    private static final Pattern ROW = Pattern.compile("(?m)^\\| <a id=\"([a-z-]+)\"></a>([^|]+)\\|");

    private static final Pattern ID = Pattern.compile("<a id=\"([a-z-]+)\"></a>");

    /** "The same, but": the message is that of the row above, whose anchor it has. */
    private static final Set<String> CONTINUED = Set.of("lost-server", "place-lost");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Where a text goes on in the next line. */
    private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

    private static final Pattern ANCHOR = Pattern.compile("Pages.onCall\\(\"([a-z-]+)\"\\)");

    private static final Pattern ALERT = Pattern.compile("alert: (\\w+)");

    /** The first words of a verdict, up to what is filled in. */
    private static final Pattern VERDICT = Pattern.compile("(?:->|\\?|:|return)\\s+\"([A-Z][^\":.]+)");

    @Test
    void eachSymptomIsPrinted() throws IOException {
        String sources = sources();

        assertThat(symptoms())
                .hasSizeGreaterThan(80)
                .allSatisfy(symptom ->
                        assertThat(sources.contains(symptom)).as(symptom).isTrue());
    }

    @Test
    void eachAnchorOfAMessageIsThere() throws IOException {
        assertThat(PAGE.anchors()).containsAll(anchorsOfMessages());
    }

    @Test
    void aMessageEndsWithEachAnchor() throws IOException {
        List<String> anchors = ID.matcher(PAGE.text())
                .results()
                .map(id -> id.group(1))
                .filter(id -> !id.startsWith("alert-"))
                .toList();

        assertThat(anchors).hasSizeGreaterThan(60).containsAll(CONTINUED);
        assertThat(anchorsOfMessages()).doesNotContainAnyElementsOf(CONTINUED);
        assertThat(anchors)
                .isSubsetOf(Stream.concat(anchorsOfMessages().stream(), CONTINUED.stream())
                        .toList());
    }

    private static List<String> anchorsOfMessages() throws IOException {
        List<String> anchors = Stream.of(
                        ANCHOR.matcher(sources()).results().map(anchor -> anchor.group(1)),
                        kinds("counter", Refusal.Kind.values()),
                        kinds("store", StoreRules.Reason.values()))
                .flatMap(Function.identity())
                .toList();
        assertThat(anchors).hasSizeGreaterThan(100);
        return anchors;
    }

    private static Stream<String> kinds(String about, Enum<?>[] kinds) {
        return Stream.of(kinds).map(kind -> Pages.onCall(about, kind).replaceFirst(".*#", ""));
    }

    @Test
    void eachAnchorIsThereOnce() {
        assertThat(ROW.matcher(PAGE.text()).results().map(row -> row.group(1)))
                .hasSizeGreaterThan(60)
                .doesNotHaveDuplicates()
                .isSubsetOf(PAGE.anchors());
    }

    @Test
    void eachAlertAndEachVerdictOnACounterOrALeaseHasARow() throws IOException {
        List<String> symptoms = symptoms();
        List<String> alerts = ALERT.matcher(
                        Files.readString(Path.of("src/main/resources/META-INF/distributedid/prometheus-rules.yml")))
                .results()
                .map(alert -> alert.group(1))
                .toList();

        assertThat(symptoms).containsAll(alerts);
        for (String file : List.of("internal/counter/RefusalText", "internal/lease/StoreTexts")) {
            List<String> verdicts = VERDICT.matcher(joined(Path.of(MAIN + file + ".java")))
                    .results()
                    .map(verdict -> verdict.group(1))
                    .filter(verdict -> verdict.contains(" ") && !verdict.startsWith("To fix this"))
                    .toList();
            assertThat(verdicts).hasSizeGreaterThan(10);
            SoftAssertions.assertSoftly(all -> verdicts.forEach(
                    verdict -> all.assertThat(symptoms).as(verdict).anyMatch(verdict::startsWith)));
        }
    }

    /** What stands as code in the first cells. */
    private static List<String> symptoms() {
        return ROW.matcher(PAGE.text())
                .results()
                .flatMap(row -> CODE.matcher(row.group(2)).results())
                .map(code -> code.group(1))
                .toList();
    }

    private static String sources() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
            for (Path file : files.filter(each -> each.toString().matches(".*\\.(?:java|yml)"))
                    .toList()) {
                all.append(joined(file));
            }
        }
        return all.toString();
    }

    private static String joined(Path file) throws IOException {
        return JOINT.matcher(Files.readString(file)).replaceAll("");
    }
}
