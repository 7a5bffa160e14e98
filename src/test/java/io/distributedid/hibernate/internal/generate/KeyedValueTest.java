package io.distributedid.hibernate.internal.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.KeyedSequence;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.KeyedFlushContract;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.ColumnDefault;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.Generated;
import org.hibernate.annotations.JavaType;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.Struct;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SessionImplementor;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.java.LongJavaType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On H2. Also which mappings are refused at start. */
@Tag("slow")
class KeyedValueTest extends KeyedFlushContract {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Set<String> used = new LinkedHashSet<>();

    @Override
    protected String url(String name) {
        used.add(name);
        return "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
    }

    @Override
    protected int keys() {
        return 200;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop(used.toArray(String[]::new));
    }

    @MappedSuperclass
    abstract static class Numbered {
        @Id
        Long id;
    }

    @Entity(name = "Unknown")
    static class Unknown extends Numbered {
        String town;

        @DistributedValue(seq = "numbers", per = "city")
        Long number;
    }

    @Entity(name = "OfId")
    static class OfId extends Numbered {
        @DistributedValue(seq = "numbers", per = "id")
        Long number;
    }

    @Entity(name = "OfDouble")
    static class OfDouble extends Numbered {
        double weight;

        @DistributedValue(seq = "numbers", per = "weight")
        Long number;
    }

    @Entity(name = "OfList")
    static class OfList extends Numbered {
        @ElementCollection
        List<String> towns;

        @DistributedValue(seq = "numbers", per = "towns")
        Long number;
    }

    @Entity(name = "OfItself")
    static class OfItself extends Numbered {
        @DistributedValue(seq = "numbers", per = "number")
        Long number;
    }

    @Entity(name = "OfNumber")
    static class OfNumber extends Numbered {
        @DistributedValue(seq = "groups")
        long team;

        @DistributedValue(seq = "numbers", per = "team")
        Long number;
    }

    @Embeddable
    static class Place {
        @DistributedValue(seq = "cities")
        Long city;
    }

    @Entity(name = "OfNumberWithin")
    static class OfNumberWithin extends Numbered {
        Place place;

        @DistributedValue(seq = "numbers", per = "place.city")
        Long number;
    }

    @Entity(name = "OfDefault")
    static class OfDefault extends Numbered {
        @Generated
        @ColumnDefault("7")
        int team;

        @DistributedValue(seq = "numbers", per = "team")
        Long number;
    }

    @Entity(name = "OfTenant")
    static class OfTenant extends Numbered {
        @TenantId
        String company;

        @DistributedValue(seq = "numbers", per = "company")
        Long number;

        protected OfTenant() {}

        OfTenant(long id) {
            this.id = id;
        }
    }

    @Entity(name = "WithoutKey")
    static class WithoutKey extends Numbered {
        @DistributedValue(seq = "numbers", gapless = true)
        Long number;
    }

    @Entity(name = "TwoWays")
    static class TwoWays {
        @Id
        @DistributedId(seq = "numbers")
        Long id;

        String town;

        @DistributedValue(seq = "numbers", per = "town")
        Long number;
    }

    @Entity(name = "Gapless")
    static class Gapless extends Numbered {
        String town;

        @DistributedValue(seq = "numbers", per = "town", gapless = true)
        Long number;
    }

    @Embeddable
    static class Side {
        @DistributedValue(seq = "numbers", per = "town")
        Long number;
    }

    @Embeddable
    static class Box {
        Side side;
    }

    @Entity(name = "OfObject")
    static class OfObject extends Numbered {
        String town;

        Side side;
    }

    @Entity(name = "OfObjectWithin")
    static class OfObjectWithin extends Numbered {
        String town;

        Box box;
    }

    @Entity(name = "OfJson")
    static class OfJson extends Numbered {
        String town;

        @JdbcTypeCode(SqlTypes.JSON)
        Side side;
    }

    @Entity(name = "OfStruct")
    static class OfStruct extends Numbered {
        String town;

        @Struct(name = "side")
        Side side;
    }

    @ParameterizedTest
    @ValueSource(classes = {OfObject.class, OfObjectWithin.class, OfJson.class, OfStruct.class})
    void aNumberInAnEmbeddedObjectIsRefusedAtStart(Class<?> entity) {
        assertRefused(
                entity,
                Map.of(
                        "hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect",
                        "hibernate.boot.allow_jdbc_metadata_access", "false",
                        "hibernate.hbm2ddl.auto", "none"),
                "side.number (seq=numbers) per=town is in an embedded object. Move it into the entity; its key may");
    }

    @Entity(name = "OfConverter")
    static class OfConverter extends Numbered {
        String town;

        @Convert(converter = Negated.class)
        @DistributedValue(seq = "numbers", per = "town")
        Long number;
    }

    @Entity(name = "OfAutoApply")
    static class OfAutoApply extends Numbered {
        String town;

        @DistributedValue(seq = "numbers", per = "town", gapless = true)
        Code number;
    }

    @Entity(name = "OfExpression")
    static class OfExpression extends Numbered {
        String town;

        @ColumnTransformer(read = "0 - number", write = "0 - ?")
        @DistributedValue(seq = "numbers", per = "town")
        Long number;
    }

    @Entity(name = "OfJavaType")
    static class OfJavaType extends Numbered {
        String town;

        @JavaType(OfLong.class)
        @DistributedValue(seq = "numbers", per = "town")
        Long number;
    }

    static final class OfLong extends LongJavaType {
        private static final long serialVersionUID = 1L;
    }

    static final class Negated implements AttributeConverter<Long, Long> {

        @Override
        public Long convertToDatabaseColumn(Long number) {
            return number == null ? null : -number;
        }

        @Override
        public Long convertToEntityAttribute(Long value) {
            return value == null ? null : -value;
        }
    }

    record Code(long value) {}

    @Converter(autoApply = true)
    static final class Prefixed implements AttributeConverter<Code, String> {

        @Override
        public String convertToDatabaseColumn(Code code) {
            return code == null ? null : "INV-" + code.value();
        }

        @Override
        public Code convertToEntityAttribute(String text) {
            return text == null ? null : new Code(Long.parseLong(text.substring(4)));
        }
    }

    @Test
    void aNumberThatTheApplicationWritesItselfIsRefusedAtStart() {
        String converter = ".number (seq=numbers) per=town is written by an AttributeConverter. Remove it, and use a";
        assertRefused(OfConverter.class, Map.of(), "OfConverter" + converter);
        assertRefused(OfAutoApply.class, Map.of(), "OfAutoApply" + converter);
        assertRefused(OfExpression.class, Map.of(), "per=town is written by @ColumnTransformer(write). Remove it");
        assertRefused(OfJavaType.class, Map.of(), "per=town is written by a JavaType. Remove it");
    }

    @Entity(name = "NarrowBill")
    static class NarrowBill {
        @Id
        long id;

        String town = "here";

        @Column(columnDefinition = "real")
        @DistributedValue(seq = "narrow_bills", per = "town", gapless = true)
        Long number;

        protected NarrowBill() {}

        NarrowBill(long id) {
            this.id = id;
        }
    }

    @Entity(name = "NarrowLetter")
    static class NarrowLetter {
        @Id
        long id;

        String town = "here";

        @Column(columnDefinition = "real")
        @DistributedValue(seq = "narrow_letters", per = "town")
        Long number;
    }

    @Test
    void aKeyThatIsNoneIsRefusedAtStart() {
        assertRefused(
                Unknown.class,
                Map.of(),
                "Unknown.number (seq=numbers) per=city is not a property of the entity outside its id. Allowed: number,"
                        + " town");
        assertRefused(OfId.class, Map.of(), "OfId.number (seq=numbers) per=id is not a property");
        assertRefused(
                OfDouble.class, Map.of(), "OfDouble.number (seq=numbers) per=weight can't be a key. Allowed: a whole");
        assertRefused(OfList.class, Map.of(), "OfList.number (seq=numbers) per=towns can't be a key");
        assertRefused(OfItself.class, Map.of(), "per=number is the number itself");
        assertRefused(WithoutKey.class, Map.of(), "@DistributedValue(seq = numbers, gapless = true) has no per");
        assertRefused(TwoWays.class, Map.of(), "TwoWays.number per=town gapless=false. Use sequences of their own");
    }

    @Test
    void aKeyThatIsGeneratedWithTheRowIsRefusedAtStart() {
        Map<String, String> counted = Map.of("distributedid.backend", "sequence_table");
        String reason = " is generated when the row is inserted, perhaps after the number. A key must be set before";
        assertRefused(OfNumber.class, counted, "OfNumber.number (seq=numbers) per=team" + reason);
        assertRefused(OfNumberWithin.class, counted, "OfNumberWithin.number (seq=numbers) per=place.city" + reason);
        assertRefused(OfDefault.class, counted, "OfDefault.number (seq=numbers) per=team" + reason);
    }

    @Test
    void aTenantIsAKey() {
        try (SessionFactory factory = new Configuration()
                        .addAnnotatedClass(OfTenant.class)
                        .setProperty("hibernate.connection.url", url("keyed_tenant"))
                        .setProperty("hibernate.hbm2ddl.auto", "update")
                        .buildSessionFactory();
                Session session =
                        factory.withOptions().tenantIdentifier((Object) "acme").openSession()) {
            OfTenant first = new OfTenant(1);
            OfTenant second = new OfTenant(2);
            session.beginTransaction();
            session.persist(first);
            session.persist(second);
            session.getTransaction().commit();

            assertThat(List.of(first.number, second.number)).containsExactly(1L, 2L);
        }
    }

    @Test
    void numbersWithoutGapsAreNotTakenFromServers() {
        assertRefused(
                Gapless.class,
                Map.of("distributedid.keyed.row.server", "jdbc:h2:mem:elsewhere"),
                "Gapless.number (seq=numbers): ");
    }

    @Test
    void aNumberThatItsColumnDoesNotHoldIsRefusedInItsTransaction() {
        try (SessionFactory factory = startNarrow()) {
            assertThatThrownBy(() -> factory.inTransaction(session -> {
                        session.persist(new NarrowBill(1));
                        session.persist(new NarrowBill(2));
                        session.flush();
                    }))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageContaining("id=16777216, column type real, allowed: up to 16777215");

            NarrowBill last = new NarrowBill(3);
            factory.inTransaction(session -> session.persist(last));
            assertThat(last.number).isEqualTo(16777215);
            List<Long> rows =
                    factory.fromSession(session -> session.createQuery("select number from NarrowBill", Long.class)
                            .list());
            assertThat(rows).containsExactly(16777215L);
        }
    }

    @Test
    void aNumberTakenWithoutWaitingEndsWhereItsColumnEnds() {
        try (SessionFactoryImplementor factory = startNarrow();
                SessionImplementor session = factory.openSession()) {
            DistributedValueGenerator generator = (DistributedValueGenerator) factory.getMappingMetamodel()
                    .getEntityDescriptor(NarrowLetter.class)
                    .findAttributeMapping("number")
                    .getGenerator();

            assertThat(number(generator, session)).succeedsWithin(LIMIT).isEqualTo(16777215L);
            assertThat(number(generator, session))
                    .failsWithin(LIMIT)
                    .withThrowableThat()
                    .withCauseInstanceOf(IdsExhaustedException.class);
        }
    }

    private static CompletableFuture<Object> number(DistributedValueGenerator generator, SessionImplementor session) {
        return generator
                .generateAsync(session, new NarrowLetter(), null, Runnable::run)
                .toCompletableFuture();
    }

    /** Both sequences are one number before the end of their columns. */
    private SessionFactoryImplementor startNarrow() {
        SessionFactory factory = new Configuration()
                .addAnnotatedClass(NarrowBill.class)
                .addAnnotatedClass(NarrowLetter.class)
                .setProperty("hibernate.connection.url", url("keyed_narrow"))
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .buildSessionFactory();
        KeyedSequence letters = DistributedIdService.of(factory).ids().keyed("narrow_letters");
        factory.inTransaction(session -> {
            session.persist(new NarrowBill(0));
            session.flush();
            session.createMutationQuery("delete NarrowBill").executeUpdate();
        });
        long unused = letters.next("here");
        factory.inTransaction(session -> session.createNativeMutationQuery(
                        "UPDATE keyed_sequence SET number = 16777214 WHERE key_text = 'here'")
                .executeUpdate());
        return (SessionFactoryImplementor) factory;
    }

    private void assertRefused(Class<?> entity, Map<String, String> settings, String message) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(entity)
                .addAttributeConverter(Prefixed.class)
                .setProperty("hibernate.connection.url", url("keyed_refused"))
                .setProperty("hibernate.hbm2ddl.auto", "update");
        settings.forEach(configuration::setProperty);
        assertThatThrownBy(configuration::buildSessionFactory)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(message);
    }
}
