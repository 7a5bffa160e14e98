package io.distributedid.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingSpellingTest {

    private final SettingSpelling spelling = new SettingSpelling(
            Set.of("distributedid.servers", "distributedid.ticket.servers", "distributedid.max_distance"));

    @ParameterizedTest
    @CsvSource({
        "distributedid.max_distance, distributedid.max_distance",
        "distributedid.max-distance, distributedid.max_distance",
        "distributedid.maxDistance, distributedid.max_distance",
        "Distributed-Id.maxDistance, distributedid.max_distance",
        "distributedid.seq.Photo-Ids.maxDistance, distributedid.seq.Photo-Ids.max_distance",
        "distributedid.seq.photos.no-such, distributedid.seq.photos.no-such",
        "distributedid.seq.photos, distributedid.seq.photos",
        "distributedid.No-Such, distributedid.No-Such",
    })
    void aPropertyIsSpeltAsSpringAllows(String property, String setting) {
        assertThat(spelling.ofProperty(property)).contains(setting);
    }

    @ParameterizedTest
    @ValueSource(strings = {"distributedids.ticket.servers", "spring.application.name", "distributedid", "path", ""})
    void propertiesOfOthersAreNone(String property) {
        assertThat(spelling.ofProperty(property)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "DISTRIBUTEDID_MAX_DISTANCE, distributedid.max_distance",
        "DISTRIBUTEDID_MAXDISTANCE, distributedid.max_distance",
        "distributedid_servers, distributedid.servers",
        "DISTRIBUTEDID_SEQ_PHOTOS_MAXDISTANCE, distributedid.seq.photos.max_distance",
        "DISTRIBUTEDID_SEQ_PHOTO_IDS_MAX_DISTANCE, distributedid.seq.photo_ids.max_distance",
        "DISTRIBUTEDID_SEQ_A_TICKET_SERVERS, distributedid.seq.a.ticket.servers",
        "DISTRIBUTEDID_SEQ_TICKET_SERVERS, distributedid.seq.ticket.servers",
    })
    void aVariableIsSpeltInCapitals(String variable, String setting) {
        assertThat(spelling.ofVariable(variable)).contains(setting);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PATH",
                "DISTRIBUTEDID",
                "DISTRIBUTEDID_NO_SUCH",
                "DISTRIBUTEDID_SEQ_PHOTOS_NO_SUCH",
                "DISTRIBUTEDID_SEQ__SERVERS",
                "DISTRIBUTEDID_SEQ_SERVERS",
                "DISTRIBUTEDID_OTHER_TICKET_SERVERS"
            })
    void variablesOfOthersAndUnknownOnesAreNone(String variable) {
        assertThat(spelling.ofVariable(variable)).isEqualTo(Optional.empty());
    }

    @Test
    void anIndexIsLeftOut() {
        assertThat(SettingSpelling.withoutIndex("ticket.servers[1]")).isEqualTo("ticket.servers");
        assertThat(SettingSpelling.withoutIndex("ticket.servers[1][20]")).isEqualTo("ticket.servers");
        assertThat(SettingSpelling.withoutIndex("ticket[1].servers")).isEqualTo("ticket[1].servers");
        assertThat(SettingSpelling.variableWithoutIndex("TICKET_SERVERS_12")).isEqualTo("TICKET_SERVERS");
        assertThat(SettingSpelling.variableWithoutIndex("TICKET_1_SERVERS")).isEqualTo("TICKET_1_SERVERS");
    }
}
