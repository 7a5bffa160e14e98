package io.distributedid;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.distributedid.internal.process.LibraryThread;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Imports run down the table below, and nowhere else. */
class ArchitectureTest {

    /**
     * From top to bottom: a package, the packages it imports, and the libraries it imports. A package is written
     * without {@code io.distributedid}, the root as {@code root}. {@code DistributedIds} stands for itself and
     * {@code IdAdmin}: they alone of the root look down. The annotations name the classes that Hibernate is to make for
     * them, which in turn read the annotations: the one circle.
     */
    private static final List<String> TABLE = List.of(
            "server: cli micrometer DistributedIds internal.registry internal.keyed"
                    + " internal.keyed.source internal.layout internal.service internal.settings internal.process spi root"
                    + " | picocli io.vertx.core io.netty.channel io.netty.handler io.netty.util"
                    + " io.micrometer.core io.micrometer.prometheusmetrics"
                    + " javax.net.ssl",
            "cli: DistributedIds internal.registry"
                    + " internal.place internal.layout internal.existing internal.settings internal.jdbc"
                    + " spi root"
                    + " | picocli javax.xml org.w3c.dom org.xml.sax org.yaml.snakeyaml",
            "spring.data: spring DistributedIds internal.start internal.property internal.settings spi root"
                    + " | org.springframework org.reactivestreams reactor.core",
            "spring: hibernate eclipselink micrometer DistributedIds internal.registry internal.settings spi root"
                    + " | org.springframework org.hibernate jakarta.persistence io.micrometer.core",
            "micrometer: DistributedIds root | io.micrometer.core",
            "mybatisplus: internal.mapper internal.property DistributedIds root"
                    + " | com.baomidou.mybatisplus org.apache.ibatis",
            "mybatis: internal.mapper internal.property DistributedIds root | org.apache.ibatis",
            "jooq: internal.mapper internal.property DistributedIds root | org.jooq",
            "crac: internal.registry | org.crac",
            "eclipselink: DistributedIds internal.start internal.registry internal.property internal.settings spi root"
                    + " | org.eclipse.persistence jakarta.persistence",
            "reactive: hibernate.internal.generate hibernate.internal root | org.hibernate io.vertx.core",
            "hibernate: hibernate.internal.generate hibernate.internal DistributedIds spi root"
                    + " | org.hibernate jakarta.persistence",
            "hibernate.internal.query: hibernate.internal.generate hibernate.internal DistributedIds spi root |"
                    + " org.hibernate",
            "hibernate.internal.schema: hibernate.internal.generate hibernate.internal.mapping hibernate.internal"
                    + " internal.start DistributedIds internal.registry internal.keyed internal.existing"
                    + " internal.property internal.settings internal.jdbc spi root | org.hibernate",
            "hibernate.internal.generate: hibernate.internal.mapping hibernate.internal DistributedIds"
                    + " internal.registry internal.keyed internal.place internal.block internal.property"
                    + " internal.settings spi root | org.hibernate",
            "hibernate.internal.mapping: internal.property root | org.hibernate jakarta.persistence",
            "hibernate.internal: DistributedIds internal.place internal.settings internal.jdbc spi"
                    + " root | org.hibernate",
            "internal.start: DistributedIds internal.place internal.existing internal.settings"
                    + " internal.jdbc internal.process spi root",
            "internal.mapper: internal.property DistributedIds spi root",
            "DistributedIds: internal.registry spi root",
            "internal.registry: internal.keyed internal.place internal.block internal.existing"
                    + " internal.ledger internal.settings internal.jdbc internal.process spi root",
            "backend.ticket: internal.counter.ledger internal.counter internal.counter.sql internal.ledger"
                    + " internal.settings internal.jdbc internal.process"
                    + " spi root",
            "backend.sequencetable: internal.counter.ledger internal.counter internal.counter.sql internal.ledger"
                    + " internal.settings"
                    + " internal.jdbc internal.process spi root",
            "backend.redis: internal.counter internal.ledger internal.jdbc internal.process spi"
                    + " root"
                    + " | io.lettuce javax.net",
            "backend.memory: internal.settings spi root",
            "backend.remote: internal.block internal.layout internal.service internal.failover"
                    + " internal.jdbc internal.process spi root",
            "backend.nextid: internal.block internal.layout internal.settings internal.jdbc internal.process spi root",
            "backend.snowflake: internal.lease internal.block internal.layout internal.ledger internal.zookeeper"
                    + " internal.settings internal.jdbc internal.process spi root",
            "internal.keyed: internal.keyed.remote internal.keyed.row internal.keyed.served internal.keyed.source"
                    + " internal.place internal.service internal.settings internal.jdbc internal.process spi root",
            "internal.keyed.remote: internal.keyed.source internal.service internal.process root",
            "internal.keyed.served: internal.keyed.row internal.keyed.source internal.lease internal.ledger"
                    + " internal.jdbc internal.process spi root | com.carrotsearch.hppc",
            "internal.keyed.row: internal.keyed.source internal.jdbc internal.process spi root",
            "internal.counter.ledger: internal.counter internal.ledger internal.jdbc spi",
            "internal.counter: internal.counter.sql internal.block internal.ledger internal.failover"
                    + " internal.settings internal.jdbc internal.process spi root",
            "internal.block: internal.settings internal.jdbc internal.process spi root",
            "internal.layout: spi root",
            "internal.keyed.source: internal.process",
            "internal.place: internal.ledger internal.jdbc internal.process spi root",
            "internal.existing: internal.property internal.jdbc internal.process spi root",
            "internal.service: internal.failover internal.settings internal.jdbc internal.process spi root"
                    + " | javax.net",
            "internal.counter.sql: internal.jdbc spi",
            "internal.failover: internal.jdbc internal.process root",
            "internal.property: root",
            "internal.lease: internal.ledger internal.zookeeper internal.jdbc internal.process spi root",
            "internal.ledger: internal.zookeeper internal.jdbc internal.process spi root | org.apache.zookeeper",
            "internal.zookeeper: internal.process spi",
            "internal.settings: internal.jdbc spi root",
            "internal.jdbc: internal.process spi root",
            "internal.process: root",
            "spi: root",
            "root:");

    private static final String ROOT = "io.distributedid";

    private static final Set<String> ANNOTATIONS =
            Set.of(DistributedId.class.getSimpleName(), DistributedValue.class.getSimpleName());

    private static final List<String> JDK = List.of("java", "jdk.jfr", "javax.naming", "javax.sql", "org.jspecify");

    private static final Map<String, Row> ROWS = rows();

    private static final JavaClasses CLASSES = classes();

    private record Row(List<String> packages, List<String> libraries) {}

    /** Of libraries only the names are looked at, so that their classes need not be read. */
    private static JavaClasses classes() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter().importPath(Path.of("target", "classes"));
    }

    private static Map<String, Row> rows() {
        Map<String, Row> rows = new LinkedHashMap<>();
        for (String line : TABLE) {
            String[] halves = line.substring(line.indexOf(':') + 1).split("\\|");
            rows.put(
                    line.substring(0, line.indexOf(':')),
                    new Row(words(halves[0]), halves.length == 1 ? List.of() : words(halves[1])));
        }
        return rows;
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.trim().split(" "))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    @Test
    void theTableRunsDown() {
        List<String> above = new ArrayList<>();
        ROWS.forEach((name, row) -> {
            above.add(name);
            assertThat(row.packages()).as(name).doesNotContainAnyElementsOf(above);
        });
    }

    @Test
    void aPackageImportsWhatItsLineNamesAndNeedsAllOfIt() {
        Map<String, Set<String>> imported = CLASSES.stream()
                .filter(each -> !ANNOTATIONS.contains(top(each)))
                .collect(Collectors.toMap(ArchitectureTest::row, ArchitectureTest::imports, ArchitectureTest::join));

        assertThat(imported.keySet()).as("packages").hasSameElementsAs(ROWS.keySet());
        SoftAssertions.assertSoftly(all -> ROWS.forEach((name, row) -> {
            Set<String> allowed = new TreeSet<>(row.packages());
            allowed.addAll(row.libraries());
            all.assertThat(imported.get(name)).as(name).containsExactlyElementsOf(allowed);
        }));
    }

    /**
     * The imports of a class outside its own package and the JDK: rows of the table, or libraries by the prefix in its
     * row.
     */
    private static Set<String> imports(JavaClass from) {
        String own = row(from);
        Set<String> names = new TreeSet<>();
        for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
            JavaClass to = dependency.getTargetClass().getBaseComponentType();
            if (to.isPrimitive()) {
                continue;
            }
            String name = to.getPackageName().startsWith(ROOT) ? row(to) : library(to, ROWS.get(own));
            if (!name.isEmpty() && !name.equals(own)) {
                names.add(name);
            }
        }
        return names;
    }

    private static String library(JavaClass type, Row row) {
        if (JDK.stream().anyMatch(prefix -> isBelow(type, prefix))) {
            return "";
        }
        return row.libraries().stream()
                .filter(prefix -> isBelow(type, prefix))
                .findAny()
                .orElse(type.getPackageName());
    }

    private static boolean isBelow(JavaClass type, String prefix) {
        return type.getName().startsWith(prefix + ".");
    }

    private static Set<String> join(Set<String> one, Set<String> other) {
        Set<String> both = new TreeSet<>(one);
        both.addAll(other);
        return both;
    }

    private static String row(JavaClass type) {
        if (Set.of("DistributedIds", "IdAdmin").contains(top(type))) {
            return "DistributedIds";
        }
        String name = type.getPackageName();
        return name.equals(ROOT) ? "root" : name.substring(ROOT.length() + 1);
    }

    /** The simple name of the class around. */
    private static String top(JavaClass type) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    /** The generators of annotations are named in them, for Hibernate, and are exported to it alone. */
    @Test
    void noExportedTypeShowsOneThatIsNot() throws IOException {
        Set<String> exported = exported();
        Set<String> shown = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            if (exported.contains(type.getPackageName()) && isPublic(type)) {
                signature(type)
                        .map(JavaClass::getBaseComponentType)
                        .filter(each ->
                                each.getPackageName().startsWith(ROOT) && !exported.contains(each.getPackageName()))
                        .forEach(each -> shown.add(type.getName() + " shows " + each.getName()));
            }
        }
        assertThat(exported).contains(ROOT, ROOT + ".spi", ROOT + ".hibernate");
        assertThat(shown).isEmpty();
    }

    private static Set<String> exported() throws IOException {
        try (InputStream descriptor = Files.newInputStream(Path.of("target", "classes", "module-info.class"))) {
            return ModuleDescriptor.read(descriptor).exports().stream()
                    .filter(export -> !export.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toSet());
        }
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    /** The types visible to a caller or a subclass: supertypes, and the types of public and protected members. */
    private static Stream<JavaClass> signature(JavaClass type) {
        Stream<JavaClass> members = type.getMembers().stream()
                .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC)
                        || member.getModifiers().contains(JavaModifier.PROTECTED))
                .flatMap(member -> member.getAllInvolvedRawTypes().stream());
        Stream<JavaClass> supertypes =
                Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream());
        return Stream.concat(members, supertypes);
    }

    @Test
    void everyThreadIsMadeInOnePlaceAndInheritsNothing() {
        noClasses()
                .that()
                .doNotHaveSimpleName(LibraryThread.class.getSimpleName())
                .should()
                .callConstructorWhere(JavaCall.Predicates.target(
                        HasOwner.Predicates.With.owner(JavaClass.Predicates.assignableTo(Thread.class)
                                .or(JavaClass.Predicates.simpleNameEndingWith("Thread")))))
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Executors.class, Timer.class, ForkJoinPool.class)
                .check(CLASSES);
    }

    /** Else the simulation could not decide how a run goes. Two classes serve the JVM's own runs. */
    @Test
    void blocksAndCountersHaveTimeLocksAndRandomNumbersFromThePlatform() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + ".internal.block",
                        ROOT + ".internal.counter",
                        ROOT + ".internal.failover",
                        ROOT + ".internal.ledger")
                .and()
                .haveNameNotMatching(".*\\.(FetchThreads|PeriodicTasks|ZooKeeperLedger)(\\$.*)?")
                .should()
                .callConstructor(ReentrantLock.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(ThreadLocalRandom.class, LockSupport.class, CompletableFuture.class)
                .check(CLASSES);
    }

    /** The table of how-it-works.md. Each file calls a method of the next one, or one that it implements. */
    @Test
    void aCallThatFindsNoIdReachesItsSqlInEightFiles() {
        List<String> walk = Pattern.compile("(?m)^\\| \\d+ \\| `(\\w+\\.\\w+)` ")
                .matcher(Page.of("src/docs/how-it-works.md").section("From `persist()` to SQL"))
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(walk)
                .hasSize(8)
                .startsWith("DistributedIdGenerator.generate")
                .endsWith("MySqlDraws.attempt");
        for (int i = 1; i < walk.size(); i++) {
            String from = walk.get(i - 1).split("\\.")[0];
            String[] to = walk.get(i).split("\\.");
            JavaClass next = CLASSES.stream()
                    .filter(each -> each.getSimpleName().equals(to[0]))
                    .findFirst()
                    .orElseThrow();
            assertThat(CLASSES.stream()
                            .filter(each -> each.getName().matches(".*\\." + from + "(\\$.*)?"))
                            .flatMap(each -> each.getMethodCallsFromSelf().stream())
                            .map(JavaCall::getTarget))
                    .as("%s calls %s", from, walk.get(i))
                    .anyMatch(target -> target.getName().equals(to[1])
                            && next.isAssignableTo(target.getOwner().getName()));
        }
    }

    @Test
    void onlyOneClassImportsZooKeeper() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.ZooKeeperLedger(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.zookeeper..")
                .check(CLASSES);
    }

    @Test
    void theCommandLineKnowsNoBackend() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".cli")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + ".backend..")
                .check(CLASSES);
    }
}
