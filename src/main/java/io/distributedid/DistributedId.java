package io.distributedid;

import io.distributedid.hibernate.internal.generate.DistributedIdGenerator;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Takes the annotated id from a distributed sequence when the entity is persisted.
 *
 * <pre>{@code
 * @Entity
 * class Photo {
 *     @Id @DistributedId(seq = "photos")
 *     Long id;
 * }
 * }</pre>
 *
 * <p>The property has one of the types {@code long}, {@code Long}, {@code int}, {@code Integer},
 * {@link java.math.BigInteger}, {@link java.math.BigDecimal} and {@link String} (decimal digits), or a type of the
 * application with a {@code JavaType} that maps it to one of these. An {@code AttributeConverter} does not help, since
 * Hibernate does not apply converters to ids.
 *
 * <p>The annotation stands on a field or a getter: in an entity or a mapped superclass, in an {@code @EmbeddedId}
 * (class or record), or on the entity's property if there is an {@code @IdClass}. {@code @GeneratedValue} beside the
 * annotation has no effect; a warning at Hibernate's start says so.
 *
 * <p>With EclipseLink, the unit needs a session customizer: {@code io.distributedid.eclipselink}.
 *
 * <p>In aggregates of Spring Data JDBC and Spring Data R2DBC, which need no Hibernate, the annotation stands beside
 * Spring Data's {@code @Id}, and a save sets the id. The property then has one of the types named above.
 *
 * <p>{@code distributedid.backend} sets where the ids come from. JDBC batching stays on, since the id is known before
 * the INSERT. For columns that are not ids, use {@link DistributedValue}.
 *
 * <p>MyBatis and MyBatis-Plus read the annotation too, if they are configured to: see the packages
 * {@code io.distributedid.mybatis} and {@code io.distributedid.mybatisplus}. With them, the annotation must name the
 * sequence.
 */
@IdGeneratorType(DistributedIdGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface DistributedId {

    /**
     * Short for {@link #seq} where nothing else is set: {@code @DistributedId("photos")}. Set only one of the two.
     *
     * @return as {@link #seq}
     */
    String value() default "";

    /**
     * The sequence: a named stream of ids. Entities that name the same sequence never get the same id.
     *
     * <p>The default is the table name of the hierarchy's root entity, as written in the database, without catalog and
     * schema. So the sequence stays the same if the class is renamed, and two entities on one table share one sequence.
     *
     * @return a letter, then up to 49 letters, digits, {@code _} or {@code -}
     */
    String seq() default "";

    /**
     * Whether {@code persist}, {@code merge} and {@code StatelessSession.insert} keep an id that the application has
     * set: for imports, for rows that move between shards, and for {@code save} of Spring Data. If the entity has no
     * id, these methods generate one; {@code null}, 0 and an empty text count as no id. A negative id is kept. It can't
     * collide, since generated ids are positive. By default, all three methods refuse an entity that has an id, and
     * none overwrites the id.
     *
     * <p>The sequence must not give an assigned id later: assign an id that the sequence gave before, or, for an
     * import, an id below its counter; see {@link IdAdmin#raise(String, long)}. Hibernate can't distinguish a new
     * entity with an id from a stored one, so {@code merge} queries the database. The property's type must allow
     * {@code null}.
     *
     * <p>This is an attribute and not a setting, because Hibernate reads it with the mapping; Quarkus does so when the
     * application is built.
     *
     * @return whether ids may be assigned
     */
    boolean assigned() default false;

    /**
     * Whether a {@link String} is padded with zeros to 19 digits, so that ids, sorted as texts, are in the order of
     * their numbers. Without padding, this order ends when ids gain a digit: in 2031 for Snowflake with an epoch of
     * 2024. The column must hold 19 characters. Decide before there are ids, since {@code 000123} and {@code 123} are
     * two keys.
     *
     * @return whether ids have 19 digits; only for a {@link String} or a type that is stored as one
     */
    boolean padded() default false;
}
