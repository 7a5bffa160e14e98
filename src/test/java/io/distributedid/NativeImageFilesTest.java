package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hibernate.annotations.AttributeBinderType;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.Index;
import org.jboss.jandex.IndexReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The files for Quarkus and native images name exactly the classes that are created by reflection. */
class NativeImageFilesTest {

    private static final String NATIVE = "META-INF/native-image/io.distributedid/distributedid/";

    private static final Pattern NO_ARGUMENTS = Pattern.compile(
            "\\{\"name\": \"([\\w.$]+)\", \"methods\": \\[\\{\"name\": \"<init>\", \"parameterTypes\": \\[]}]}");

    private static final Pattern RESOURCE = Pattern.compile("\\\\\\\\Q(META-INF/services/[\\w.]+)\\\\\\\\E");

    private static Path classes;

    private static Index index;

    @BeforeAll
    static void readIndex() throws IOException, URISyntaxException {
        classes = Path.of(DistributedIds.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (InputStream in = Files.newInputStream(classes.resolve("META-INF/jandex.idx"))) {
            index = new IndexReader(in).read();
        }
    }

    /** All that Quarkus looks for. An index of every class would be a tenth of the jar. */
    @Test
    void theIndexHasOurAnnotationsAndAllForHibernate() throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            assertThat(files.map(file -> classes.relativize(file).toString())
                            .filter(file -> file.matches("io/distributedid/([^/]+|(hibernate|reactive)/.+)\\.class"))
                            .map(file -> file.substring(0, file.length() - ".class".length())
                                    .replace('/', '.')))
                    .containsExactlyInAnyOrderElementsOf(index.getKnownClasses().stream()
                            .map(ClassInfo::name)
                            .map(Object::toString)
                            .toList());
        }
    }

    @Test
    void everyGeneratorOfAnAnnotationAndEveryServiceProviderCanBeMade() throws IOException {
        Set<String> made = new TreeSet<>(generators());
        made.addAll(providers());
        assertThat(NO_ARGUMENTS
                        .matcher(Files.readString(classes.resolve(NATIVE + "reflect-config.json")))
                        .results()
                        .map(result -> result.group(1)))
                .isSorted()
                .containsExactlyInAnyOrderElementsOf(made)
                .allSatisfy(name -> {
                    Class<?> type = Class.forName(name);
                    assertThat(type).isPublic();
                    assertThat(Modifier.isPublic(type.getConstructor().getModifiers()))
                            .isTrue();
                });
    }

    @Test
    void everyListOfProvidersIsInTheImage() throws IOException {
        try (Stream<Path> lists = Files.list(classes.resolve("META-INF/services"))) {
            assertThat(RESOURCE.matcher(Files.readString(classes.resolve(NATIVE + "resource-config.json")))
                            .results()
                            .map(result -> result.group(1)))
                    .containsExactlyInAnyOrderElementsOf(lists.map(list -> "META-INF/services/" + list.getFileName())
                            .toList());
        }
    }

    private static Set<String> generators() {
        Set<String> generators = new TreeSet<>();
        Stream.of(IdGeneratorType.class, ValueGenerationType.class, AttributeBinderType.class)
                .flatMap(type -> index.getAnnotations(type).stream())
                .flatMap(annotation ->
                        Stream.of("value", "generatedBy", "binder").map(annotation::value))
                .filter(Objects::nonNull)
                .forEach(value -> generators.add(value.asClass().name().toString()));
        assertThat(generators).isNotEmpty();
        return generators;
    }

    private static Set<String> providers() throws IOException {
        Set<String> providers = new TreeSet<>();
        try (Stream<Path> lists = Files.list(classes.resolve("META-INF/services"))) {
            for (Path list : lists.toList()) {
                Matcher line = Pattern.compile("(?m)^[\\w.$]+$").matcher(Files.readString(list));
                while (line.find()) {
                    providers.add(line.group());
                }
            }
        }
        return providers;
    }
}
