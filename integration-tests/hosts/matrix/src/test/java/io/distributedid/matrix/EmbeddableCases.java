package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.DiscriminatorColumn;
import jakarta.persistence.DiscriminatorValue;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MapKeyClass;
import jakarta.persistence.MappedSuperclass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.Order;

/** Numbers in embedded objects of all kinds. */
@Order(12)
class EmbeddableCases {

    @MappedSuperclass
    static class Base {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    @Embeddable
    static class Numbered {
        @DistributedValue(seq = "numbers")
        Long number;

        String text;

        @Override
        public boolean equals(Object other) {
            return other instanceof Numbered numbered
                    && Objects.equals(number, numbered.number)
                    && Objects.equals(text, numbered.text);
        }

        @Override
        public int hashCode() {
            return Objects.hash(number, text);
        }
    }

    @Embeddable
    static class Twice {
        @Embedded
        Numbered inner = new Numbered();

        String more;
    }

    @Embeddable
    @DiscriminatorColumn(name = "kind")
    @DiscriminatorValue("plain")
    static class Plain {
        String text = "text";
    }

    @Embeddable
    @DiscriminatorValue("numbered")
    static class NumberedPlain extends Plain {
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "Inheriting")
    static class Inheriting extends Base {
        @Embedded
        Plain plain = new NumberedPlain();

        static Inheriting of(Plain plain) {
            Inheriting entity = new Inheriting();
            entity.plain = plain;
            return entity;
        }
    }

    @Case("embedded: in a subclass of an @Embeddable")
    void subclass() {
        try (Unit unit =
                Unit.of(Inheriting.class, Plain.class, NumberedPlain.class).start()) {
            Inheriting entity = unit.persist(new Inheriting());
            assertThat(((NumberedPlain) entity.plain).number).isEqualTo(101);
            unit.requireRows("Inheriting", "number", "numbers");
        }
    }

    @Case("embedded: in a subclass of an @Embeddable, the object is of another class")
    void otherClass() {
        try (Unit unit =
                Unit.of(Inheriting.class, Plain.class, NumberedPlain.class).start()) {
            unit.persist(Inheriting.of(new Plain()));
            assertThat(unit.query("SELECT number FROM Inheriting")).containsOnlyNulls();
            assertThat(unit.query("SELECT kind FROM Inheriting")).containsExactly("plain");
        }
    }

    @Embeddable
    @DiscriminatorColumn(name = "kind")
    @DiscriminatorValue("root")
    static class NumberedRoot {
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Embeddable
    @DiscriminatorValue("leaf")
    static class Leaf extends NumberedRoot {
        String text = "text";
    }

    @Entity(name = "InheritingRoot")
    static class InheritingRoot extends Base {
        @Embedded
        NumberedRoot numbered = new Leaf();
    }

    @Case("embedded: in the root of an @Embeddable hierarchy")
    void root() {
        try (Unit unit =
                Unit.of(InheritingRoot.class, NumberedRoot.class, Leaf.class).start()) {
            InheritingRoot entity = unit.persist(new InheritingRoot());
            assertThat(entity.numbered).isInstanceOf(Leaf.class);
            assertThat(entity.numbered.number).isEqualTo(101);
            unit.requireRows("InheritingRoot", "number", "numbers");
        }
    }

    @Case("embedded: in the root of an @Embeddable hierarchy, the object is null")
    void rootNull() {
        try (Unit unit =
                Unit.of(InheritingRoot.class, NumberedRoot.class, Leaf.class).start()) {
            InheritingRoot entity = new InheritingRoot();
            entity.numbered = null;
            unit.persist(entity);
            unit.requireRows("InheritingRoot", "number", "numbers");
        }
    }

    @Entity(name = "CollectingSubclass")
    static class CollectingSubclass extends Base {
        @ElementCollection
        @CollectionTable(name = "CollectingSubclass_elements")
        List<Plain> all = new ArrayList<>(List.of(new NumberedPlain()));
    }

    @Case("embedded: in a subclass of an @Embeddable, in the elements of a collection")
    void collectedSubclass() {
        try (Unit unit = Unit.of(CollectingSubclass.class, Plain.class, NumberedPlain.class)
                .start()) {
            unit.persist(new CollectingSubclass());
            unit.requireRows("CollectingSubclass_elements", "number", "numbers");
        }
    }

    @Entity(name = "CollectingNested")
    static class CollectingNested extends Base {
        @ElementCollection
        @CollectionTable(name = "CollectingNested_elements")
        List<Twice> all = new ArrayList<>(List.of(new Twice()));
    }

    @Case("embedded: nested in the elements of a collection")
    void collectedNested() {
        try (Unit unit = Unit.of(CollectingNested.class).start()) {
            unit.persist(new CollectingNested());
            unit.requireRows("CollectingNested_elements", "number", "numbers");
        }
    }

    @Case("embedded: nested in the elements of a collection, and used elsewhere")
    void collectedNestedAndElsewhere() {
        try (Unit unit = Unit.of(CollectingNested.class, OfEmbedded.class).start()) {
            unit.persist(new CollectingNested());
            unit.requireRows("CollectingNested_elements", "number", "numbers");
        }
    }

    @Entity(name = "Keyed")
    static class Keyed extends Base {
        @ElementCollection
        @MapKeyClass(Numbered.class)
        @CollectionTable(name = "Keyed_elements")
        Map<Numbered, String> entries = new HashMap<>(Map.of(new Numbered(), "value"));
    }

    @Case("embedded: in the key of a map")
    void mapKey() {
        try (Unit unit = Unit.of(Keyed.class).start()) {
            unit.persist(new Keyed());
            unit.requireRows("Keyed_elements", "number", "numbers");
        }
    }

    @Entity(name = "OfEmbedded")
    static class OfEmbedded extends Base {
        @Embedded
        Numbered numbered = new Numbered();
    }

    @Case("embedded: in the key of a map, and used elsewhere")
    void mapKeyAndElsewhere() {
        try (Unit unit = Unit.of(Keyed.class, OfEmbedded.class).start()) {
            unit.persist(new Keyed());
            unit.requireRows("Keyed_elements", "number", "numbers");
        }
    }

    @Entity(name = "OfJson")
    static class OfJson extends Base {
        @JdbcTypeCode(SqlTypes.JSON)
        Numbered numbered = new Numbered();
    }

    /** Every number of the sequence is in a text, and each text has one. */
    private static void requireWithin(Unit unit, String sql) {
        List<String> found = unit.query(sql);
        assertThat(found).isNotEmpty().hasSameSizeAs(MemoryBackend.given("numbers"));
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i))
                    .contains(MemoryBackend.given("numbers").get(i).toString());
        }
    }

    @Case("embedded: as JSON")
    void json() {
        try (Unit unit = Unit.of(OfJson.class).start()) {
            unit.persist(new OfJson());
            requireWithin(unit, "SELECT numbered FROM OfJson");
        }
    }

    @Entity(name = "OfJsonNested")
    static class OfJsonNested extends Base {
        @JdbcTypeCode(SqlTypes.JSON)
        Twice outer = new Twice();
    }

    @Case("embedded: nested in JSON")
    void jsonNested() {
        try (Unit unit = Unit.of(OfJsonNested.class).start()) {
            unit.persist(new OfJsonNested());
            requireWithin(unit, "SELECT outer FROM OfJsonNested");
        }
    }

    @Entity(name = "OfJsonAndElsewhere")
    static class OfJsonAndElsewhere extends Base {
        @JdbcTypeCode(SqlTypes.JSON)
        Numbered numbered = new Numbered();

        @Embedded
        @AttributeOverride(name = "number", column = @Column(name = "other"))
        @AttributeOverride(name = "text", column = @Column(name = "other_text"))
        Numbered elsewhere = new Numbered();
    }

    @Case("embedded: as JSON, and used elsewhere")
    void jsonAndElsewhere() {
        try (Unit unit = Unit.of(OfJsonAndElsewhere.class).start()) {
            OfJsonAndElsewhere entity = unit.persist(new OfJsonAndElsewhere());
            assertThat(List.of(entity.numbered.number, entity.elsewhere.number))
                    .containsExactlyInAnyOrderElementsOf(MemoryBackend.given("numbers"));
        }
    }

    @Entity(name = "OfJsonArray")
    static class OfJsonArray extends Base {
        @JdbcTypeCode(SqlTypes.JSON_ARRAY)
        List<Numbered> numbers = new ArrayList<>(List.of(new Numbered()));
    }

    @Case("embedded: in a list as JSON")
    void jsonArray() {
        try (Unit unit = Unit.of(OfJsonArray.class).start()) {
            unit.persist(new OfJsonArray());
            requireWithin(unit, "SELECT numbers FROM OfJsonArray");
        }
    }

    @Entity(name = "OfJsonList")
    static class OfJsonList extends Base {
        @JdbcTypeCode(SqlTypes.JSON)
        List<Numbered> numbers = new ArrayList<>(List.of(new Numbered()));
    }

    @Case("embedded: a list as one JSON value")
    void jsonList() {
        try (Unit unit = Unit.of(OfJsonList.class).start()) {
            unit.persist(new OfJsonList());
            requireWithin(unit, "SELECT numbers FROM OfJsonList");
        }
    }

    static class Pojo {
        @DistributedValue(seq = "numbers")
        public Long number;
    }

    @Entity(name = "OfPojo")
    static class OfPojo extends Base {
        @JdbcTypeCode(SqlTypes.JSON)
        Pojo pojo = new Pojo();
    }

    @Case("embedded: in a class of one's own as JSON, which is no @Embeddable")
    void pojo() {
        try (Unit unit = Unit.of(OfPojo.class).start()) {
            unit.persist(new OfPojo());
            requireWithin(unit, "SELECT pojo FROM OfPojo");
        }
    }
}
