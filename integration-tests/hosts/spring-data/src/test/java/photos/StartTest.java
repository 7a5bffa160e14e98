package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.Await;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.ReadOnlyProperty;
import org.springframework.data.annotation.Transient;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.jdbc.core.JdbcTemplate;

/** What is refused when the application starts, and what is left when it has stopped. */
class StartTest {

    private static final String MEMORY = "distributedid.backend=memory";

    static class NoId {

        @Id
        Long id;

        @DistributedId(seq = "photos")
        Long other;
    }

    static class ValueOnId {

        @Id
        @DistributedValue(seq = "photos")
        Long id;
    }

    static class OtherType {

        @Id
        @DistributedId(seq = "photos")
        UUID id;
    }

    record Key(Long user, @DistributedId(seq = "photos") Long photo) {}

    static class Embeds {

        @Id
        Long id;

        @Embedded.Empty
        Key key;
    }

    static class Composite {

        @Id
        @DistributedId(seq = "photos")
        @Embedded.Empty
        Plain id;
    }

    record Plain(Long user, Long photo) {}

    static class NotMapped {

        @Id
        Long id;

        @Transient
        @DistributedValue(seq = "photos")
        Long other;
    }

    static class ReadOnly {

        @Id
        Long id;

        @ReadOnlyProperty
        @DistributedValue(seq = "photos")
        Long other;
    }

    static class PerKey {

        @Id
        @DistributedId(seq = "photos")
        Long id;

        @DistributedValue(seq = "messages", per = "id")
        Long number;
    }

    static class PaddedNumber {

        @Id
        @DistributedId(seq = "photos", padded = true)
        Long id;
    }

    static class BadName {

        @Id
        @DistributedId(seq = "1photos")
        Long id;
    }

    static class OneWidth {

        @Id
        @DistributedId(seq = "photos")
        Integer id;
    }

    static class OtherWidth {

        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Test
    void anAnnotationWithoutEffectIsRefused() {
        assertRefused(
                NoId.class,
                "A @DistributedId has no effect here: photos.StartTest$NoId.other, because it is not an id: Spring"
                        + " Data's @Id is missing. For other columns there is @DistributedValue");
        assertRefused(
                ValueOnId.class,
                "A @DistributedValue has no effect here: photos.StartTest$ValueOnId.id, because it is the id. For ids"
                        + " there is @DistributedId");
        assertRefused(
                Embeds.class,
                "A @DistributedId has no effect here: photos.StartTest$Embeds.key.photo, because it is in an embedded"
                        + " object. Move it to the aggregate");
        assertRefused(
                NotMapped.class,
                "A @DistributedValue has no effect here: photos.StartTest$NotMapped.other, because Spring Data does not"
                        + " map it: it is static, transient or not a getter");
        assertRefused(
                ReadOnly.class,
                "A @DistributedValue has no effect here: photos.StartTest$ReadOnly.other, because Spring Data does not"
                        + " write it (@ReadOnlyProperty)");
        assertRefused(
                PerKey.class,
                "A @DistributedValue has no effect here: photos.StartTest$PerKey.number, because Spring Data can't take"
                        + " numbers per key: seq=messages per=id. Take them with DistributedIds.keyed(\"messages\")"
                        + " before the save");
    }

    @Test
    void aTypeThatHoldsNoIdIsRefused() {
        assertRefused(
                OtherType.class,
                "A property of this type can't be a @DistributedId: photos.StartTest$OtherType.id type=java.util.UUID,"
                        + " allowed: long, Long, int, Integer, BigInteger, BigDecimal, String");
        assertRefused(
                Composite.class,
                "A property of this type can't be a @DistributedId: photos.StartTest$Composite.id"
                        + " type=photos.StartTest$Plain,"
                        + " allowed: long, Long, int, Integer, BigInteger, BigDecimal, String");
        assertRefused(
                PaddedNumber.class,
                "Only a text can be padded: photos.StartTest$PaddedNumber.id holds numbers, allowed: padded = true on"
                        + " a String");
    }

    @Test
    void aSequenceIsRefusedAsWithHibernate() {
        assertRefused(
                BadName.class,
                "photos.StartTest$BadName.id (seq=1photos): A sequence's name must be a letter, then up to 49 letters,"
                        + " digits, '_' or '-': seq=1photos (photos.StartTest$BadName.id). Name it with"
                        + " @DistributedId(seq = \"...\")");
        assertThatThrownBy(() -> Application.run(Set.of(OneWidth.class, OtherWidth.class), MEMORY))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("All properties of a sequence must have the same width: seq=photos ")
                .hasMessageContaining("photos.StartTest$OneWidth.id up to 2147483647")
                .hasMessageContaining("photos.StartTest$OtherWidth.id up to 9223372036854775807")
                .hasMessageEndingWith(". Give them the same type, or separate sequences");
        assertThatThrownBy(() -> Application.run(
                        Set.of(Entities.Immutable.class),
                        MEMORY,
                        "distributedid.seq.fotos.block.max=10",
                        "distributedid.unused-sequences=refuse"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("There are settings for sequences that no entity uses: seq=fotos.");
        assertThatThrownBy(() -> Application.run(
                        Set.of(Entities.Immutable.class),
                        "distributedid.backend=snowflake",
                        "distributedid.snowflake.worker=1024"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid.snowflake.worker=1024");
    }

    @Test
    void idsWithAShardAreRefused() {
        assertThatThrownBy(() -> Application.run(
                        Set.of(Entities.Immutable.class),
                        "distributedid.backend=snowflake",
                        "distributedid.snowflake.layout=sharded",
                        "distributedid.snowflake.worker=1",
                        "distributedid.shard.from=caller"))
                .hasStackTraceContaining(
                        "photos.Entities$Immutable.id (seq=immutables): Spring Data can't take ids that carry the shard"
                                + " of their row, allowed: ids without distributedid.shard.from, or"
                                + " DistributedIds.nextOnShard and @DistributedId(assigned = true)");
    }

    @Test
    void withoutSettingsAnAnnotatedAggregateIsRefused() {
        assertThatThrownBy(() -> Application.run(Set.of(Entities.Immutable.class)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("There is no DistributedIds bean for photos.Entities$Immutable.id (seq=immutables). Set"
                        + " distributedid.backend, or, with several persistence units, declare the bean");
    }

    @Test
    void withoutAnnotationsNothingIsAskedFor() {
        try (ConfigurableApplicationContext application = Application.run(Set.of(Plain.class))) {
            assertThat(application.getBeanNamesForType(DistributedIds.class)).isEmpty();
        }
    }

    @Test
    void theStartOpensTheSequencesUnlessItIsLazy() {
        try (ConfigurableApplicationContext application = Application.run(Set.of(Entities.Numbered.class), MEMORY)) {
            assertThat(application.getBean(DistributedIds.class).sequences()).containsExactly("numbered", "numbers");
        }
        try (ConfigurableApplicationContext application =
                Application.run(Set.of(Entities.Numbered.class), MEMORY, "distributedid.open=lazy")) {
            assertThat(application.getBean(DistributedIds.class).sequences()).isEmpty();
        }
    }

    /** Takes an id before any other bean is created. */
    @EnableAutoConfiguration
    static class Early {

        @Bean
        DataSource database() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:early;DB_CLOSE_DELAY=-1");
            return database;
        }

        @Bean
        Long first(DistributedIds ids) {
            return ids.next("photos");
        }
    }

    /** As Flyway does, the script refuses a database that has the table already. */
    @Test
    void theDatabaseIsInitializedBeforeTheFirstId() {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Early.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--distributedid.backend=sequence_table",
                        "--distributedid.create-tables=true",
                        "--spring.sql.init.schema-locations=classpath:sequence.sql")) {
            assertThat(application.getBean(Long.class)).isEqualTo(1);
        }
    }

    /** The library's table lies in the application's own database, which outlives the ids. */
    @Test
    void aStopEndsTheIdsAndLeavesNoThread() {
        DistributedIds ids;
        JdbcTemplate jdbc;
        try (ConfigurableApplicationContext application = Application.run(
                Set.of(Entities.Immutable.class),
                "distributedid.backend=sequence_table",
                "distributedid.create-tables=true")) {
            ids = application.getBean(DistributedIds.class);
            jdbc = application.getBean(JdbcTemplate.class);
            jdbc.batchUpdate(Entities.TABLES);
            for (int i = 1; i <= 3; i++) {
                assertThat(application
                                .getBean(JdbcAggregateTemplate.class)
                                .save(new Entities.Immutable(null, "sunset"))
                                .id())
                        .isEqualTo(i);
            }
        }

        assertThatThrownBy(() -> ids.next("immutables"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The source of ids is closed: ");
        assertThat(jdbc.queryForObject("SELECT id FROM sequence WHERE name = 'immutables'", Long.class))
                .as("what was reserved is a gap")
                .isGreaterThanOrEqualTo(3);
        Await.until(
                "no thread of the library is left",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("distributedid-")));
    }

    private static void assertRefused(Class<?> entity, String message) {
        assertThatThrownBy(() -> Application.run(Set.of(entity), MEMORY))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(message);
    }
}
