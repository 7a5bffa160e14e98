package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StoredTextTest {

    @Test
    void noTextIsStoredEmptyAndEachIsReadAsItWas() {
        for (String text : List.of("", "-", "--", "-a", "a-", "host 7")) {
            assertThat(StoredText.of(text)).isNotEmpty();
            assertThat(StoredText.read(StoredText.of(text))).isEqualTo(text);
        }
        assertThat("'" + StoredText.of("") + "'").isEqualTo(StoredText.EMPTY);
    }
}
