package io.distributedid.internal.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.LoggedWarnings;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnusedSequencesTest {

    private static final Set<String> USED = new TreeSet<>(Set.of("albums", "photos"));

    private static final String FOTOS = "There are settings for sequences that no entity uses: seq=fotos (did you mean"
            + " photos?). Correct the name in distributedid.seq.fotos.*, or, if the application uses the sequence"
            + " without an entity, set distributedid.seq.fotos.unused_sequences=ignore";

    private final LoggedWarnings warnings = LoggedWarnings.of(UnusedSequences.class);

    @AfterEach
    void close() {
        warnings.close();
    }

    @Test
    void aMisspeltNameIsAWarningThatNamesTheNearest() {
        check(Map.of("distributedid.seq.fotos.block.max", "50", "distributedid.seq.albums.block.max", "50"));

        assertThat(warnings.messages()).containsExactly(FOTOS);
    }

    @Test
    void inStrictModeItIsAnError() {
        Map<String, String> strict =
                Map.of("distributedid.seq.fotos.block.max", "50", "distributedid.unused_sequences", "refuse");

        assertThatThrownBy(() -> check(strict))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(FOTOS);
        assertThat(warnings.messages()).isEmpty();
    }

    @Test
    void whereNoNameIsNearAllAreListed() {
        check(Map.of("distributedid.seq.invoices.block.max", "50", "distributedid.seq.fotos.block.max", "50"));

        assertThat(warnings.messages())
                .containsExactly("There are settings for sequences that no entity uses: seq=fotos (did you mean"
                        + " photos?), seq=invoices. Entities use: [albums, photos]. Correct the name in"
                        + " distributedid.seq.fotos.*, or, if the application uses the sequence without an entity, set"
                        + " distributedid.seq.fotos.unused_sequences=ignore");
    }

    @Test
    void aSequenceThatIsUsedWithoutEntityCanBeExcepted() {
        check(Map.of(
                "distributedid.unused_sequences", "refuse",
                "distributedid.seq.invoices.unused_sequences", "ignore",
                "distributedid.seq.invoices.block.max", "50"));

        assertThat(warnings.messages()).isEmpty();
    }

    @Test
    void numbersPerKeyNeedNoEntity() {
        check(Map.of(
                "distributedid.unused_sequences", "refuse",
                "distributedid.seq.messages.keyed.backend", "row",
                "distributedid.seq.messages.keyed.row.table", "message_numbers"));
        check(Map.of("distributedid.seq.fotos.keyed.backend", "row", "distributedid.seq.fotos.block.max", "50"));

        assertThat(warnings.messages()).containsExactly(FOTOS);
    }

    private static void check(Map<String, String> settings) {
        UnusedSequences.check(Settings.of(settings), USED);
    }
}
