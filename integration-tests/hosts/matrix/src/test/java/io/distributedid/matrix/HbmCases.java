package io.distributedid.matrix;

import io.distributedid.hibernate.internal.generate.DistributedIdGenerator;
import org.junit.jupiter.api.Order;

/** Mappings in hbm.xml, and our generators named by their class. */
@Order(12)
class HbmCases {

    static class Plain {
        Long id;
    }

    private static final String HBM = """
            <hibernate-mapping xmlns="http://www.hibernate.org/xsd/orm/hbm">
              <class name="io.distributedid.matrix.%s" table="Mapped">
                <id name="id" access="field"><generator class="%s"/></id>
                %s
              </class>
            </hibernate-mapping>
            """;

    private static Unit hbm(String type, String generator, String more) {
        return Unit.of().withXml(HBM.formatted(type, generator, more));
    }

    @Case("xml: hbm.xml of an annotated class, generator assigned")
    void hbmAssigned() {
        XmlCases.store(hbm("XmlCases$Mapped", "assigned", "<property name=\"number\" access=\"field\"/>"));
    }

    @Case("xml: hbm.xml of an annotated class, generator native")
    void hbmNative() {
        XmlCases.store(hbm("XmlCases$Mapped", "native", "<property name=\"number\" access=\"field\"/>"));
    }

    @Case("xml: hbm.xml that names our generator")
    void hbmOurs() {
        XmlCases.store(hbm(
                "XmlCases$Mapped",
                DistributedIdGenerator.class.getName(),
                "<property name=\"number\" access=\"field\"/>"));
    }

    @Case("xml: hbm.xml that names our generator, class without annotation")
    void hbmPlain() {
        try (Unit unit = hbm("HbmCases$Plain", DistributedIdGenerator.class.getName(), "")
                .start()) {
            unit.persist(new Plain());
            throw new AssertionError("stored as " + unit.query("SELECT id FROM Mapped"));
        }
    }
}
