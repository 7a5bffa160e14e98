package io.distributedid.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.Setting;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WordSpellingTest {

    private static final String MODE = "distributedid.some.mode";

    private static final String SWITCH = "distributedid.some.switch";

    private final WordSpelling spelling = new WordSpelling(
            List.of(
                    Setting.text(MODE, "any").withWords(List.of("single_use")),
                    Setting.text(SWITCH, "any").withWords(List.of("off", "on"))),
            Set.of("sequence_table"));

    @Test
    void aWordIsSpeltAsSpringAllows() {
        for (String text : List.of("single_use", "single-use", "singleUse", " SINGLE_USE ")) {
            assertThat(spelling.of(MODE, text)).isEqualTo("single_use");
            assertThat(spelling.of("distributedid.seq.photos.some.mode", text)).isEqualTo("single_use");
        }
        assertThat(spelling.of("distributedid.backend", "sequenceTable")).isEqualTo("sequence_table");
        assertThat(spelling.of(MODE, new StringBuilder("single-use"))).isEqualTo("single_use");
    }

    @Test
    void offMayHaveBecomeFalse() {
        assertThat(spelling.of(SWITCH, false)).isEqualTo("off");
        assertThat(spelling.of(SWITCH, "false")).isEqualTo("off");
        assertThat(spelling.of(SWITCH, true)).isEqualTo(true);
        assertThat(spelling.of(MODE, false)).as("no such word").isEqualTo(false);
    }

    @Test
    void otherValuesStayAsTheyAre() {
        Object object = List.of("single-use");
        assertThat(spelling.of(MODE, object)).isSameAs(object);
        assertThat(spelling.of(MODE, "single-used ")).isEqualTo("single-used ");
        assertThat(spelling.of("distributedid.no.such", "single-use")).isEqualTo("single-use");
        assertThat(spelling.of(MODE, 7)).isEqualTo(7);
    }
}
