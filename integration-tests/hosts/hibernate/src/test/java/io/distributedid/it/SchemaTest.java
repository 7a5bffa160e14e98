package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdAdmin;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Persistence;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.naming.PhysicalNamingStrategyStandardImpl;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sequence table in the persistence unit's own database is part of Hibernate's schema export: created if missing,
 * never dropped.
 */
class SchemaTest {

    private static final String AUTO = "hibernate.hbm2ddl.auto";

    @Test
    void createMakesTheTable() {
        Unit unit = Unit.of(Photo.class);
        unit.start().close();

        assertThat(unit.tables()).containsExactly("PUBLIC.DISTRIBUTEDID", "PUBLIC.PHOTO", "PUBLIC.SEQUENCE");
        assertThat(unit.query(
                        "SELECT column_name || ' ' || data_type || ' ' || is_nullable FROM information_schema.columns"
                                + " WHERE table_name = 'SEQUENCE' ORDER BY 1"))
                .containsExactly("ID BIGINT NO", "NAME CHARACTER VARYING NO");
        assertThat(unit.query("SELECT character_maximum_length FROM information_schema.columns"
                        + " WHERE table_name = 'SEQUENCE' AND column_name = 'NAME'"))
                .containsExactly("50");
        assertThat(unit.query(
                        "SELECT column_name FROM information_schema.key_column_usage WHERE table_name = 'SEQUENCE'"))
                .containsExactly("NAME");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "create-drop", "update", "validate", "none"})
    void countersSurvive(String action) {
        Unit unit = Unit.of(Photo.class);
        unit.start().close();
        unit.count("photos", 1000);
        try (SessionFactory factory = unit.with(AUTO, action).start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1001);
        }
    }

    @Entity(name = "Album")
    static class Album {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    /** Both number their rows from the same sequence, in the same database. */
    @Test
    void theExportOfAnotherApplicationDropsNoCounter() {
        Unit one = Unit.of(Photo.class);
        Unit other =
                Unit.of(Album.class).with("hibernate.connection.url", one.url()).with(AUTO, "create-drop");
        Set<Long> ids = new HashSet<>();
        try (SessionFactory factory = one.start()) {
            ids.addAll(take(30, factory));
            try (SessionFactory second = other.start()) {
                ids.addAll(take(30, second));
            }
            ids.addAll(take(30, factory));
            try (SessionFactory third = other.start()) {
                ids.addAll(take(30, third));
            }
        }

        assertThat(ids).hasSize(120);
    }

    private static List<Long> take(int count, SessionFactory factory) {
        return Stream.generate(() -> Unit.ids(factory).next("photos"))
                .limit(count)
                .toList();
    }

    @Test
    void truncatingTheTablesOfEntitiesLeavesCountersAlone() {
        Unit unit = Unit.of(Photo.class);
        try (SessionFactory factory = unit.start()) {
            long id = Unit.persist(factory, new Photo()).id;
            factory.getSchemaManager().truncateMappedObjects();
            assertThat(unit.query("SELECT id FROM Photo")).isEmpty();
            assertThat(unit.sequences()).containsExactly("photos");
            assertThat(Unit.persist(factory, new Photo()).id).isGreaterThan(id);
        }
    }

    @Test
    void updateAddsTheTableToAnOlderSchema() {
        Unit unit = Unit.of(Photo.class).with(AUTO, "update");
        unit.execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }
    }

    @Test
    void validateAcceptsTheTableMadeByHand() {
        Unit unit = Unit.of(Photo.class).with(AUTO, "validate");
        unit.execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
        IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), "h2").forEach(unit::execute);
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }
    }

    @Test
    void validateMissesTheTable() {
        Unit unit = Unit.of(Photo.class).with(AUTO, "validate");
        unit.execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY)");

        assertThatThrownBy(unit::start).hasStackTraceContaining("The sequence table is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create-drop", "drop"})
    void dropLeavesTheCountersOnly(String action) {
        Unit unit = Unit.of(Photo.class);
        unit.start().close();
        unit.count("photos", 1000);
        unit.with(AUTO, action).start().close();

        assertThat(unit.tables()).containsExactly("PUBLIC.DISTRIBUTEDID", "PUBLIC.SEQUENCE");
        assertThat(unit.query("SELECT id FROM sequence WHERE name = 'photos'"))
                .singleElement()
                .satisfies(id -> assertThat(Long.parseLong(id)).isGreaterThanOrEqualTo(1000));
    }

    @Test
    void schemaManagerExportsTheTableAndDoesNotDropIt() {
        Unit unit = Unit.of(Photo.class);
        try (SessionFactory factory = unit.start()) {
            factory.getSchemaManager().validateMappedObjects();
            factory.getSchemaManager().dropMappedObjects(false);
            assertThat(unit.tables()).containsExactly("PUBLIC.DISTRIBUTEDID", "PUBLIC.SEQUENCE");

            unit.execute("DROP TABLE sequence");
            factory.getSchemaManager().exportMappedObjects(false);
            assertThat(unit.tables()).containsExactly("PUBLIC.DISTRIBUTEDID", "PUBLIC.PHOTO", "PUBLIC.SEQUENCE");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "drop-and-create"})
    void generatedScriptsHoldTheTableUnlessItIsThere(String action) {
        StringWriter create = new StringWriter();
        StringWriter drop = new StringWriter();
        Persistence.generateSchema(
                "photos",
                Map.of(
                        "distributedid.backend",
                        "sequence_table",
                        "jakarta.persistence.schema-generation.database.action",
                        "none",
                        "jakarta.persistence.schema-generation.scripts.action",
                        action,
                        "jakarta.persistence.schema-generation.scripts.create-target",
                        create,
                        "jakarta.persistence.schema-generation.scripts.drop-target",
                        drop));

        assertThat(create.toString())
                .contains(
                        "CREATE TABLE IF NOT EXISTS sequence (name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL"
                                + " DEFAULT 0)")
                .contains("create table Photo (");
        assertThat(drop.toString()).doesNotContain("sequence");
    }

    @ParameterizedTest
    @ValueSource(strings = {"APP", "app"})
    void tableLiesInTheDefaultSchema(String schema) {
        Unit unit = Unit.of(Photo.class).with("hibernate.default_schema", schema);
        unit.execute("CREATE SCHEMA APP");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }

        assertThat(unit.tables()).containsExactly("APP.DISTRIBUTEDID", "APP.PHOTO", "APP.SEQUENCE");
        assertThat(unit.sequences("APP.sequence")).containsExactly("photos");
    }

    @Test
    void connectionLentByTheApplicationComesBackInItsOwnSchema() throws SQLException {
        Unit unit = Unit.of(Photo.class).with("hibernate.default_schema", "APP");
        unit.execute("CREATE SCHEMA APP");
        JdbcConnectionPool pool = JdbcConnectionPool.create(unit.url(), "", "");
        unit.without("hibernate.connection.url").with("hibernate.connection.datasource", pool);
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
            try (Connection one = pool.getConnection();
                    Connection another = pool.getConnection()) {
                assertThat(one.getSchema()).isEqualTo("PUBLIC");
                assertThat(another.getSchema()).isEqualTo("PUBLIC");
            }
        } finally {
            pool.dispose();
        }
    }

    @Entity(name = "Comment")
    static class Comment {
        @Id
        @DistributedId
        Long id;
    }

    /** Such as many companies have. */
    public static class Prefixing extends PhysicalNamingStrategyStandardImpl {

        private static final long serialVersionUID = 1L;

        @Override
        public Identifier toPhysicalTableName(Identifier logicalName, JdbcEnvironment context) {
            return Identifier.toIdentifier("tbl_" + logicalName.getText(), logicalName.isQuoted());
        }

        @Override
        public Identifier toPhysicalColumnName(Identifier logicalName, JdbcEnvironment context) {
            return Identifier.toIdentifier("col_" + logicalName.getText(), logicalName.isQuoted());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "update"})
    void namingStrategyLeavesTheSequenceTableAlone(String action) {
        Unit unit = Unit.of(Comment.class, Photo.class)
                .with(AUTO, action)
                .with("hibernate.physical_naming_strategy", Prefixing.class.getName());
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Comment()).id).isEqualTo(1);
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }

        assertThat(unit.tables())
                .containsExactly("PUBLIC.DISTRIBUTEDID", "PUBLIC.SEQUENCE", "PUBLIC.TBL_COMMENT", "PUBLIC.TBL_PHOTO");
        assertThat(unit.sequences()).containsExactly("photos", "tbl_Comment");
        unit.with(AUTO, "validate").start().close();
    }

    @Test
    void quotedIdentifiersLeaveTheSequenceTableAlone() {
        Unit unit = Unit.of(Photo.class).with("hibernate.globally_quoted_identifiers", "true");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }
        unit.with(AUTO, "validate").start().close();
    }

    @Test
    void tableMayHaveAnotherName() {
        Unit unit = Unit.of(Photo.class).with("distributedid.sequence_table.table", "id_counters");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }

        assertThat(unit.tables()).containsExactly("PUBLIC.DISTRIBUTEDID", "PUBLIC.ID_COUNTERS", "PUBLIC.PHOTO");
        assertThat(unit.sequences("id_counters")).containsExactly("photos");
    }

    @Test
    void anotherSchemaIsCreatedIfHibernateCreatesSchemasAndIsNotDropped() {
        Unit unit = Unit.of(Photo.class)
                .with("distributedid.sequence_table.table", "counters.ids")
                .with("hibernate.hbm2ddl.create_namespaces", "true")
                .with(AUTO, "create-drop");
        unit.start().close();
        unit.start().close();

        assertThat(unit.tables()).containsExactly("COUNTERS.DISTRIBUTEDID", "COUNTERS.IDS", "PUBLIC.DISTRIBUTEDID");
    }

    @Test
    void oneSequenceMayHaveATableOfItsOwn() {
        Unit unit = Unit.of(Photo.class, Account.class)
                .with("distributedid.seq.photos.sequence_table.table", "photo_counter");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
            assertThat(Unit.persist(factory, new Account()).id).isEqualTo(1);
        }

        assertThat(unit.sequences("photo_counter")).containsExactly("photos");
        assertThat(unit.sequences()).containsExactly("accounts");
    }

    @ParameterizedTest
    @EnumSource(names = "SEQUENCE_TABLE", mode = EnumSource.Mode.EXCLUDE)
    void otherBackendsExportNoSequenceTable(BackendSettings backend) {
        Unit unit = Unit.of(backend, Photo.class);
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isPositive();
        }

        assertThat(unit.tables()).contains("PUBLIC.PHOTO").doesNotContain("PUBLIC.SEQUENCE");
    }

    @Test
    void tableOnAServerOfItsOwnIsNotExported() {
        Unit unit = Unit.of(Photo.class)
                .with("distributedid.sequence_table.servers", Unit.freshDatabase())
                .with("distributedid.create_tables", "true");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }

        assertThat(unit.tables()).containsExactly("PUBLIC.DISTRIBUTEDID", "PUBLIC.PHOTO");
    }

    private static Unit leasing() {
        return Unit.of(BackendSettings.SNOWFLAKE, Photo.class)
                .with("distributedid.snowflake.worker", "lease")
                .with("distributedid.snowflake.lease.server", "application");
    }

    @Test
    void createMakesTheTableOfWorkerNumbers() {
        Unit unit = leasing();
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isPositive();
        }

        assertThat(unit.tables()).containsExactly("PUBLIC.DISTRIBUTEDID", "PUBLIC.PHOTO");
        assertThat(unit.query("SELECT column_name || ' ' || data_type || ' ' || is_nullable"
                        + " FROM information_schema.columns WHERE table_name = 'DISTRIBUTEDID' ORDER BY 1"))
                .containsExactly(
                        "NAME CHARACTER VARYING NO",
                        "NUMBER BIGINT NO",
                        "STATE CHARACTER VARYING NO",
                        "TEXT CHARACTER VARYING NO",
                        "VERSION CHARACTER VARYING NO");
        assertThat(unit.query("SELECT column_name || ' ' || character_maximum_length FROM information_schema.columns"
                        + " WHERE table_name = 'DISTRIBUTEDID' AND data_type = 'CHARACTER VARYING' ORDER BY 1"))
                .containsExactly("NAME 160", "STATE 10", "TEXT 2000", "VERSION 40");
        assertThat(unit.query("SELECT column_name FROM information_schema.key_column_usage"
                        + " WHERE table_name = 'DISTRIBUTEDID'"))
                .containsExactly("NAME");
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "update"})
    void anExportDoesNotBeginAStoreThatWasEmptied(String action) {
        Unit unit = leasing();
        unit.start().close();
        unit.execute("DELETE FROM distributedid");
        assertThatThrownBy(unit.with(AUTO, action)::start)
                .hasMessageContaining("The store of leases was never used, or was emptied: distributedid on ");
    }

    @Test
    void leasesSurvive() {
        Unit unit = leasing();
        unit.start().close();
        unit.execute("UPDATE distributedid SET text = 'owner=app1', number = 9000000000000 WHERE name = '@worker/0'");
        try (SessionFactory factory = unit.with(AUTO, "create-drop").start()) {
            long id = Unit.persist(factory, new Photo()).id;
            assertThat(Unit.ids(factory).decode("photos", id).field("worker")).isEqualTo(1);
        }
    }

    @Test
    void tableOfWorkerNumbersMayHaveAnotherNameAndLiesInTheDefaultSchema() {
        Unit unit = leasing()
                .with("hibernate.default_schema", "APP")
                .with("distributedid.snowflake.lease.table", "id_workers");
        unit.execute("CREATE SCHEMA APP");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isPositive();
        }

        assertThat(unit.tables()).containsExactly("APP.DISTRIBUTEDID", "APP.ID_WORKERS", "APP.PHOTO");
        assertThat(unit.query("SELECT name FROM APP.id_workers WHERE name LIKE '@worker/%' AND version NOT LIKE '1-%'"))
                .containsExactly("@worker/0");
    }

    @Test
    void countersAndWorkerNumbersShareALedger() {
        Unit unit = Unit.of(Photo.class, Account.class)
                .with("distributedid.seq.photos.backend", "snowflake")
                .with("distributedid.seq.photos.snowflake.worker", "single_use")
                .with("distributedid.seq.photos.snowflake.lease.server", "application");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isPositive();
            assertThat(Unit.persist(factory, new Account()).id).isEqualTo(1);
        }

        assertThat(unit.tables())
                .containsExactly("PUBLIC.ACCOUNT", "PUBLIC.DISTRIBUTEDID", "PUBLIC.PHOTO", "PUBLIC.SEQUENCE");
    }
}
