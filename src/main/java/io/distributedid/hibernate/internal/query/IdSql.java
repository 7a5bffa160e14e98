package io.distributedid.hibernate.internal.query;

import io.distributedid.spi.IdTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.PostgreSQLDialect;

/**
 * The time in ids as SQL arithmetic, in Hibernate's patterns: {@code ?1} is the argument. Hibernate stores an
 * {@link java.time.Instant} as TIMESTAMP WITH TIME ZONE, on MySQL and MariaDB as DATETIME in UTC. So the time zone of a
 * session or a server has no effect.
 */
enum IdSql {
    H2(
            "bigint",
            "/",
            Instant.MAX,
            "dateadd(millisecond, %s, timestamp with time zone '1970-01-01 00:00:00+00')",
            "timestamp with time zone '%s+00'",
            "cast(floor((extract(epoch from ?1) - extract(epoch from %s)) * 1000) as bigint)"),
    MYSQL(
            "signed",
            "div",
            Instant.parse("9999-12-31T23:59:59.999Z"),
            "timestampadd(microsecond, %s * 1000, timestamp '1970-01-01 00:00:00')",
            "timestamp '%s'",
            "timestampdiff(microsecond, %s, ?1) div 1000"),
    /** Before 14, extract() gives a floating-point number, exact to the microsecond when rounded. */
    POSTGRESQL(
            "bigint",
            "/",
            Instant.parse("+294000-01-01T00:00:00Z"),
            "(timestamp with time zone '1970-01-01 00:00:00+00' + %s * interval '1 millisecond')",
            "timestamp with time zone '%s+00'",
            "(cast(round(extract(epoch from ?1) * 1000000) as bigint)"
                    + " - cast(round(extract(epoch from %s) * 1000000) as bigint)) / 1000");

    private static final DateTimeFormatter LITERAL =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private final String integer;

    private final String divide;

    private final Instant lastKnown;

    private final String toInstant;

    private final String literal;

    private final String millisSince;

    /**
     * @param lastKnown the last instant that the database can represent
     * @param toInstant converts milliseconds since 1970
     * @param millisSince the milliseconds from a literal to a later instant
     */
    IdSql(String integer, String divide, Instant lastKnown, String toInstant, String literal, String millisSince) {
        this.integer = integer;
        this.divide = divide;
        this.lastKnown = lastKnown;
        this.toInstant = toInstant;
        this.literal = literal;
        this.millisSince = millisSince;
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

    /** The smallest id of an instant. Outside the range of the time field, the nearest instant inside is used. */
    String floor(IdTime time) {
        long unit = time.unit().toMillis();
        Instant end = time.epoch().plusMillis(time.maxTick() * unit);
        String begin = literal(time.epoch());
        return "(case when ?1 < " + begin + " then 0"
                + (end.isAfter(lastKnown) ? "" : " when ?1 >= " + literal(end) + " then " + time.floor(end))
                + " else " + String.format(millisSince, begin) + " " + divide + " " + unit + " * "
                + (1L << time.shift())
                + " end)";
    }

    String ceiling(IdTime time) {
        return "(" + floor(time) + " + " + ((1L << time.shift()) - 1) + ")";
    }

    /** A parameter of the type of ids. */
    String parameter() {
        return "cast(?1 as " + integer + ")";
    }

    private String literal(Instant instant) {
        return String.format(literal, LITERAL.format(instant));
    }
}
