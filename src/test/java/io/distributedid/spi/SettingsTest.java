package io.distributedid.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    private static final String NAME = "distributedid.some.name";

    @Test
    void aPlaceholderThatWasNotResolvedIsRefusedWhateverTheSetting() {
        String advice = " was not resolved. Define it, or write the value itself";
        assertThatThrownBy(() -> duration("${TIMEOUT:${DEFAULT}}"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting has a value that is not allowed:"
                        + " distributedid.some.name=${TIMEOUT:${DEFAULT}}, allowed: a duration from 1ms to 24h")
                .hasMessageEndingWith(". The placeholder ${DEFAULT}" + advice);
        assertThatThrownBy(() -> settings("jdbc:mysql://${HOST}/ids?user=a").get(Setting.servers(NAME, "For tests.")))
                .hasMessageContaining("distributedid.some.name=jdbc:mysql://***, allowed: ")
                .hasMessageEndingWith(". The placeholder ${HOST}" + advice);
        assertThatThrownBy(() -> settings("${PASSWORD}").get(Setting.password(NAME, "For tests.")))
                .hasMessageContaining("distributedid.some.name=***, allowed: ")
                .hasMessageEndingWith(". The placeholder ***" + advice);
        assertThat(settings("a${b}c").get(Setting.password(NAME, "For tests.")))
                .as("a password may hold anything")
                .isEqualTo("a${b}c");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:mysql://clerk:top-secret@t1/tickets, jdbc:mysql://***",
        "mysql://t1/tickets?user=clerk&password=top-secret, mysql://***",
        "jdbc:h2:mem:a;PASSWORD=top-secret, jdbc:h2:***",
        "'t1, mysql://clerk:top-secret@t1/tickets', 't1, mysql://***'",
        "jdbc:mysql://t1/tickets, jdbc:mysql://t1/tickets",
    })
    void aUrlInTheWrongSettingIsReportedWithoutItsPassword(String value, String shown) {
        assertThatThrownBy(() -> settings(value).get(Setting.flag(NAME, "For tests.", true)))
                .hasMessage("A setting has a value that is not allowed: distributedid.some.name=" + shown
                        + ", allowed: true, false");
    }

    @Test
    void aSecretIsReportedWithoutItsValue() {
        Setting<String> password = Setting.password(NAME, "For tests.");

        assertThatThrownBy(() -> settings("top-secret").requireUnset(password, "nothing"))
                .hasMessage("A setting has a value that is not allowed: distributedid.some.name=***, allowed: nothing");
    }

    @Test
    void settingsOfOthersAreLeftAlone() {
        assertThat(Settings.of(Map.of("hibernate.show_sql", "true", 7, "seven")).asMap())
                .isEmpty();
    }

    private static Duration duration(String text) {
        return settings(text)
                .get(Setting.duration(NAME, "For tests.", Duration.ZERO, Duration.ofMillis(1), Duration.ofHours(24)));
    }

    private static Settings settings(String value) {
        return Settings.of(Map.of(NAME, value));
    }
}
