package io.distributedid.hibernate.internal.query;

import io.distributedid.spi.IdTime;
import java.time.Instant;
import java.util.stream.Stream;
import org.hibernate.boot.model.FunctionContributions;
import org.hibernate.boot.model.FunctionContributor;
import org.hibernate.type.BasicType;
import org.hibernate.type.BasicTypeRegistry;
import org.hibernate.type.SqlTypes;

/**
 * Functions for HQL, JPQL and criteria queries over ids that hold the time, on H2, MySQL, MariaDB and PostgreSQL:
 *
 * <ul>
 *   <li>{@code id_instant(p.id)}: the {@link Instant} at which an id was made.
 *   <li>{@code id_floor(p.id, :instant)} and {@code id_ceiling(p.id, :instant)}: the smallest and the largest id of an
 *       instant in the layout of {@code p.id}, for range scans on the key: {@code where p.id >= id_floor(p.id, :from)}.
 *       For every instant they equal {@link io.distributedid.spi.IdTime#floor} and {@code ceiling}.
 * </ul>
 *
 * <p>The first argument names the sequence: by an entity's id, or as a literal, {@code id_instant('photos',
 * c.photoId)}, {@code id_floor('photos', :instant)}.
 *
 * <p>Found by {@link java.util.ServiceLoader}.
 */
public final class IdFunctions implements FunctionContributor {

    @Override
    public void contributeFunctions(FunctionContributions contributions) {
        IdSql.of(contributions.getDialect()).ifPresent(sql -> {
            BasicTypeRegistry types = contributions.getTypeConfiguration().getBasicTypeRegistry();
            BasicType<Instant> instant = types.resolve(Instant.class, SqlTypes.TIMESTAMP_UTC);
            BasicType<Long> id = types.resolve(Long.class, SqlTypes.BIGINT);
            Stream.of(
                            new IdFunction("id_instant", sql::instant, null, "", instant),
                            new IdFunction("id_floor", sql::floor, IdTime::floor, sql.parameter(), id),
                            new IdFunction("id_ceiling", sql::ceiling, IdTime::ceiling, sql.parameter(), id))
                    .forEach(each -> contributions.getFunctionRegistry().register(each.name(), each.descriptor()));
        });
    }
}
