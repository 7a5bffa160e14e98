package io.distributedid;

import io.distributedid.hibernate.internal.generate.DistributedIdGenerator;
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
 * <p>The property may be of type {@code long}, {@code Long}, {@code int}, {@code Integer},
 * {@link java.math.BigInteger}, {@link java.math.BigDecimal} or {@link String} (decimal digits), annotated on its field
 * or its getter, in an entity or a mapped superclass, in an {@code @EmbeddedId} (class or record), or beside an
 * {@code @IdClass}; or of a type of the application, which a {@code JavaType} makes of one of those (Hibernate uses no
 * converter for ids). {@code @GeneratedValue} beside it is allowed and changes nothing. Where the ids come from is said
 * by {@link DistributedIdSettings#BACKEND}; JDBC batching stays on, since the id is known before the INSERT. For
 * columns that are no ids there is {@link DistributedValue}.
 */
@IdGeneratorType(DistributedIdGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface DistributedId {

    /**
     * The sequence: a named stream of ids. Entities that name the same sequence never get the same id.
     *
     * <p>Left out, it is the name of the table that the root of the entity's hierarchy is mapped to, as it is written
     * in the database without catalog and schema: the name survives the renaming of a class, and two entities on one
     * table share one sequence.
     *
     * @return a letter, then up to 49 letters, digits, {@code _} or {@code -}
     */
    String seq() default "";

    /**
     * Whether an id that the application has set itself is kept: for imports, for rows that move between shards, for
     * {@code save} of Spring Data. {@code persist}, {@code merge} and {@code StatelessSession.insert} then keep it, and
     * generate one where there is none. {@code null}, 0 and an empty text count as none. A negative id is kept:
     * generated ids are positive, and never meet it. By default each of them refuses an entity that has an id, and none
     * overwrites it.
     *
     * <p>Such ids must come from the same id space, else the sequence gives them again: those that it gave before, or,
     * for an import, ids below its counter; see {@link DistributedIds#raiseAbove(String, long)}. Hibernate can't tell a
     * new entity with an id from one that it has stored: {@code merge} asks the database. The property must be of a
     * type that has {@code null}.
     *
     * <p>It stands in the annotation, and is no setting, because Hibernate asks for it when it reads the mapping: in
     * Quarkus that is when the application is built.
     *
     * @return whether ids may be assigned
     */
    boolean assigned() default false;

    /**
     * Whether a {@link String} is filled up with zeros to 19 digits, so that ids sort as texts as they do as numbers.
     * Without that they no longer sort when they gain a digit: those of Snowflake with an epoch of 2024 do so in 2031.
     * The column must have room for 19 characters. To be decided before there are ids: {@code 000123} and {@code 123}
     * are two keys.
     *
     * @return whether ids have 19 digits; only for a {@link String}, or a type that is made of one
     */
    boolean padded() default false;
}
