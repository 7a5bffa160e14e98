package io.distributedid.hibernate.internal.generate;

import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
 * <p>A session reads them, since only the mapping knows how a column stores a key.
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
            MappedProperty column, KeyedNumbers numbers, SessionFactoryImplementor factory, Connection connection)
            throws SQLException {
        KeyedColumn keyed = KeyedColumn.of(column, column.owner().getEntityName(), factory);
        Map<String, Long> found = new LinkedHashMap<>();
        for (Object[] row : rows(query(column, keyed), factory, connection)) {
            if (row[0] != null && found.size() < KEYS) {
                add(found, numbers, keyed.text(row[0]), String.valueOf(row[1]));
            }
        }
        return found;
    }

    private static String query(MappedProperty column, KeyedColumn keyed) {
        String entity = Optional.ofNullable(column.owner().getJpaEntityName())
                .orElse(column.owner().getEntityName());
        String key = "e." + keyed.per().path();
        String number = "e." + column.ids().path();
        return "select " + (keyed.isOfAssociation() ? "id(" + key + ")" : key) + ", " + number + " from " + entity
                + " e where " + number + " is not null";
    }

    private static List<Object[]> rows(String query, SessionFactoryImplementor factory, Connection connection)
            throws SQLException {
        try (StatelessSession session = factory.openStatelessSession(connection)) {
            return session.createQuery(query, Object[].class)
                    .setMaxResults(ROWS)
                    .getResultList();
        } catch (RuntimeException e) {
            throw Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                    .filter(SQLException.class::isInstance)
                    .map(SQLException.class::cast)
                    .findFirst()
                    .orElseThrow(() -> e);
        }
    }

    /** Other texts were not written by this library. */
    private static void add(Map<String, Long> found, KeyedNumbers numbers, String key, String number) {
        try {
            long parsed = Long.parseLong(number.strip());
            if (parsed > 0) {
                found.merge(numbers.key(key), parsed, Math::max);
            }
        } catch (IllegalArgumentException e) {
            // No number, or no key.
            return;
        }
    }
}
