package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of proofs has evidence for each sentence that the README promises, and for no other. */
class ProofPageTest {

    /** An item of the list, without its number. */
    private static final Pattern ITEM = Pattern.compile("(?s)\\n\\d\\. (.*?)(?=\\n\\d\\. |\\z)");

    private static final Pattern END_OF_SENTENCE = Pattern.compile("(?<=\\.) (?=[A-Z])");

    private static final Pattern QUOTATION = Pattern.compile("(?m)^> (.*)$");

    @Test
    void eachSentenceThatIsPromisedHasItsEvidence() {
        List<String> promised = ITEM.matcher(Page.of("README.md").section("What is guaranteed"))
                .results()
                .map(item -> item.group(1).replaceAll("\\s+", " ").strip())
                .flatMap(item -> Stream.of(END_OF_SENTENCE.split(item)))
                .toList();

        List<String> quoted = QUOTATION
                .matcher(Page.of("src/docs/proof.md").section("Evidence"))
                .results()
                .map(line -> line.group(1))
                .toList();

        assertThat(promised).hasSizeGreaterThan(4);
        assertThat(quoted).containsExactlyInAnyOrderElementsOf(promised);
    }
}
