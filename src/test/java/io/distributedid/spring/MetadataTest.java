package io.distributedid.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
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

    private static final Pattern LINK = Pattern.compile("\\{@link (?:[\\w.]*\\.)?(#?\\w+)(?:#\\w+\\([^)]*\\))?\\s*}");

    private static final Map<String, Setting.Kind> KINDS = InstalledBackends.declarations().stream()
            .collect(Collectors.toMap(
                    each -> each.name().substring(DistributedIdSettings.PREFIX.length()), Setting::kind));

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
                .map(name -> DistributedIdSettings.PREFIX + name)
                .containsExactlyInAnyOrderElementsOf(InstalledBackends.declarations().stream()
                        .map(Setting::name)
                        .toList());
        Map<String, String> entries = new TreeMap<>();
        constants.forEach(each -> {
            String name = each.group(3);
            entries.put(name, entry(DistributedIdSettings.PREFIX + name, type(name), text(each.group(1), names, name)));
        });
        entries.put(
                "seq",
                entry(
                        "distributedid.seq",
                        "java.util.Map<java.lang.String,java.util.Map<java.lang.String,java.lang.Object>>",
                        "The settings of one sequence, by its name: distributedid.seq.photos.backend."));
        return "{\n  \"groups\": [],\n  \"properties\": [\n" + String.join(",\n", entries.values())
                + "\n  ],\n  \"hints\": [\n    {\n      \"name\": \"distributedid.backend\",\n      \"values\": ["
                + String.join(", ", backends()) + "],\n      \"providers\": [{\"name\": \"any\"}]\n    }\n  ]\n}\n";
    }

    private static Set<String> backends() {
        Set<String> names = new TreeSet<>();
        ServiceLoader.load(BackendProvider.class).forEach(each -> names.add("{\"value\": \"" + each.name() + "\"}"));
        return names;
    }

    private static String type(String name) {
        return switch (Objects.requireNonNull(KINDS.get(name))) {
            case FLAG -> "java.lang.Boolean";
            case SERVERS -> "java.util.List<java.lang.String>";
            default -> "java.lang.String";
        };
    }

    private static String text(String javadoc, Map<String, String> names, String name) {
        String text = javadoc.replaceAll("\\n\\s*\\* ?", " ");
        text = LINK.matcher(text).replaceAll(link -> {
            String target = link.group(1);
            String setting = names.get(target.substring(target.startsWith("#") ? 1 : 0));
            return Matcher.quoteReplacement(setting == null ? target : canonical("distributedid." + setting));
        });
        text = text.replaceAll("\\{@code ([^}]*)}", "$1")
                .replaceAll("\\s+", " ")
                .strip();
        return KINDS.get(name) == Setting.Kind.SERVERS
                ? text + " In Spring also names of DataSource beans separated by commas."
                : text;
    }

    private static String entry(String name, String type, String description) {
        return "    {\n      \"name\": \"" + canonical(name) + "\",\n      \"type\": \"" + type
                + "\",\n      \"description\": \""
                + description.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n    }";
    }

    /** In the format of Spring's tools. */
    private static String canonical(String name) {
        return name.replace('_', '-');
    }
}
