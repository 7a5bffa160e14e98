package io.distributedid.hibernate.internal.generate;

import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
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

    /** The filter of Hibernate that {@code @TenantId} defines. */
    private static final String TENANT_FILTER = "_tenantId";

    private NumberedKeys() {}

    /** Why a start has no session that reads all rows; empty if it has one. */
    public static Optional<String> hindrance(SessionFactoryImplementor factory, boolean isReactive) {
        if (isReactive) {
            return Optional.of("Hibernate Reactive has no session on a JDBC connection");
        }
        return factory.getSessionFactoryOptions().isMultiTenancyEnabled()
                        || factory.getDefinedFilterNames().contains(TENANT_FILTER)
                ? Optional.of("each session needs a tenant")
                : Optional.empty();
    }

    /**
     * At most {@value #KEYS} keys, each with a number that a row has.
     *
     * @throws SQLException of the query, instead of what Hibernate makes of it
     */
    public static Map<String, Long> read(
            MappedProperty column, SessionFactoryImplementor factory, Connection connection) throws SQLException {
        KeyedColumn keyed = KeyedColumn.of(column, column.owner().getEntityName(), factory);
        Map<String, Long> found = new LinkedHashMap<>();
        try (StatelessSession session = factory.openStatelessSession(connection)) {
            for (Object[] row : session.createQuery(query(column, keyed), Object[].class)
                    .setMaxResults(ROWS)
                    .getResultList()) {
                // Without rows that have no key, or a text that this library has not written.
                OptionalLong number = StoredNumbers.read(row[1]);
                if (row[0] != null && number.isPresent() && found.size() < KEYS) {
                    add(found, keyed.sequence(), keyed.text(row[0]), number.getAsLong());
                }
            }
            return found;
        } catch (RuntimeException e) {
            throw Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                    .filter(SQLException.class::isInstance)
                    .map(SQLException.class::cast)
                    .findFirst()
                    .orElseThrow(() -> e);
        }
    }

    private static String query(MappedProperty column, KeyedColumn keyed) {
        String entity = Optional.ofNullable(column.owner().getJpaEntityName())
                .orElse(column.owner().getEntityName());
        String key = "e." + keyed.per().path();
        String number = "e." + column.ids().path();
        return "select " + (keyed.isOfAssociation() ? "id(" + key + ")" : key) + ", " + number + " from " + entity
                + " e where " + number + " is not null";
    }

    private static void add(Map<String, Long> found, KeyedNumbers numbers, String key, long number) {
        try {
            found.merge(numbers.key(key), number, Math::max);
        } catch (IllegalArgumentException e) {
            // No key.
            return;
        }
    }
}
