package io.distributedid;

import io.distributedid.hibernate.DistributedIdGenerator;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * The annotated id is taken from a distributed sequence when the entity is persisted.
 *
 * <pre>{@code
 * @Entity
 * class Photo {
 *     @Id @DistributedId(seq = "photos")
 *     Long id;
 * }
 * }</pre>
 *
 * <p>The property may be of type {@code long}, {@code Long}, {@code int}, {@code Integer}, {@link java.math.BigInteger},
 * {@link java.math.BigDecimal} or {@link String} (decimal digits), annotated on its field or its getter, in an entity or a
 * mapped superclass. {@code @GeneratedValue} beside it is allowed and changes nothing. Where the ids come from is said by
 * {@link DistributedIdSettings#BACKEND}; JDBC batching stays on, since the id is known before the INSERT.
 */
@IdGeneratorType(DistributedIdGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface DistributedId {

    /**
     * The sequence: a named stream of ids. Entities that name the same sequence never get the same id.
     *
     * <p>Left out, it is the name of the table that the root of the entity's hierarchy is mapped to, as it is written in the
     * database without catalog and schema: the name survives the renaming of a class, and two entities on one table share
     * one sequence.
     *
     * @return a letter, then up to 49 letters, digits, {@code _} or {@code -}
     */
    String seq() default "";
}
