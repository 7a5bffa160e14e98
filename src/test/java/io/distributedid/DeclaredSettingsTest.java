package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The constants and the page of settings say what the declarations say. */
class DeclaredSettingsTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** {@code 100ms to 1m}, {@code 1,000,000 to 2^60}. */
    private static final Pattern RANGE =
            Pattern.compile("\\b([0-9][0-9,]*(?:ms|[smh])?) to ([0-9][0-9,^]*(?:ms|[smh])?)\\b");

    private static final Pattern LIKE = Pattern.compile("\\bas `([^`]+)`");

    private static final Pattern POWER = Pattern.compile("2\\^(\\d+)");

    private static final Pattern DEFAULT = Pattern.compile("\\bDefault (\\S+?)[.;:,]?(?= |$)");

    private static final Pattern ENTRY =
            Pattern.compile("\"name\": \"distributedid\\.([^\"]+)\",[^}]*?\"description\": \"((?:[^\"\\\\]|\\\\.)*)\"");

    /** Without the prefix. */
    private static final Map<String, Setting<?>> DECLARED = InstalledBackends.declarations().stream()
            .collect(Collectors.toMap(
                    each -> each.name().substring(Setting.PREFIX.length()),
                    each -> each,
                    (one, other) -> {
                        throw new IllegalStateException("Declared twice: " + one);
                    },
                    TreeMap::new));

    private record Row(String name, String byDefault, String text) {}

    @Test
    void everyConstantIsDeclaredAndEveryDeclarationHasAConstant() {
        Set<String> constants = Arrays.stream(DistributedIdSettings.class.getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .map(DeclaredSettingsTest::value)
                .filter(name -> !name.endsWith("."))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(constants).isEqualTo(InstalledBackends.settingNames());
    }

    private static String value(Field constant) {
        try {
            return (String) constant.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aConstantIsNamedAfterItsSetting() throws ReflectiveOperationException {
        for (String name : DECLARED.keySet()) {
            String constant = name.toUpperCase(Locale.ROOT).replace('.', '_');

            assertThat(DistributedIdSettings.class.getField(constant).get(null))
                    .isEqualTo(Setting.PREFIX + name);
        }
    }

    @Test
    void thePageHasTheDefaults() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        for (Row row : rows()) {
            Setting<?> setting = declared(row.name());
            if (row.byDefault().startsWith("`")) {
                assertDefault(softly, row.name(), row.byDefault().replace("`", ""));
            } else {
                softly.assertThat(row.byDefault())
                        .as(row.name())
                        .isEqualTo(setting.defaultText().isEmpty() ? "none" : setting.defaultText());
            }
        }
        softly.assertAll();
    }

    @Test
    void thePageHasTheRanges() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        int ranges = 0;
        for (Row row : rows()) {
            Matcher like = LIKE.matcher(row.text());
            if (like.find()) {
                softly.assertThat(declared(row.name()).allowed())
                        .as(row.name())
                        .isEqualTo(declared(like.group(1)).allowed());
            } else {
                ranges += assertRange(softly, row.name(), row.text());
            }
        }
        softly.assertAll();
        assertThat(ranges).isEqualTo(20);
    }

    /** They stand in the file for IDEs too. */
    @Test
    void theConstantsHaveTheDefaultsAndTheRanges() throws IOException {
        SoftAssertions softly = new SoftAssertions();
        int ranges = 0;
        int defaults = 0;
        Matcher entry = ENTRY.matcher(
                Files.readString(Path.of("src/main/resources/META-INF/spring-configuration-metadata.json")));
        while (entry.find()) {
            String name = entry.group(1).replace('-', '_');
            String text = entry.group(2).replace("\\\\", "\\");
            if (!name.equals("seq")) {
                ranges += assertRange(softly, name, text);
                Matcher byDefault = DEFAULT.matcher(text);
                if (byDefault.find()) {
                    defaults++;
                    assertDefault(softly, name, byDefault.group(1));
                }
            }
        }
        softly.assertAll();
        assertThat(ranges).isEqualTo(20);
        assertThat(defaults).isGreaterThan(20);
    }

    private static void assertDefault(SoftAssertions softly, String name, String text) {
        Setting<?> setting = declared(name);
        softly.assertThat(Settings.of(Map.of(setting.name(), text)).find(setting))
                .as(name + "=" + text)
                .isEqualTo(Optional.of(Settings.of(Map.of()).get(setting)));
    }

    private static int assertRange(SoftAssertions softly, String name, String text) {
        Setting<?> setting = declared(name);
        Matcher range = RANGE.matcher(text);
        if (!Set.of(Setting.Kind.NUMBER, Setting.Kind.DURATION).contains(setting.kind()) || !range.find()) {
            return 0;
        }
        softly.assertThat(setting.allowed())
                .as(name)
                .contains("from " + plain(range.group(1)) + " to " + plain(range.group(2)));
        return 1;
    }

    private static String plain(String number) {
        Matcher power = POWER.matcher(number);
        if (!power.matches()) {
            return number.replace(",", "");
        }
        long value = 1L << Integer.parseInt(power.group(1));
        return Long.toString(number.equals("2^62") ? value - 1 : value);
    }

    private static Setting<?> declared(String name) {
        return Optional.<Setting<?>>ofNullable(DECLARED.get(name)).orElseThrow();
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = Page.of("src/docs/settings.md")
                .text()
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("(?<!\\\\)\\|", -1))
                .flatMap(cells -> CODE.matcher(cells[1])
                        .results()
                        .map((MatchResult name) -> new Row(name.group(1), cells[2].strip(), cells[3].strip())))
                .toList();
        assertThat(rows).hasSameSizeAs(DECLARED.keySet());
        return rows;
    }
}
