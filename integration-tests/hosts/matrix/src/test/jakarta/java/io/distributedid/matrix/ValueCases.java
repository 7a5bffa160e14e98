package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.matrix.IdCases.PhotoNumber;
import io.distributedid.matrix.IdCases.PhotoNumberConverter;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;

/** Numbers in columns that are no ids. */
@Order(4)
class ValueCases {

    @MappedSuperclass
    static class Base {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    static void check(Base entity) {
        try (Unit unit = Unit.of(entity.getClass()).start()) {
            unit.persist(entity);
            unit.requireRows(entity.getClass().getSimpleName(), "number", "numbers");
            unit.requireRows(entity.getClass().getSimpleName(), "id", "ids");
        }
    }

    @Entity(name = "Invoice")
    static class Invoice extends Base {
        @DistributedValue(seq = "numbers")
        Long number;

        String text;

        static Invoice numbered(Long number) {
            Invoice invoice = new Invoice();
            invoice.number = number;
            return invoice;
        }
    }

    @Case("column: Long")
    void boxed() {
        check(new Invoice());
    }

    @Entity(name = "OfPrimitive")
    static class OfPrimitive extends Base {
        @DistributedValue(seq = "numbers")
        long number;
    }

    @Case("column: long")
    void primitive() {
        check(new OfPrimitive());
    }

    @Entity(name = "OfString")
    static class OfString extends Base {
        @DistributedValue(seq = "numbers")
        String number;
    }

    @Case("column: String")
    void string() {
        check(new OfString());
    }

    @Entity(name = "OfGetter")
    static class OfGetter {
        private Long id;

        private Integer number;

        @Id
        @DistributedId(seq = "ids")
        Long getId() {
            return id;
        }

        void setId(Long id) {
            this.id = id;
        }

        @DistributedValue(seq = "numbers")
        Integer getNumber() {
            return number;
        }

        void setNumber(Integer number) {
            this.number = number;
        }
    }

    @Case("column: on the getter")
    void getter() {
        try (Unit unit = Unit.of(OfGetter.class).start()) {
            assertThat(unit.persist(new OfGetter()).number).isEqualTo(101);
            unit.requireRows("OfGetter", "number", "numbers");
        }
    }

    @Entity(name = "Converted")
    static class Converted extends Base {
        @DistributedValue(seq = "numbers")
        @Convert(converter = PhotoNumberConverter.class)
        PhotoNumber number;
    }

    @Case("column: own type, @Convert")
    void converted() {
        check(new Converted());
    }

    @MappedSuperclass
    static class Generic<T> extends Base {
        @DistributedValue(seq = "numbers")
        T number;
    }

    @Entity(name = "OfGeneric")
    static class OfGeneric extends Generic<Integer> {}

    @Case("column: in a generic mapped superclass")
    void generic() {
        check(new OfGeneric());
    }

    @Entity(name = "OfSeveral")
    static class OfSeveral extends Base {
        @DistributedValue(seq = "numbers")
        Long number;

        @DistributedValue(seq = "others")
        Integer other;

        @DistributedValue(seq = "others")
        Integer another;
    }

    @Case("column: several in one entity, two of one sequence")
    void several() {
        try (Unit unit = Unit.of(OfSeveral.class).start()) {
            OfSeveral entity = unit.persist(new OfSeveral());
            unit.requireRows("OfSeveral", "number", "numbers");
            assertThat(List.of(entity.other.longValue(), entity.another.longValue()))
                    .containsExactlyInAnyOrderElementsOf(MemoryBackend.given("others"));
        }
    }

    @Embeddable
    static class Numbered {
        @DistributedValue(seq = "numbers")
        Long number;

        String text;
    }

    @Entity(name = "Embedding")
    static class Embedding extends Base {
        @Embedded
        Numbered numbered = new Numbered();
    }

    @Case("column: in an embedded object")
    void embedded() {
        check(new Embedding());
    }

    @Case("column: in an embedded object that is null")
    void embeddedNull() {
        Embedding entity = new Embedding();
        entity.numbered = null;
        check(entity);
    }

    @Entity(name = "EmbeddingTwice")
    static class EmbeddingTwice extends Base {
        @Embedded
        Numbered numbered = new Numbered();

        @Embedded
        @AttributeOverride(name = "number", column = @Column(name = "other"))
        @AttributeOverride(name = "text", column = @Column(name = "other_text"))
        Numbered other = new Numbered();
    }

    @Case("column: in two embedded objects of one class")
    void embeddedTwice() {
        try (Unit unit = Unit.of(EmbeddingTwice.class).start()) {
            EmbeddingTwice entity = unit.persist(new EmbeddingTwice());
            assertThat(List.of(entity.numbered.number, entity.other.number))
                    .containsExactlyInAnyOrderElementsOf(MemoryBackend.given("numbers"));
        }
    }

    @Embeddable
    record NumberedRecord(@DistributedValue(seq = "numbers") Long number, String text) {}

    @Entity(name = "EmbeddingRecord")
    static class EmbeddingRecord extends Base {
        @Embedded
        NumberedRecord numbered = new NumberedRecord(null, "text");
    }

    @Case("column: in an embedded record")
    void embeddedRecord() {
        check(new EmbeddingRecord());
    }

    @Entity(name = "Collecting")
    static class Collecting extends Base {
        @ElementCollection
        List<Numbered> all = new ArrayList<>(List.of(new Numbered()));
    }

    @Case("column: in the elements of a collection")
    void collected() {
        try (Unit unit = Unit.of(Collecting.class).start()) {
            unit.persist(new Collecting());
            unit.requireRows("Collecting_all", "number", "numbers");
        }
    }

    @Case("column: has a value, persist keeps it")
    void preset() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            unit.persist(Invoice.numbered(5L));
            assertThat(unit.query("SELECT number FROM Invoice")).containsExactly("5");
            assertThat(MemoryBackend.given("numbers")).isEmpty();
        }
    }

    @Case("column: has a value, StatelessSession.insert keeps it")
    void presetStateless() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            unit.insert(Invoice.numbered(5L));
            assertThat(unit.query("SELECT number FROM Invoice")).containsExactly("5");
            assertThat(MemoryBackend.given("numbers")).isEmpty();
        }
    }

    @Case("column: StatelessSession.insert")
    void stateless() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            Invoice invoice = new Invoice();
            unit.insert(invoice);
            assertThat(invoice.number).isEqualTo(101);
            unit.requireRows("Invoice", "number", "numbers");
        }
    }

    @Case("column: merge")
    void merge() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            assertThat(unit.merge(new Invoice()).number).isEqualTo(101);
            unit.requireRows("Invoice", "number", "numbers");
        }
    }

    @Case("column: an update leaves it alone")
    void update() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            Invoice invoice = unit.persist(new Invoice());
            invoice.text = "changed";
            unit.merge(invoice);
            unit.factory().inTransaction(session -> session.find(Invoice.class, invoice.id).text = "again");
            assertThat(unit.query("SELECT text FROM Invoice")).containsExactly("again");
            unit.requireRows("Invoice", "number", "numbers");
        }
    }

    @Case("column: an update writes what the application sets")
    void change() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            Invoice invoice = unit.persist(new Invoice());
            unit.factory().inTransaction(session -> session.find(Invoice.class, invoice.id).number = 5L);
            assertThat(unit.query("SELECT number FROM Invoice")).containsExactly("5");
            invoice.number = 6L;
            unit.merge(invoice);
            assertThat(unit.query("SELECT number FROM Invoice")).containsExactly("6");
            assertThat(MemoryBackend.given("numbers")).hasSize(1);
        }
    }

    @Case("column: StatelessSession.upsert without it")
    void upsertWithout() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            Invoice invoice = new Invoice();
            invoice.id = 5L;
            unit.upsert(invoice);
            unit.requireRows("Invoice", "number", "numbers");
        }
    }

    @Case("column: StatelessSession.upsert with it")
    void upsertWith() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            Invoice invoice = Invoice.numbered(7L);
            invoice.id = 5L;
            unit.upsert(invoice);
            assertThat(unit.query("SELECT number FROM Invoice")).containsExactly("7");
            invoice.number = 8L;
            unit.upsert(invoice);
            assertThat(unit.query("SELECT number FROM Invoice")).containsExactly("8");
        }
    }

    @Case("column: HQL insert without it")
    void hql() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            unit.hql("insert into Invoice (text) values ('a')");
            unit.requireRows("Invoice", "number", "numbers");
        }
    }

    @Case("column: HQL insert with it")
    void hqlWith() {
        try (Unit unit = Unit.of(Invoice.class).start()) {
            unit.hql("insert into Invoice (text, number) values ('a', 7)");
            assertThat(unit.query("SELECT number FROM Invoice")).containsExactly("7");
            unit.requireRows("Invoice", "id", "ids");
        }
    }

    @Entity(name = "OnConnection")
    static class OnConnection {
        @Id
        @DistributedId(seq = MemoryBackend.ON_CONNECTION)
        Long id;

        @DistributedValue(seq = MemoryBackend.ON_CONNECTION)
        Long number;
    }

    @Case("column: from the row's own database, in a batch")
    void onConnection() {
        try (Unit unit = Unit.of(OnConnection.class)
                .with("hibernate.jdbc.batch_size", "10")
                .start()) {
            unit.factory().inTransaction(session -> {
                for (int i = 0; i < 25; i++) {
                    session.persist(new OnConnection());
                }
            });
            List<String> all = new ArrayList<>(unit.query("SELECT id FROM OnConnection"));
            all.addAll(unit.query("SELECT number FROM OnConnection"));
            assertThat(all).hasSize(50).doesNotHaveDuplicates();
        }
    }
}
