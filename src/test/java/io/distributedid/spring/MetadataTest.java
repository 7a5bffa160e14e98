package io.distributedid.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The metadata with which an IDE completes and explains {@code distributedid.*} in application.yml agrees with the
 * Javadoc of {@link DistributedIdSettings}. {@code mvn test -Dtest=MetadataTest -Dmetadata.write=true} writes it.
 */
class MetadataTest {

    private static final Path FILE = Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");

    private static final Path SOURCE = Path.of("src/main/java/io/distributedid/DistributedIdSettings.java");

    private static final Pattern CONSTANT = Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*public static final String (\\w+) = PREFIX \\+ \"([^\"]+[^.\"])\";",
            Pattern.DOTALL);

    private static final Pattern LINK =
            Pattern.compile("\\{@link (?:[\\w.]*\\.)?(#?\\w+)(?:#\\w+(?:\\([^)]*\\))?)?\\s*}");

    private static final Map<String, Setting<?>> DECLARED = InstalledBackends.declarations().stream()
            .collect(Collectors.toMap(
                    each -> each.name().substring(Setting.PREFIX.length()),
                    each -> each,
                    (one, other) -> one,
                    TreeMap::new));

    @Test
    void theFileForIdesIsThatOfTheJavadoc() throws IOException {
        String expected = metadata(Files.readString(SOURCE));
        if (Boolean.getBoolean("metadata.write")) {
            Files.writeString(FILE, expected);
        }
        assertThat(FILE).hasContent(expected);
    }

    private static String metadata(String source) {
        List<MatchResult> constants = CONSTANT.matcher(source).results().toList();
        Map<String, String> names = new TreeMap<>();
        constants.forEach(each -> names.put(each.group(2), each.group(3)));
        assertThat(names.values())
                .as("constants found in the source")
                .map(name -> Setting.PREFIX + name)
                .containsExactlyInAnyOrderElementsOf(InstalledBackends.declarations().stream()
                        .map(Setting::name)
                        .toList());
        Map<String, String> entries = new TreeMap<>();
        constants.forEach(each -> {
            String name = each.group(3);
            entries.put(
                    name,
                    entry(
                            Setting.PREFIX + name,
                            type(declared(name)),
                            text(each.group(1), names, name),
                            defaultValue(declared(name))));
        });
        entries.put(
                "seq",
                entry(
                        "distributedid.seq",
                        "java.util.Map<java.lang.String,java.util.Map<java.lang.String,java.lang.Object>>",
                        "The settings of one sequence, by its name: distributedid.seq.photos.backend.",
                        ""));
        return "{\n  \"groups\": [],\n  \"properties\": [\n" + String.join(",\n", entries.values())
                + "\n  ],\n  \"hints\": [\n" + String.join(",\n", hints()) + "\n  ]\n}\n";
    }

    private static Setting<?> declared(String name) {
        return Objects.requireNonNull(DECLARED.get(name));
    }

    /** The words that an IDE offers. Other values are right too, unless the setting is a choice. */
    private static List<String> hints() {
        return DECLARED.entrySet().stream()
                .filter(each -> !words(each.getValue()).isEmpty())
                .map(each -> "    {\n      \"name\": \"" + canonical(Setting.PREFIX + each.getKey())
                        + "\",\n      \"values\": ["
                        + words(each.getValue()).stream()
                                .map(word -> "{\"value\": \"" + word + "\"}")
                                .collect(Collectors.joining(", "))
                        + "]"
                        + (each.getValue().kind() == Setting.Kind.CHOICE
                                ? ""
                                : ",\n      \"providers\": [{\"name\": \"any\"}]")
                        + "\n    }")
                .toList();
    }

    private static Collection<String> words(Setting<?> setting) {
        return setting.name().equals("distributedid.backend")
                ? new TreeSet<>(InstalledBackends.backendNames())
                : setting.words();
    }

    /** A duration with a word, as {@code off}, is a text for IDEs. */
    private static String type(Setting<?> setting) {
        return switch (setting.kind()) {
            case FLAG -> "java.lang.Boolean";
            case NUMBER -> "java.lang.Long";
            case DURATION -> setting.words().isEmpty() ? "java.time.Duration" : "java.lang.String";
            case INSTANT -> "java.time.Instant";
            case SERVERS -> "java.util.List<java.lang.String>";
            case OBJECT -> "java.lang.Class<?>";
            case TEXT, CHOICE -> "java.lang.String";
        };
    }

    /** As JSON; empty without default, and where the default depends on other settings. */
    private static String defaultValue(Setting<?> setting) {
        String text = setting.defaultText();
        try {
            Settings none = Settings.of(Map.of());
            if (!Settings.of(Map.of(setting.name(), text)).find(setting).equals(Optional.of(none.get(setting)))) {
                return "";
            }
        } catch (IdConfigurationException e) {
            return "";
        }
        boolean plain = setting.kind() == Setting.Kind.NUMBER || setting.kind() == Setting.Kind.FLAG;
        return plain ? text : "\"" + text.replace("\\", "\\\\") + "\"";
    }

    private static String text(String javadoc, Map<String, String> names, String name) {
        String text = javadoc.replaceAll("\\n\\s*\\* ?", " ");
        text = LINK.matcher(text).replaceAll(link -> {
            String target = link.group(1);
            String setting = names.get(target.substring(target.startsWith("#") ? 1 : 0));
            return Matcher.quoteReplacement(setting == null ? target : canonical("distributedid." + setting));
        });
        text = text.replaceAll("\\{@code ([^}]*)}", "$1")
                .replace("<p>", " ")
                .replaceAll("\\s+", " ")
                .strip();
        return declared(name).kind() == Setting.Kind.SERVERS
                ? text + " In Spring also names of DataSource beans separated by commas."
                : text;
    }

    private static String entry(String name, String type, String description, String defaultValue) {
        return "    {\n      \"name\": \"" + canonical(name) + "\",\n      \"type\": \"" + type
                + "\",\n      \"description\": \""
                + description.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
                + (defaultValue.isEmpty() ? "" : ",\n      \"defaultValue\": " + defaultValue) + "\n    }";
    }

    /** In the format of Spring's tools. */
    private static String canonical(String name) {
        return name.replace('_', '-');
    }
}
