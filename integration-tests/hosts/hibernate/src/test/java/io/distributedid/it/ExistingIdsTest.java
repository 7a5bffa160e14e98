package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.Table;
import java.io.Serializable;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** Tables that had ids before they came from a sequence. */
class ExistingIdsTest {

    private static final String EXISTING = "distributedid.existing_ids";

    /** A table whose highest id is 500. */
    private static Unit grown() {
        Unit unit = Unit.of(Photo.class).with("hibernate.hbm2ddl.auto", "update");
        unit.execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
        unit.execute("INSERT INTO Photo VALUES (3), (500), (20)");
        return unit;
    }

    @Test
    void counterBelowThemIsRefused() {
        assertThatThrownBy(grown()::start)
                .hasRootCauseInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("io.distributedid.it.Photo (seq=photos): ")
                .hasMessageContainingAll("500", "distributedid.existing_ids=raise");
    }

    @Test
    void counterIsRaisedAboveThem() {
        try (SessionFactory factory = grown().with(EXISTING, "raise").start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(501);
        }
    }

    @Test
    void tableIsNotLookedAt() {
        try (SessionFactory factory = grown().with(EXISTING, "ignore").start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }
    }

    @Test
    void counterAboveThemGoesOn() {
        Unit unit = grown();
        unit.with(EXISTING, "ignore").start().close();
        unit.count("photos", 500);
        try (SessionFactory factory = unit.without(EXISTING).start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(501);
        }
    }

    @Entity(name = "Person")
    @Table(name = "`person table`")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class Person {
        @Id
        @DistributedId(seq = "persons")
        @Column(name = "`person id`")
        Integer id;
    }

    @Entity(name = "Author")
    @Table(name = "Author")
    static class Author extends Person {}

    @Test
    void everyTableOfAHierarchyIsLookedAt() {
        Unit unit = Unit.of(Person.class, Author.class);
        unit.start().close();
        unit.execute("INSERT INTO \"person table\" VALUES (70)");
        unit.execute("INSERT INTO Author VALUES (80)");
        unit.with("hibernate.hbm2ddl.auto", "validate").with(EXISTING, "raise");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Person()).id).isEqualTo(81);
        }
    }

    @Embeddable
    record Key(@DistributedId(seq = "keys") Long id, Long userId) implements Serializable {}

    @Entity(name = "Invoice")
    static class Invoice {
        @EmbeddedId
        Key key = new Key(null, 7L);

        @DistributedValue(seq = "numbers")
        Integer number;
    }

    @Test
    void partsOfKeysAndOtherColumnsAreLookedAt() {
        Unit unit = Unit.of(Invoice.class);
        unit.start().close();
        unit.execute("INSERT INTO Invoice (id, userId, number) VALUES (70, 7, 800)");
        unit.with("hibernate.hbm2ddl.auto", "validate").with(EXISTING, "raise");
        try (SessionFactory factory = unit.start()) {
            Invoice invoice = Unit.persist(factory, new Invoice());
            assertThat(invoice.key).isEqualTo(new Key(71L, 7L));
            assertThat(invoice.number).isEqualTo(801);
        }
    }
}
