package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The file with which an IDE completes and explains {@code distributedid.*}, and the tables of settings in the
 * documentation, are made from the declarations: {@code mvn test -Dtest=GeneratedSettingsTest -Dsettings.write=true}.
 */
class GeneratedSettingsTest {

    private static final Path METADATA = Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");

    /** A marker names settings, or what several begin with; the longest one of a page counts. */
    private static final Pattern TABLE =
            Pattern.compile("<!-- settings: ([^>]+) -->\\n\\n(?:\\|[^\\n]*\\n)*\\n<!-- end of settings -->");

    /** A full name, or in documentation the beginning of a short one in code. */
    private static final Pattern NAME = Pattern.compile(
            "(?:(?<![\\w./@-])distributedid\\.|`(?=(?:ticket|sequence_table|redis|keyed|snowflake|next_id|shard|block)\\.))"
                    + "([a-z](?:[\\w.-]*\\w)?)");

    private static final Pattern TEXT =
            Pattern.compile("(?!.*/target/).*\\.(?:java|md|json|ya?ml|xml|properties|service|sql|html|js|sh)");

    private static final List<String> TEXTS =
            List.of("src/main", "src/docs", "README.md", "CONTRIBUTING.md", "integration-tests/examples");

    private static final Path FORMER_NAMES = Path.of("internals", "inventory.md");

    /** Meters of the server, a password of the command line, and examples of wrong or foreign settings. */
    private static final Set<String> OTHERS = Set.of(
            "server.waiting",
            "server.connections",
            "server.running",
            "server.requests",
            "server.numbers",
            "tiket.table",
            "my.size",
            "seq",
            "");

    private static final String METERS = "src/main/java/io/distributedid/micrometer";

    private static final Map<String, Setting<?>> OF_IDS = byName(InstalledBackends.declarations(), Setting.PREFIX);

    private static final Map<String, Setting<?>> OF_SERVER = byName(ServerSettings.ALL, ServerSettings.PREFIX);

    /** By the names without prefix, in the order of the declarations. */
    private static Map<String, Setting<?>> byName(List<Setting<?>> declared, String prefix) {
        return declared.stream()
                .collect(Collectors.toMap(
                        each -> each.name().substring(prefix.length()),
                        each -> each,
                        (one, other) -> {
                            throw new IllegalStateException("Declared twice: " + one);
                        },
                        LinkedHashMap::new));
    }

    @Test
    void theFileForIdesIsThatOfTheDeclarations() throws IOException {
        requireGenerated(METADATA, metadata());
    }

    @Test
    void thePageHasEachSetting() throws IOException {
        requireTables(Path.of("src/docs/settings.md"), OF_IDS);
    }

    /** They are on top of the page, without what is allowed, and with shorter sentences. */
    @Test
    void theFirstSettingsOfThePageHaveTheDefaultsThatAreDeclared() throws IOException {
        String page = Files.readString(Path.of("src/docs/settings.md"));
        String first = page.substring(page.indexOf("## The first twenty"), page.indexOf("## General"));

        assertThat(first.lines().filter(line -> line.startsWith("| `")))
                .hasSize(20)
                .allSatisfy(line -> {
                    String[] cells = line.split(" \\| ", 3);
                    Setting<?> setting = Objects.requireNonNull(OF_IDS.get(cells[0].replaceAll("[| `]", "")), line);
                    assertThat(row(setting, OF_IDS)).startsWith(cells[0] + " | " + cells[1] + " | ");
                });
    }

    @Test
    void thePageOfTheServerHasEachOfItsSettings() throws IOException {
        requireTables(Path.of("src/docs/issuing-service.md"), OF_SERVER);
    }

    /** In code, documentation and examples. Meters, and names of which settings are part, are none. */
    @Test
    void eachNameThatIsWrittenIsDeclared() throws IOException {
        Set<String> known = new HashSet<>(OTHERS);
        files(METERS).stream().flatMap(GeneratedSettingsTest::names).forEach(known::add);
        OF_IDS.keySet().forEach(name -> addWithParents(name, known));
        OF_SERVER.keySet().forEach(name -> addWithParents("server." + name, known));
        List<String> unknown = new ArrayList<>();
        for (String root : TEXTS) {
            for (Path file : files(root)) {
                names(file).filter(name -> !known.contains(name)).forEach(name -> unknown.add(file + ": " + name));
            }
        }
        assertThat(unknown).isEmpty();
    }

    private static void addWithParents(String name, Set<String> known) {
        for (int end = name.length(); end > 0; end = name.lastIndexOf('.', end - 1)) {
            known.add(plain(name.substring(0, end)));
        }
    }

    private static List<Path> files(String root) throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(root))) {
            return all.filter(file -> TEXT.matcher(file.toString()).matches() && !file.endsWith(FORMER_NAMES))
                    .toList();
        }
    }

    /** Without prefix and sequence, as Spring compares them. */
    private static Stream<String> names(Path file) {
        try {
            return NAME.matcher(Files.readString(file))
                    .results()
                    .map(name -> plain(name.group(1)
                            .replaceFirst("^seq\\.[^.]+(\\.|$)", "")
                            .replaceFirst("^server\\.token\\.[^.]+\\.", "server.token.NAME.")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String plain(String name) {
        return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    private static void requireGenerated(Path file, String expected) throws IOException {
        if (Boolean.getBoolean("settings.write")) {
            Files.writeString(file, expected);
        }
        assertThat(file).hasContent(expected);
    }

    private static void requireTables(Path page, Map<String, Setting<?>> declared) throws IOException {
        String text = Files.readString(page);
        List<String> all = TABLE.matcher(text)
                .results()
                .flatMap(table -> Arrays.stream(table.group(1).split(" ")))
                .toList();
        Map<String, List<Setting<?>>> tables = declared.entrySet().stream()
                .collect(Collectors.groupingBy(
                        each -> owner(each.getKey(), all),
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
        assertThat(tables.keySet()).containsExactlyInAnyOrderElementsOf(all);
        requireGenerated(
                page,
                TABLE.matcher(text)
                        .replaceAll(table -> Matcher.quoteReplacement(table(table.group(1), tables, declared))));
    }

    private static String owner(String name, Collection<String> all) {
        return all.stream()
                .filter(each -> each.endsWith(".") ? name.startsWith(each) : name.equals(each))
                .max(Comparator.comparingInt(String::length))
                .orElseThrow(() -> new AssertionError("No table has the setting " + name));
    }

    private static String table(String marker, Map<String, List<Setting<?>>> tables, Map<String, Setting<?>> names) {
        return "<!-- settings: " + marker + " -->\n\n| name | default | allowed | what it is for |\n|---|---|---|---|\n"
                + Arrays.stream(marker.split(" "))
                        .flatMap(each -> Objects.requireNonNull(tables.get(each)).stream())
                        .map(each -> row(each, names))
                        .collect(Collectors.joining())
                + "\n<!-- end of settings -->";
    }

    private static String row(Setting<?> setting, Map<String, Setting<?>> names) {
        String name = names.entrySet().stream()
                .filter(each -> each.getValue() == setting)
                .findFirst()
                .orElseThrow()
                .getKey();
        String byDefault = setting.defaultText();
        return "| `" + name + "` | "
                + (byDefault.isEmpty() ? "none" : isValue(setting, byDefault) ? "`" + byDefault + "`" : byDefault)
                + " | " + allowed(setting) + " | " + withCode(setting.description()) + " |\n";
    }

    private static String allowed(Setting<?> setting) {
        String text = setting.allowed();
        return switch (setting.kind()) {
            case NUMBER ->
                text.replace("a number from ", "")
                        .replace("" + (1L << 40), "2^40")
                        .replace("" + (1L << 60), "2^60")
                        .replace("" + Long.MAX_VALUE / 2, "2^62 - 1")
                        .replace("" + Long.MAX_VALUE, "2^63 - 1");
            case DURATION -> text.replace("a duration from ", "").replace(", as in 250ms, 10s, 5m, 2h or PT10S", "");
            case CHOICE, FLAG ->
                Arrays.stream(text.split(", ")).map(word -> "`" + word + "`").collect(Collectors.joining(", "));
            case SERVERS -> text.startsWith("JDBC URLs") ? "servers" : text;
            case TEXT, INSTANT, OBJECT ->
                text.startsWith("a name of letters")
                        ? "`name` or `schema.name`"
                        : text.replace("|", "\\|").replace("<", "\\<");
        };
    }

    /** Names of settings are code. */
    private static String withCode(String sentence) {
        String name = OF_IDS.keySet().stream()
                .filter(each -> each.contains(".") || each.contains("_"))
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        return sentence.replaceAll("(?<![\\w.])((?:" + name + ")(?:=\\w+)?)(?![\\w]|\\.\\w)", "`$1`");
    }

    private static boolean isValue(Setting<?> setting, String text) {
        try {
            return Settings.of(Map.of(setting.name(), text))
                    .find(setting)
                    .equals(Optional.of(Settings.of(Map.of()).get(setting)));
        } catch (IdConfigurationException e) {
            return false;
        }
    }

    private static String metadata() {
        Map<String, String> entries = new TreeMap<>();
        OF_IDS.forEach((name, setting) ->
                entries.put(name, entry(setting.name(), type(setting), description(setting), defaultValue(setting))));
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

    private static String description(Setting<?> setting) {
        return setting.description()
                + switch (setting.kind()) {
                    case SERVERS -> " In Spring also names of DataSource beans separated by commas.";
                    case NUMBER, DURATION, INSTANT -> " Allowed: " + setting.allowed() + ".";
                    case TEXT -> setting.isSecret() ? "" : " Allowed: " + setting.allowed() + ".";
                    case FLAG, CHOICE, OBJECT -> "";
                };
    }

    /** The words that an IDE offers. Other values are right too, unless the setting is a choice. */
    private static List<String> hints() {
        return new TreeMap<>(OF_IDS)
                .values().stream()
                        .filter(each -> !words(each).isEmpty())
                        .map(each -> "    {\n      \"name\": \"" + canonical(each.name()) + "\",\n      \"values\": ["
                                + words(each).stream()
                                        .map(word -> "{\"value\": \"" + word + "\"}")
                                        .collect(Collectors.joining(", "))
                                + "]"
                                + (each.kind() == Setting.Kind.CHOICE
                                        ? ""
                                        : ",\n      \"providers\": [{\"name\": \"any\"}]")
                                + "\n    }")
                        .toList();
    }

    private static Collection<String> words(Setting<?> setting) {
        return setting == CoreSettings.BACKEND ? new TreeSet<>(InstalledBackends.backendNames()) : setting.words();
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
        boolean plain = setting.kind() == Setting.Kind.NUMBER || setting.kind() == Setting.Kind.FLAG;
        return !isValue(setting, text) ? "" : plain ? text : "\"" + text.replace("\\", "\\\\") + "\"";
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
