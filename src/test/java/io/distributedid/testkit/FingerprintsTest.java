package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FingerprintsTest {

    @Test
    void saysOfTheSameTextsAsASetOfThemThatTheyAreNew() {
        Fingerprints fingerprints = new Fingerprints();
        Set<String> texts = new HashSet<>();
        Random random = new Random(7);
        for (int i = 0; i < 200_000; i++) {
            // Short ones of few letters, so that many are drawn again and all are alike.
            String text = random.ints(random.nextInt(9), 'a', 'e')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            assertThat(fingerprints.add(text)).as(text).isEqualTo(texts.add(text));
        }
        assertThat(texts).hasSizeBetween(10_000, 190_000);
    }
}
