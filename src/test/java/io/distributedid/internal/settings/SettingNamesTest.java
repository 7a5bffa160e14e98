package io.distributedid.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingNamesTest {

    private static final Set<String> KNOWN = Set.of(
            "distributedid.backend",
            "distributedid.snowflake.worker",
            "distributedid.ticket.servers",
            "distributedid.ticket.table",
            "distributedid.timeout");

    @ParameterizedTest
    @CsvSource({
        "distributedid.bakend, distributedid.backend",
        "distributedid.ticket.server, distributedid.ticket.servers",
        "distributedid.tickets.tabel, distributedid.ticket.table",
        "distributedid.worker, distributedid.snowflake.worker",
        "distributedid.seq.photos.worker, distributedid.seq.photos.snowflake.worker",
        "distributedid.tickets.timeout, distributedid.timeout",
        "distributedid.seq.photos.lease.timeout, distributedid.seq.photos.timeout",
    })
    void aCloseNameIsTheOnlyOneThatIsSaid(String written, String meant) {
        assertThatThrownBy(() -> SettingNames.check(Set.of(written), KNOWN))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("There is no such setting: " + written + ". Did you mean " + meant + "?");
    }

    @ParameterizedTest
    @CsvSource({"distributedid.cache.size", "distributedid.url", "distributedid.seq.photos.url", "distributedid.seq"})
    void allNamesAreSaidIfNoneIsClose(String written) {
        assertThatThrownBy(() -> SettingNames.check(Set.of(written), KNOWN))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("There is no such setting: " + written + ". All settings: [distributedid.backend,"
                        + " distributedid.snowflake.worker, distributedid.ticket.servers,"
                        + " distributedid.ticket.table, distributedid.timeout]");
    }

    /** Two characters, or a third of the name's. */
    @ParameterizedTest
    @CsvSource({"phoxxs, photos", "photoxx, photos", "uzerz, users", "photos_of_abcrs, photos_of_users"})
    void theNearestNameIsOneThatDiffersInFewCharacters(String name, String near) {
        assertThat(SettingNames.near(name, Set.of("photos", "users", "photos_of_users")))
                .contains(near);
    }

    @ParameterizedTest
    @ValueSource(strings = {"phoxxx", "photosxxxx", "uxxxs", "a", "photos_of_abcdef"})
    void noNameIsNearOneThatDiffersInMore(String name) {
        assertThat(SettingNames.near(name, Set.of("photos", "users", "photos_of_users")))
                .isEmpty();
    }

    @Test
    void aKnownNameIsAccepted() {
        assertThatCode(() -> SettingNames.check(Set.of("distributedid.seq.photos.ticket.table"), KNOWN))
                .doesNotThrowAnyException();
    }
}
