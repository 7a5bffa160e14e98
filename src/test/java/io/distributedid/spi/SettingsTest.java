package io.distributedid.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    private static final String NAME = "distributedid.some.name";

    @ParameterizedTest
    @CsvSource({"250ms, 250", "10s, 10000", "5 m, 300000", "2H, 7200000", "PT1.5S, 1500"})
    void durationsAreReadInEveryUnit(String text, long millis) {
        assertThat(duration(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10", "ten", "-1s", "0ms", "25h", "999999999999h"})
    void otherDurationsAreRefused(String text) {
        assertThatThrownBy(() -> duration(text))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.some.name=" + text
                        + ", allowed: a duration from 1ms to 24h, as in 250ms, 10s, 5m, 2h or PT10S");
    }

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

    @Test
    void flagsAreTrueOrFalseAndNothingElse() {
        assertThat(settings("TRUE").get(Setting.flag(NAME, "For tests.", false)))
                .isTrue();
        assertThat(settings("false").get(Setting.flag(NAME, "For tests.", true)))
                .isFalse();
        assertThatThrownBy(() -> settings("yes").get(Setting.flag(NAME, "For tests.", true)))
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.some.name=yes, allowed: true, false");
    }

    @Test
    void choicesAreWrittenInLowerCase() {
        assertThat(settings("seconds").get(Setting.choice(NAME, "For tests.", java.util.concurrent.TimeUnit.DAYS)))
                .isEqualTo(java.util.concurrent.TimeUnit.SECONDS);
        assertThatThrownBy(() ->
                        settings("weeks").get(Setting.choice(NAME, "For tests.", java.util.concurrent.TimeUnit.DAYS)))
                .hasMessage("A setting has a value that is not allowed: distributedid.some.name=weeks, allowed:"
                        + " nanoseconds,"
                        + " microseconds, milliseconds, seconds, minutes, hours, days");
    }

    @Test
    void instantsAreInUtc() {
        Instant fallback = Instant.parse("2024-01-01T00:00:00Z");
        assertThat(settings("2025-06-01T00:00:00Z").get(Setting.instant(NAME, "For tests.", fallback)))
                .isEqualTo(Instant.parse("2025-06-01T00:00:00Z"));
        assertThatThrownBy(() -> settings("2025-06-01").get(Setting.instant(NAME, "For tests.", fallback)))
                .hasMessage("A setting has a value that is not allowed: distributedid.some.name=2025-06-01, allowed:"
                        + " an instant in UTC, as in 2024-01-01T00:00:00Z");
    }

    @Test
    void aRequiredNumberSaysWhyItIsRequired() {
        assertThatThrownBy(() -> settings(" ").require(Setting.number(NAME, "For tests.", 0, 1023), "It differs"))
                .hasMessage(
                        "A setting is missing: distributedid.some.name, allowed: a number from 0 to 1023. It differs");
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
