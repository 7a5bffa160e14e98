package io.distributedid;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.distributedid.hibernate.DistributedIdGenerator;
import io.distributedid.internal.OwnThread;
import java.util.Timer;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** Imports run one way: glue, backends, internal, SPI; and the jar works without Hibernate. */
class ArchitectureTest {

    private static final String ROOT = "io.distributedid";

    private static final String[] JDK = {"java..", "javax.naming..", "javax.sql..", "org.jspecify.."};

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    @Test
    void theValuesOfTheRootPackageImportNothing() {
        classes()
                .that()
                .resideInAPackage(ROOT)
                .and()
                .doNotHaveSimpleName("DistributedIds")
                .and()
                .doNotHaveSimpleName("Builder")
                .and()
                .doNotHaveSimpleName("DistributedId")
                .and()
                .doNotHaveSimpleName("DistributedValue")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(ROOT))
                .check(CLASSES);
    }

    @Test
    void theEntryWithoutHibernateImportsInternalAndSpiOnly() {
        classes()
                .that()
                .haveSimpleName("DistributedIds")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(ROOT, ROOT + ".internal", ROOT + ".spi"))
                .check(CLASSES);
    }

    @Test
    void everyThreadIsMadeInOnePlaceAndInheritsNothing() {
        noClasses()
                .that()
                .doNotHaveSimpleName(OwnThread.class.getSimpleName())
                .should()
                .callConstructorWhere(JavaCall.Predicates.target(
                        HasOwner.Predicates.With.owner(JavaClass.Predicates.assignableTo(Thread.class))))
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Executors.class, Timer.class, ForkJoinPool.class)
                .check(CLASSES);
    }

    @Test
    void onlyTheRecorderAndItsEventsImportFlightRecorder() {
        onlyDependOn("internal.event", "jdk.jfr..");
        noClasses()
                .that()
                .haveSimpleNameNotEndingWith("Event")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jdk.jfr..")
                .check(CLASSES);
    }

    @Test
    void metersImportTheRootOnly() {
        onlyDependOn("micrometer", ROOT, "io.micrometer.core.instrument..");
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + ".micrometer", ROOT + ".spring")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", ROOT + ".micrometer")
                .check(CLASSES);
    }

    @Test
    void theSpiImportsNoneOfOurPackagesButTheRoot() {
        onlyDependOn("spi", ROOT);
    }

    @Test
    void internalImportsTheSpi() {
        onlyDependOn("internal", ROOT, ROOT + ".internal.event", ROOT + ".spi");
        onlyDependOn("internal.counter", ROOT, ROOT + ".internal", ROOT + ".internal.event", ROOT + ".spi");
    }

    @Test
    void backendsImportInternalAndTheSpiAndNeverEachOther() {
        for (String backend : new String[] {"backend.ticket", "backend.sequencetable", "backend.nextid"}) {
            onlyDependOn(backend, ROOT, ROOT + ".internal", ROOT + ".internal.counter", ROOT + ".spi");
        }
        onlyDependOn(
                "backend.snowflake",
                ROOT,
                ROOT + ".internal",
                ROOT + ".internal.counter",
                ROOT + ".spi",
                ROOT + ".backend.snowflake.lease");
    }

    @Test
    void leasesKnowNothingOfLayoutsAndGenerators() {
        onlyDependOn(
                "backend.snowflake.lease",
                ROOT,
                ROOT + ".internal",
                ROOT + ".internal.event",
                ROOT + ".spi",
                "org.apache.curator..",
                "org.apache.zookeeper..");
    }

    @Test
    void onlyTheStoreInZooKeeperImportsCurator() {
        noClasses()
                .that()
                .haveSimpleNameNotStartingWith("ZooKeeperWorkerStore")
                .and()
                .doNotHaveSimpleName("OwnerOnly")
                .and()
                .doNotHaveSimpleName("Call")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..")
                .check(CLASSES);
    }

    @Test
    void onlyTheGlueAndTheAnnotationsImportHibernate() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + ".hibernate", ROOT + ".spring")
                .and()
                .areNotAssignableTo(DistributedId.class)
                .and()
                .areNotAssignableTo(DistributedValue.class)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.hibernate..", "jakarta..", DistributedIdGenerator.class.getPackageName())
                .check(CLASSES);
    }

    @Test
    void onlyTheCheckpointsImportCrac() {
        onlyDependOn("crac", ROOT + ".internal", "org.crac..");
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".crac")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.crac..", ROOT + ".crac")
                .check(CLASSES);
    }

    @Test
    void springIsGlueToo() {
        onlyDependOn(
                "spring",
                ROOT,
                ROOT + ".hibernate",
                ROOT + ".internal",
                ROOT + ".micrometer",
                ROOT + ".spi",
                "io.micrometer.core..",
                "org.springframework..",
                "org.hibernate..",
                "jakarta.persistence..");
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".spring")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", ROOT + ".spring")
                .check(CLASSES);
    }

    @Test
    void nothingBelowTheGlueImportsTheEntry() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + ".spi",
                        ROOT + ".internal..",
                        ROOT + ".backend.ticket",
                        ROOT + ".backend.sequencetable",
                        ROOT + ".backend.nextid")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(DistributedIds.class)
                .check(CLASSES);
    }

    @Test
    void nothingImportsTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".cli")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".cli", "picocli..")
                .check(CLASSES);
    }

    @Test
    void theCommandLineImportsNoGlueAndOfTheBackendsOnlyTheMoveThatIsApi() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".cli")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("io\\.distributedid\\.backend\\.sequencetable\\.(?!SequenceTableMove).*")
                .check(CLASSES);
        onlyDependOn(
                "cli",
                ROOT,
                ROOT + ".internal",
                ROOT + ".backend.sequencetable",
                ROOT + ".spi",
                "picocli..",
                "javax.xml..",
                "org.w3c.dom..",
                "org.xml.sax..");
    }

    private static void onlyDependOn(String name, String... ours) {
        String[] allowed = with(ours);
        allowed[0] = ROOT + "." + name;
        classes()
                .that()
                .resideInAPackage(ROOT + "." + name)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .check(CLASSES);
    }

    /** A free place, then what is named, then the JDK. */
    private static String[] with(String... ours) {
        String[] all = new String[1 + ours.length + JDK.length];
        all[0] = ours[0];
        System.arraycopy(ours, 0, all, 1, ours.length);
        System.arraycopy(JDK, 0, all, 1 + ours.length, JDK.length);
        return all;
    }
}
