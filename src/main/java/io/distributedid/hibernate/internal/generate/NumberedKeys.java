package io.distributedid.hibernate.internal.generate;

import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

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
            MappedProperty column, KeyedNumbers numbers, SessionFactoryImplementor factory, Connection connection)
            throws SQLException {
        KeyedColumn keyed = KeyedColumn.of(column, column.owner().getEntityName(), factory);
        Map<String, Long> found = new LinkedHashMap<>();
        for (NumberedKey row : rows(query(column, keyed), keyed, factory, connection)) {
            if (found.size() < KEYS) {
                add(found, numbers, row);
            }
        }
        return found;
    }

    private record NumberedKey(String key, long number) {}

    private static String query(MappedProperty column, KeyedColumn keyed) {
        String entity = Optional.ofNullable(column.owner().getJpaEntityName())
                .orElse(column.owner().getEntityName());
        String key = "e." + keyed.per().path();
        String number = "e." + column.ids().path();
        return "select " + (keyed.isOfAssociation() ? "id(" + key + ")" : key) + ", " + number + " from " + entity
                + " e where " + number + " is not null";
    }

    /** Without those that have no key, or a number that this library has not written. */
    private static List<NumberedKey> rows(
            String query, KeyedColumn keyed, SessionFactoryImplementor factory, Connection connection)
            throws SQLException {
        try (StatelessSession session = factory.openStatelessSession(connection)) {
            List<NumberedKey> rows = new ArrayList<>();
            for (Object[] row : session.createQuery(query, Object[].class)
                    .setMaxResults(ROWS)
                    .getResultList()) {
                keyed.number(row[1], (SharedSessionContractImplementor) session).ifPresent(number -> {
                    if (row[0] != null) {
                        rows.add(new NumberedKey(keyed.text(row[0]), number));
                    }
                });
            }
            return rows;
        } catch (RuntimeException e) {
            throw Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                    .filter(SQLException.class::isInstance)
                    .map(SQLException.class::cast)
                    .findFirst()
                    .orElseThrow(() -> e);
        }
    }

    private static void add(Map<String, Long> found, KeyedNumbers numbers, NumberedKey row) {
        try {
            found.merge(numbers.key(row.key()), row.number(), Math::max);
        } catch (IllegalArgumentException e) {
            // No key.
            return;
        }
    }
}
