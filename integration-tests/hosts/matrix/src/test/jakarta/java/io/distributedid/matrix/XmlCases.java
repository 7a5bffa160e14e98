package io.distributedid.matrix;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.io.Serializable;
import org.junit.jupiter.api.Order;

/** Mappings in XML, where the provider may not look at annotations. */
@Order(12)
class XmlCases {

    @Entity(name = "Mapped")
    static class Mapped {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @DistributedValue(seq = "numbers")
        Long number;
    }

    private static final String ORM = """
            <entity-mappings xmlns="https://jakarta.ee/xml/ns/persistence/orm" version="3.1">
              %s
              <entity class="io.distributedid.matrix.XmlCases$%s" access="FIELD" %s>
                <attributes>%s</attributes>
              </entity>
            </entity-mappings>
            """;

    private static Unit orm(String prefix, String type, String attributes, String mapping, Class<?>... entities) {
        return xml(ORM.formatted(prefix, type, attributes, mapping), entities);
    }

    private static Unit xml(String xml, Class<?>... entities) {
        return Unit.of(entities).withXml(xml);
    }

    static void store(Unit unit) {
        try (unit) {
            unit.start();
            unit.persist(new Mapped());
            unit.persist(new Mapped());
            unit.requireRows("Mapped", "id", "ids");
            unit.requireRows("Mapped", "number", "numbers");
        }
    }

    @Case("xml: orm.xml beside annotations")
    void ormComplement() {
        store(orm("", "Mapped", "name=\"Mapped\"", "<basic name=\"number\"/>", Mapped.class));
    }

    @Case("xml: orm.xml, metadata-complete")
    void ormComplete() {
        store(orm(
                "",
                "Mapped",
                "name=\"Mapped\" metadata-complete=\"true\"",
                "<id name=\"id\"/><basic name=\"number\"/>"));
    }

    @Case("xml: orm.xml, metadata-complete, with annotations only on the class")
    void ormCompleteBoth() {
        store(orm(
                "",
                "Mapped",
                "name=\"Mapped\" metadata-complete=\"true\"",
                "<id name=\"id\"/><basic name=\"number\"/>",
                Mapped.class));
    }

    @Case("xml: orm.xml, xml-mapping-metadata-complete")
    void ormAllComplete() {
        store(orm(
                "<persistence-unit-metadata><xml-mapping-metadata-complete/></persistence-unit-metadata>",
                "Mapped",
                "name=\"Mapped\"",
                "<id name=\"id\"/><basic name=\"number\"/>"));
    }

    @Case("xml: orm.xml, metadata-complete, a generator of its own")
    void ormOwnGenerator() {
        store(orm(
                "",
                "Mapped",
                "name=\"Mapped\" metadata-complete=\"true\"",
                "<id name=\"id\"><generated-value strategy=\"SEQUENCE\"/></id><basic name=\"number\"/>"));
    }

    @Case("xml: orm.xml that overrides the id's generator")
    void ormOverride() {
        store(orm(
                "",
                "Mapped",
                "name=\"Mapped\"",
                "<id name=\"id\"><generated-value strategy=\"SEQUENCE\"/></id>",
                Mapped.class));
    }

    @Entity(name = "OfParts")
    @IdClass(PrimitiveKey.class)
    static class OfParts {
        @Id
        @DistributedId(seq = "ids")
        long id;

        @Id
        long userId = 7;
    }

    record PrimitiveKey(long id, long userId) implements Serializable {}

    @Case("xml: orm.xml, metadata-complete, part of an @IdClass")
    void ormIdClass() {
        String parts = ORM.replace(
                "<attributes>", "<id-class class=\"io.distributedid.matrix.XmlCases$PrimitiveKey\"/><attributes>");
        try (Unit unit = xml(parts.formatted(
                        "",
                        "OfParts",
                        "name=\"OfParts\" metadata-complete=\"true\"",
                        "<id name=\"id\"/><id name=\"userId\"/>"))
                .start()) {
            unit.persist(new OfParts());
            unit.requireRows("OfParts", "id", "ids");
        }
    }

    @Entity(name = "OnlyValue")
    static class OnlyValue {
        @Id
        Long id = 1L;

        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Case("xml: orm.xml, metadata-complete, a column")
    void ormValue() {
        try (Unit unit = orm(
                        "",
                        "OnlyValue",
                        "name=\"OnlyValue\" metadata-complete=\"true\"",
                        "<id name=\"id\"/><basic name=\"number\"/>")
                .start()) {
            unit.persist(new OnlyValue());
            unit.requireRows("OnlyValue", "number", "numbers");
        }
    }

    @Entity(name = "OfNullKey")
    static class OfNullKey {
        @EmbeddedId
        CompositeCases.Key key;
    }

    @Case("composite: @EmbeddedId that is null, persist")
    void nullKey() {
        try (Unit unit = Unit.of(OfNullKey.class).start()) {
            unit.persist(new OfNullKey());
            throw new AssertionError("stored as " + unit.query("SELECT id FROM OfNullKey"));
        }
    }

    @Case("composite: @EmbeddedId that is null, StatelessSession.insert")
    void nullKeyStateless() {
        try (Unit unit = Unit.of(OfNullKey.class).start()) {
            unit.insert(new OfNullKey());
            throw new AssertionError("stored as " + unit.query("SELECT id FROM OfNullKey"));
        }
    }

    @Case("composite: @EmbeddedId that is null, merge")
    void nullKeyMerge() {
        try (Unit unit = Unit.of(OfNullKey.class).start()) {
            unit.merge(new OfNullKey());
            throw new AssertionError("stored as " + unit.query("SELECT id FROM OfNullKey"));
        }
    }
}
