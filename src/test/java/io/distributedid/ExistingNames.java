package io.distributedid;

import io.distributedid.cli.Main;
import io.distributedid.cli.SettingsOptions;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.spi.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import picocli.CommandLine;

/** The names that a user can meet, by the sections of the inventory. */
final class ExistingNames {

    /** Names that an expression finds in the files below a folder, each of which begins with its path. */
    private static final String FOUND = """
            Meters of the issuing service | (?:builder\\(|gauge\\(registry, )"(distributedid\\.server\\.[a-z]+)" | src/main/java/io/distributedid/server
            Options of the issuing service | "(--[a-z-]+|-D)" | src/main/java/io/distributedid/server/Main.java
            Options of the issuing service | "(--[a-z-]+|-D)" | src/main/java/io/distributedid/cli/SettingsOptions.java
            Events of the Flight Recorder | @Name\\("(io\\.[\\w.]+)" | src/main/java
            Alerts | alert: (\\w+) | src/main/resources/META-INF/distributedid
            Auto-configurations | (io\\.distributedid\\.spring\\.[\\w.]+) | src/main/resources/META-INF
            Services | (?m)^(?:.*services/)?([\\w.]+)$ | src/main/resources/META-INF/services
            Module | (?m)^ *([a-z]+)(?: transitive| static)* ([a-z][\\w.]+) | src/main/java/module-info.java
            Native images | "(?:name|pattern)": "(?:\\\\\\\\Q)?([\\w./-]+) | src/main/resources/META-INF/native-image
            Files that are shipped | \\A.*(?:docs/service|META-INF/distributedid|resources/.*/server)/([\\w.-]+)\\n | src
            Scripts | \\A(\\S+) | .ci
            Maven profiles | <profile>\\s*<id>(\\w+) | pom.xml
            Maven profiles | <profile>\\s*<id>(\\w+) | .ci/pom.xml
            Consumers of the jar | \\A\\S+?/((?:examples|databases|hosts)/[\\w-]+)/pom\\.xml\\n | integration-tests
            Benchmark groups | \\A.*java/benchmarks/(\\w+)/ | integration-tests/benchmarks/src/main/java
            Names of others | "((?:ja\\w+\\.\\w+|hibernate|eclipselink|management)\\.[a-z][\\w.-]*)" | src/main/java
            Pages | \\Asrc/docs/([\\w-]+\\.md) | src/docs
            """;

    private ExistingNames() {}

    static Map<String, Collection<String>> bySection() throws Exception {
        Map<String, Collection<String>> all = new TreeMap<>();
        for (String line : FOUND.lines().toList()) {
            String[] parts = line.split(" \\| ");
            for (Path file : tree(parts[2])) {
                Pattern.compile(parts[1])
                        .matcher(text(file))
                        .results()
                        .map(name -> name.groupCount() == 1 ? name.group(1) : name.group(1) + " " + name.group(2))
                        .forEach(all.computeIfAbsent(parts[0], section -> new TreeSet<>())::add);
            }
        }
        all.put("Settings", withoutPrefix(InstalledBackends.declarations(), "distributedid."));
        all.put(
                "Settings of the issuing service",
                withoutPrefix(
                        (List<?>) hidden("io.distributedid.server.ServerSettings", "ALL"), "distributedid.server."));
        all.put("Annotations", members(Class::isAnnotation));
        all.put("Exported types", exported().stream().map(ExistingNames::name).toList());
        all.put("SPI", members(ExistingNames::isOfSpi));
        all.put("Public methods", members(type -> !type.isAnnotation() && !isOfSpi(type)));
        all.put("Commands", commands());
        all.put("Environment variables", variables());
        all.put("Meters", meters());
        all.put("Paths of the issuing service", paths());
        all.put("Problem types", words("io.distributedid.server.ProblemType", "-"));
        all.put("Rights of tokens", words("io.distributedid.server.Right", "-"));
        all.put("Layouts", words("io.distributedid.internal.layout.LayoutParser$Preset", "_"));
        all.put("Beans of Spring", beans());
        all.put("Tables and columns", columns());
        return all;
    }

    /** All main sources, pages and scripts, without line ends, and with the parts of a text joined. */
    static String sources() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String root :
                List.of("src", ".ci", "pom.xml", "README.md", "CONTRIBUTING.md", "integration-tests/README.md")) {
            for (Path file : tree(root)) {
                if (!file.toString().matches(".*(internals/inventory|src/test/.*Test|\\.png).*")) {
                    all.append(text(file).replaceAll("\"\\s*\\+\\s*\"", "")).append('\n');
                }
            }
        }
        return all.toString().replaceAll("\\s+", " ");
    }

    private static List<String> withoutPrefix(List<?> settings, String prefix) {
        return settings.stream()
                .map(each -> ((Setting<?>) each).name().substring(prefix.length()))
                .toList();
    }

    private static List<Path> tree(String root) throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(root))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static String text(Path file) throws IOException {
        return file + "\n" + Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private static Object hidden(String type, String field) throws ReflectiveOperationException {
        Field found = Class.forName(type).getDeclaredField(field);
        found.setAccessible(true);
        return found.get(null);
    }

    private static List<String> words(String type, String between) throws ClassNotFoundException {
        return Arrays.stream(Class.forName(type).getEnumConstants())
                .map(each -> ((Enum<?>) each).name().toLowerCase(Locale.ROOT).replace("_", between))
                .toList();
    }

    private static List<Class<?>> classes(String name) throws IOException, ClassNotFoundException {
        List<Class<?>> all = new ArrayList<>();
        for (Path file : tree("target/classes/" + name.replace('.', '/'))) {
            String path = Path.of("target/classes").relativize(file).toString();
            if (path.matches("[\\w/$]+\\.class")) {
                String type = path.replace(".class", "").replace('/', '.');
                all.add(Class.forName(type, false, ExistingNames.class.getClassLoader()));
            }
        }
        all.removeIf(type -> !type.getPackageName().equals(name));
        return all;
    }

    private static List<Class<?>> exported() throws IOException, ClassNotFoundException {
        List<Class<?>> all = new ArrayList<>();
        Matcher exports = Pattern.compile("exports (\\S+);").matcher(text(Path.of("src/main/java/module-info.java")));
        while (exports.find()) {
            all.addAll(classes(exports.group(1)));
        }
        all.removeIf(type -> !isPublic(type));
        return all;
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) && (!type.isMemberClass() || isPublic(type.getEnclosingClass()));
    }

    private static boolean isOfSpi(Class<?> type) {
        return type.getPackageName().endsWith(".spi");
    }

    private static String name(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }

    /** {@code Type.method(String, int)}; a record has a line {@code Type(component, component)}. */
    private static List<String> members(Predicate<Class<?>> wanted) throws IOException, ClassNotFoundException {
        List<String> lines = new ArrayList<>();
        for (Class<?> type : exported()) {
            if (wanted.test(type) && !type.getSimpleName().equals("DistributedIdSettings")) {
                Stream.of(type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
                        .flatMap(Arrays::stream)
                        .map(Member.class::cast)
                        .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
                        .map(each -> line(type, each))
                        .filter(line -> !line.isEmpty())
                        .forEach(lines::add);
            }
        }
        return lines;
    }

    /** Empty if the member goes without saying. */
    private static String line(Class<?> type, Member member) {
        if (!(member instanceof Executable code)) {
            return name(type) + "." + member.getName();
        }
        String types = list(Arrays.stream(code.getParameterTypes()).map(Class::getSimpleName));
        RecordComponent[] parts = type.isRecord() ? type.getRecordComponents() : new RecordComponent[0];
        if (!(member instanceof Method)) {
            boolean isOfRecord = type.isRecord() && code.getParameterCount() == parts.length;
            return name(type) + (isOfRecord ? list(Arrays.stream(parts).map(RecordComponent::getName)) : types);
        }
        String usual = type.isEnum() ? "values|valueOf|toString" : "equals|hashCode|toString";
        boolean isUsual = member.getName().matches(usual)
                || Arrays.stream(parts).anyMatch(part -> part.getAccessor().equals(code));
        return isUsual ? "" : name(type) + "." + member.getName() + (type.isAnnotation() ? "" : types);
    }

    private static String list(Stream<String> words) {
        return words.collect(Collectors.joining(", ", "(", ")"));
    }

    private static Set<String> commands() throws ReflectiveOperationException {
        Method make = Arrays.stream(Main.class.getDeclaredMethods())
                .filter(each -> each.getName().equals("commandLine"))
                .findFirst()
                .orElseThrow();
        make.setAccessible(true);
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Function<String, Optional<String>> terminal = question -> Optional.empty();
        CommandLine program =
                (CommandLine) make.invoke(null, new SettingsOptions(Map.of()), nowhere, nowhere, terminal);
        Set<String> names = new TreeSet<>(program.getSubcommands().keySet());
        Stream.concat(Stream.of(program), program.getSubcommands().values().stream())
                .forEach(command -> command.getCommandSpec().options().stream()
                        .filter(option -> !option.inherited())
                        .forEach(option -> names.add(command.getCommandName() + " " + option.longestName())));
        return names;
    }

    private static List<String> variables() throws ReflectiveOperationException {
        Method variable = SettingsOptions.class.getDeclaredMethod("variable", String.class);
        variable.setAccessible(true);
        List<String> names = new ArrayList<>();
        for (Object each : (List<?>) hidden("io.distributedid.cli.SettingsOptions", "PASSWORDS")) {
            names.add((String) variable.invoke(null, each));
        }
        return names;
    }

    private static List<String> meters() throws SQLException {
        try (MeteredIds metered = MeteredIds.start(false)) {
            return metered.registry().getMeters().stream()
                    .map(each -> each.getId().getName())
                    .toList();
        }
    }

    private static List<String> paths() throws IOException {
        String description = text(Path.of("src/main/resources/io/distributedid/server/openapi.yaml"));
        return Arrays.stream(description.split("\n  (?=/)"))
                .flatMap(path -> Pattern.compile("(?m)^    (get|post):")
                        .matcher(path)
                        .results()
                        .map(method ->
                                method.group(1).toUpperCase(Locale.ROOT) + " " + path.substring(0, path.indexOf(':'))))
                .toList();
    }

    private static List<String> beans() throws IOException, ClassNotFoundException {
        return Stream.of(classes("io.distributedid.spring"), classes("io.distributedid.spring.data"))
                .flatMap(List::stream)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Bean.class))
                .map(method -> List.of(method.getAnnotation(Bean.class).name()).stream()
                        .findFirst()
                        .orElse(method.getName()))
                .toList();
    }

    private static List<String> columns() {
        Map<String, String> settings = Map.of(
                "distributedid.backend", "ticket",
                "distributedid.keyed.backend", "section",
                "distributedid.seq.albums.backend", "sequence_table",
                "distributedid.seq.comments.backend", "snowflake",
                "distributedid.seq.comments.snowflake.worker", "lease",
                "distributedid.seq.comments.snowflake.lease.server", "jdbc:h2:mem:ids");
        return IdAdmin.ddl(settings, "h2").stream()
                .flatMap(sql -> Pattern.compile("(?<=[(,] ?)([a-z_]+) [A-Z]")
                        .matcher(sql)
                        .results()
                        .map(column -> sql.split("[ (]+")[5] + "." + column.group(1)))
                .toList();
    }
}
