package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of proofs has evidence for each sentence that is promised, and for no other. */
class ProofPageTest {

    /** An item of a list, without its number. */
    private static final Pattern ITEM = Pattern.compile("(?s)\\n\\d\\. (.*?)(?=\\n\\d\\. |\\n\\n|\\z)");

    private static final Pattern END_OF_SENTENCE = Pattern.compile("(?<=\\.) (?=[A-Z])");

    private static final Pattern QUOTATION = Pattern.compile("(?m)^> (.*)$");

    private static final Pattern HEADING = Pattern.compile("(?m)^### (.*)$");

    private static final Pattern PROMISE = Pattern.compile("^\\*\\*([^*]+)\\*\\*");

    private static final Pattern PROOF = Pattern.compile("\\(\\[proof]\\(src/docs/proof\\.md#([\\w-]+)\\)\\)\\.$");

    @Test
    void eachSentenceThatIsPromisedHasItsEvidence() {
        List<String> promised = inFull().stream()
                .flatMap(item -> Stream.of(END_OF_SENTENCE.split(item)))
                .toList();

        List<String> quoted = found(QUOTATION, evidence());

        assertThat(promised).hasSizeGreaterThan(4);
        assertThat(quoted).containsExactlyInAnyOrderElementsOf(promised);
    }

    /** The README says each of them in a sentence, with a link to the part of the evidence that has its heading. */
    @Test
    void theReadmePromisesTheSameAndLeadsToTheEvidence() {
        List<String> inShort = items(Page.of("README.md").section("What is guaranteed"));
        List<String> headings = found(HEADING, evidence()).stream()
                .map(heading -> heading.toLowerCase().replace(' ', '-'))
                .toList();

        assertThat(inShort)
                .flatExtracting(item -> found(PROMISE, item))
                .hasSize(4)
                .isEqualTo(inFull().stream()
                        .flatMap(item -> found(PROMISE, item).stream())
                        .toList());
        assertThat(inShort)
                .flatExtracting(item -> found(PROOF, item))
                .hasSize(4)
                .doesNotHaveDuplicates()
                .isSubsetOf(headings);
    }

    private static List<String> inFull() {
        return items(Page.of("src/docs/which-backend.md").section("Guarantees"));
    }

    private static String evidence() {
        return Page.of("src/docs/proof.md").section("Evidence");
    }

    private static List<String> items(String section) {
        return ITEM.matcher(section)
                .results()
                .map(item -> item.group(1).replaceAll("\\s+", " ").strip())
                .toList();
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
