package io.distributedid.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTest {

    private static final String NAME = "distributedid.some.name";

    private static final Setting<Duration> DURATION =
            Setting.duration(NAME, "For tests.", Duration.ofSeconds(2), Duration.ofMillis(1), Duration.ofHours(24));

    @ParameterizedTest
    @CsvSource({
        "250ms, 250",
        "10s, 10000",
        "5 m, 300000",
        "2H, 7200000",
        "PT1.5S, 1500",
        "1h30m, 5400000",
        "'', 2000",
        "' ', 2000"
    })
    void aDurationIsReadInEveryUnitAndHasADefault(String text, long millis) {
        assertThat(settings(text).get(DURATION)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10", "ten", "-1s", "0ms", "25h", "999999999999h"})
    void otherDurationsAreRefused(String text) {
        assertRefused(DURATION, text, "a duration from 1ms to 24h, as in 250ms, 10s, 5m, 2h or PT10S");
    }

    @Test
    void aNumberIsReadWithinItsRange() {
        Setting<Long> number = Setting.number(NAME, "For tests.", 7, 0, 1023);

        assertThat(settings(" 1023 ").get(number)).isEqualTo(1023);
        assertThat(settings("").get(number)).isEqualTo(7);
        assertRefused(number, "1024", "a number from 0 to 1023");
        assertRefused(number, "1e3", "a number from 0 to 1023");
    }

    @Test
    void wordsAreThoseOfAChoiceOrOnesAmongOtherValues() {
        assertThat(Setting.choice(NAME, "For tests.", TimeUnit.DAYS).words()).contains("seconds", "days");
        assertThat(DURATION.words()).isEmpty();
        assertThat(DURATION.orWord("off").words()).containsExactly("off");
        assertThat(Setting.text(NAME, "For tests.", "any")
                        .withWords(List.of("lease"))
                        .withDefault("x")
                        .words())
                .containsExactly("lease");
    }

    @Test
    void aDefaultIsNamedAsItIsWritten() {
        assertThat(Setting.choice(NAME, "For tests.", TimeUnit.DAYS).defaultText())
                .isEqualTo("days");
        assertThat(DURATION.defaultText()).isEqualTo("2s");
        assertThat(DURATION.withDefault(Duration.ofSeconds(3)).defaultText()).isEqualTo("3s");
        assertThat(Setting.number(NAME, "For tests.", 7, 0, 1023).defaultText()).isEqualTo("7");
        assertThat(Setting.number(NAME, "For tests.", 7, 0, 1023)
                        .withDefault(9L)
                        .defaultText())
                .isEqualTo("9");
        assertThat(Setting.choice(NAME, "For tests.", TimeUnit.DAYS)
                        .withDefault(TimeUnit.HOURS)
                        .defaultText())
                .isEqualTo("hours");
    }

    @Test
    void aFlagIsTrueOrFalseAndNothingElse() {
        Setting<Boolean> flag = Setting.flag(NAME, "For tests.", true);

        assertThat(settings("FALSE").get(flag)).isFalse();
        assertThat(settings("").get(flag)).isTrue();
        assertRefused(flag, "yes", "true, false");
    }

    @Test
    void aChoiceIsWrittenInLowerCase() {
        Setting<TimeUnit> choice = Setting.choice(NAME, "For tests.", TimeUnit.DAYS);

        assertThat(settings("seconds").get(choice)).isEqualTo(TimeUnit.SECONDS);
        assertThat(choice.defaultText()).isEqualTo("days");
        assertRefused(choice, "weeks", "nanoseconds, microseconds, milliseconds, seconds, minutes, hours, days");
    }

    @Test
    void anInstantIsInUtc() {
        Setting<Instant> instant = Setting.instant(NAME, "For tests.", Instant.parse("2024-01-01T00:00:00Z"));

        assertThat(settings("2025-06-01T00:00:00Z").get(instant)).isEqualTo(Instant.parse("2025-06-01T00:00:00Z"));
        assertRefused(instant, "2025-06-01", "an instant in UTC, as in 2024-01-01T00:00:00Z");
    }

    @Test
    void aTableNeedsNoQuotes() {
        Setting<String> table = Setting.table(NAME, "For tests.", "sequence");

        assertThat(settings("ids.sequence").get(table)).isEqualTo("ids.sequence");
        assertRefused(
                table,
                "a; b",
                "a name of letters, digits and '_', optionally with its schema: name or" + " schema.name");
    }

    @Test
    void aWordMayStandForNoValue() {
        Setting<Optional<Duration>> bound = DURATION.orWord("off");

        assertThat(settings("OFF").get(bound)).isEmpty();
        assertThat(settings("3s").get(bound)).contains(Duration.ofSeconds(3));
        assertThat(settings("").get(bound)).contains(Duration.ofSeconds(2));
        assertRefused(bound, "on", "a duration from 1ms to 24h, as in 250ms, 10s, 5m, 2h or PT10S, or off");
    }

    @Test
    void otherSettingsMayDecideTheRange() {
        Setting<Duration> bound = DURATION.within(Duration.ofSeconds(1), Duration.ofSeconds(3));

        assertThat(settings("").get(bound)).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings("3s").get(bound)).isEqualTo(Duration.ofSeconds(3));
        assertRefused(bound, "4s", "a duration from 1s to 3s, as in 250ms, 10s, 5m, 2h or PT10S");
        assertThatThrownBy(() -> Setting.flag(NAME, "For tests.", true).within(false, true))
                .hasMessage("A setting without range: distributedid.some.name");
    }

    @Test
    void whatHasNoDefaultSaysWhyItIsRequired() {
        assertThatThrownBy(() -> settings(" ").require(Setting.number(NAME, "For tests.", 0, 1023), "It differs"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting is missing: distributedid.some.name, allowed: a number from 0 to 1023. It differs");
        assertThatThrownBy(() -> settings(" ").get(Setting.text(NAME, "For tests.", "a text")))
                .hasMessage("A setting is missing: distributedid.some.name, allowed: a text");
    }

    @Test
    void theErrorNamesTheSettingAsItIsWritten() {
        Settings settings = Settings.of(Map.of("distributedid.seq.photos.some.name", "no", NAME, "3s"));

        assertThat(settings.get(DURATION)).isEqualTo(Duration.ofSeconds(3));
        assertThatThrownBy(() -> settings.forSequence("photos").get(DURATION))
                .hasMessageContaining("distributedid.seq.photos.some.name=no");
    }

    @Test
    void aDeclarationSaysWhatItIs() {
        Setting<Duration> dependent = DURATION.defaultIs("half the window");

        assertThat(dependent.name()).isEqualTo(NAME);
        assertThat(dependent.kind()).isEqualTo(Setting.Kind.DURATION);
        assertThat(dependent.defaultText()).isEqualTo("half the window");
        assertThat(Setting.password(NAME, "For tests.").isSecret()).isTrue();
        assertThat(dependent.isLogged()).isFalse();
        assertThat(dependent.logged().isLogged()).isTrue();
        assertThat(DURATION.defaultText()).isEqualTo("2s");
        assertThat(DURATION.isSecret()).isFalse();
        assertThatThrownBy(() -> Setting.flag("some.name", "For tests.", true))
                .hasMessage("The name of a setting must begin with distributedid.: name=some.name");
    }

    @Test
    void aPasswordIsReadAsItIs() {
        assertThat(settings(" s3cr3t ").get(Setting.password(NAME, "For tests.")))
                .isEqualTo(" s3cr3t ");
    }

    @Test
    void anObjectIsNotLookedInto() {
        Object object = List.of("jdbc:h2:mem:t1");

        assertThat(Settings.of(Map.of(NAME, object)).get(Setting.servers(NAME, "For tests.")))
                .isSameAs(object);
    }

    @Test
    void aSequenceWithoutAValueTakesTheGeneralOne() {
        Settings settings = Settings.of(Map.of("distributedid.seq.photos.some.name", " ", NAME, "3s"));

        assertThat(settings.forSequence("users").get(DURATION)).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.forSequence("photos").find(DURATION))
                .as("blank: unset for it alone")
                .isEmpty();
        assertThat(settings.forSequence("photos").general().get(DURATION)).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.views()).hasSize(2);
    }

    @Test
    void whatMustNotBeSetIsRefusedWhateverItIs() {
        assertThatThrownBy(() -> settings("never").requireUnset(DURATION, "nothing, since it is off"))
                .hasMessage("A setting has a value that is not allowed: distributedid.some.name=never, allowed:"
                        + " nothing, since it is off");
    }

    @Test
    void aRangeHasBothItsEnds() {
        Setting<Long> number = Setting.number(NAME, "For tests.", 7, 3, 10);
        assertThat(settings("3").get(number)).isEqualTo(3);
        assertThat(settings("10").get(number)).isEqualTo(10);
        assertRefused(number, "2", "a number from 3 to 10");
        assertThat(settings("1ms").get(DURATION)).isEqualTo(Duration.ofMillis(1));
        assertThat(settings("24h").get(DURATION)).isEqualTo(Duration.ofHours(24));
        assertThat(settings("5").get(number.within(5L, 6L))).isEqualTo(5);
        assertRefused(number.within(5L, 6L), "7", "a number from 5 to 6");
    }

    @Test
    void aListIsWrittenWithCommasOrIsACollection() {
        Setting<List<String>> list = Setting.list(NAME, "For tests.", "names");

        assertThat(settings("a, b ,c").get(list)).containsExactly("a", "b", "c");
        assertThat(settings("a,").get(list)).containsExactly("a", "");
        assertThat(Settings.of(Map.of(NAME, List.of("a,b", " c "))).get(list)).containsExactly("a", "b", "c");
    }

    @Test
    void anObjectMayBeGivenByTheNameOfItsClass() {
        Setting<Object> object = Setting.object(NAME, "For tests.", List.class);

        assertThat(settings("a").get(object)).isEqualTo("a");
        assertThat(object.allowed())
                .isEqualTo("a java.util.List, or the name of such a class with a public no-argument constructor");
        assertThat(object.allowing("a list").allowed()).isEqualTo("a list");
        assertThat(object).hasToString(NAME);
    }

    @Test
    void sequencesThatHaveSettingsOfTheirOwnAreKnownByTheirNames() {
        Settings settings = Settings.of(Map.of(
                "distributedid.seq.users.backend",
                "memory",
                "distributedid.seq.photos.block.max",
                "1",
                "distributedid.seq.photos.block.min",
                "1",
                "distributedid.seq.none",
                "x",
                NAME,
                "3s"));

        assertThat(settings.sequences()).containsExactly("photos", "users");
        assertThat(settings.views()).hasSize(3);
        assertThat(Settings.of(Map.of(NAME, "s3cr3t"))).hasToString("Settings[" + NAME + "]");
    }

    @Test
    void whatMustNotBeSetMayBeAbsent() {
        settings("").requireUnset(DURATION, "nothing");

        assertThat(settings("x").given(DURATION)).contains("x");
        assertThat(settings("x").missing(DURATION, ""))
                .hasMessage("A setting is missing: distributedid.some.name, allowed: a duration from 1ms to 24h, as in"
                        + " 250ms, 10s, 5m, 2h or PT10S");
    }

    private static void assertRefused(Setting<?> setting, String text, String allowed) {
        assertThatThrownBy(() -> settings(text).get(setting))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.some.name=" + text + ", allowed: "
                        + allowed);
    }

    private static Settings settings(String value) {
        return Settings.of(Map.of(NAME, value));
    }
}
