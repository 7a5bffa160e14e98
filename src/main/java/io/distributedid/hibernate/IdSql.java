package io.distributedid.hibernate;

import io.distributedid.spi.IdTime;
import java.util.Optional;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.PostgreSQLDialect;

/**
 * The time in ids as SQL arithmetic, in Hibernate's patterns: {@code ?1} is the argument. Instants are what Hibernate makes of an
 * {@link java.time.Instant}: a TIMESTAMP WITH TIME ZONE, or a DATETIME in UTC on MySQL and MariaDB, so that no time zone of a session
 * or a server gets between.
 */
enum IdSql {
    H2(
            "bigint",
            "/",
            "dateadd(millisecond, %s, timestamp with time zone '1970-01-01 00:00:00+00')",
            "cast(floor(extract(epoch from cast(?1 as timestamp with time zone)) * 1000) as bigint)"),
    MYSQL(
            "signed",
            "div",
            "timestampadd(microsecond, %s * 1000, timestamp '1970-01-01 00:00:00')",
            "timestampdiff(microsecond, timestamp '1970-01-01 00:00:00', ?1) div 1000"),
    /** Before 14, extract() gives a floating-point number, exact to the microsecond when rounded. */
    POSTGRESQL(
            "bigint",
            "/",
            "(timestamp with time zone '1970-01-01 00:00:00+00' + %s * interval '1 millisecond')",
            "cast(round(extract(epoch from cast(?1 as timestamp with time zone)) * 1000000) as bigint) / 1000");

    private final String integer;

    private final String divide;

    private final String toInstant;

    private final String toMillis;

    IdSql(String integer, String divide, String toInstant, String toMillis) {
        this.integer = integer;
        this.divide = divide;
        this.toInstant = toInstant;
        this.toMillis = toMillis;
    }

    static Optional<IdSql> of(Dialect dialect) {
        if (dialect instanceof MySQLDialect) {
            return Optional.of(MYSQL);
        }
        if (dialect instanceof PostgreSQLDialect) {
            return Optional.of(POSTGRESQL);
        }
        return dialect instanceof H2Dialect ? Optional.of(H2) : Optional.empty();
    }

    /** The instant of an id, whatever the type of its column. */
    String instant(IdTime time) {
        return String.format(
                toInstant,
                String.format(
                        "(cast(?1 as %s) %s %d * %d + %d)",
                        integer,
                        divide,
                        1L << time.shift(),
                        time.unit().toMillis(),
                        time.epoch().toEpochMilli()));
    }

    /** The smallest id of an instant. */
    String floor(IdTime time) {
        return String.format(
                "((%s - %d) %s %d * %d)",
                toMillis, time.epoch().toEpochMilli(), divide, time.unit().toMillis(), 1L << time.shift());
    }

    /** The largest id of an instant. */
    String ceiling(IdTime time) {
        return "(" + floor(time) + " + " + ((1L << time.shift()) - 1) + ")";
    }
}
