package io.distributedid.hibernate.internal.generate;

import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.property.StoredNumbers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * Reads the keys of some rows that have numbers per key, for the check at start:
 *
 * <pre>
 * select e.customer, e.number from Order e where e.number is not null     -- at most 100 rows
 * </pre>
 *
 * <p>A session reads them, since only the mapping knows how columns store a key and a number.
 */
public final class NumberedKeys {

    private static final int ROWS = 100;

    private static final int KEYS = 10;

    private NumberedKeys() {}

    /**
     * At most {@value #KEYS} keys, each with a number that a row has.
     *
     * @throws SQLException of the query, instead of what Hibernate makes of it
     */
    public static Map<String, Long> read(
            MappedProperty number, SessionFactoryImplementor factory, Connection connection) throws SQLException {
        String entity = number.owner().getEntityName();
        KeyedColumn column = KeyedValues.of(factory).column(entity, number.ids().path());
        String key = "e." + column.per().path();
        String value = "e." + number.ids().path();
        String query = "select " + (column.key().isAssociation() ? "id(" + key + ")" : key) + ", " + value + " from "
                + Optional.ofNullable(number.owner().getJpaEntityName()).orElse(entity) + " e where " + value
                + " is not null";
        Map<String, Long> found = new LinkedHashMap<>();
        try (StatelessSession session = factory.openStatelessSession(connection)) {
            session.createQuery(query, Object[].class).setMaxResults(ROWS).getResultList().stream()
                    .filter(row -> row[0] != null)
                    .forEach(row -> add(found, column, row[0], StoredNumbers.read(row[1])));
            return found;
        } catch (RuntimeException e) {
            throw Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                    .filter(SQLException.class::isInstance)
                    .map(SQLException.class::cast)
                    .findFirst()
                    .orElseThrow(() -> e);
        }
    }

    /** @param number empty for a text that this library has not written */
    private static void add(Map<String, Long> found, KeyedColumn column, Object key, OptionalLong number) {
        if (number.isEmpty() || found.size() == KEYS) {
            return;
        }
        try {
            found.merge(column.sequence().key(column.text(key)), number.getAsLong(), Math::max);
        } catch (IllegalArgumentException e) {
            // No key.
            return;
        }
    }
}
