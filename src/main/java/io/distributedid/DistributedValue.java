package io.distributedid;

import io.distributedid.hibernate.internal.generate.DistributedValueGenerator;
import io.distributedid.hibernate.internal.mapping.DistributedValueBinder;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.AttributeBinderType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Sets the annotated property, which is not an id, to a number from a distributed sequence when its row is inserted.
 *
 * <pre>{@code
 * @Entity
 * class Photo {
 *     @Id @DistributedId(seq = "photos")
 *     Long id;
 *
 *     @DistributedValue(seq = "photo_numbers")
 *     Long number;
 * }
 * }</pre>
 *
 * <p>The property has a type that {@link DistributedId} allows, or a type of the application that an
 * {@code AttributeConverter} converts to one of these. An entity may have any number of such properties, also in its
 * embedded objects. They are refused in records, in nested embedded objects, and in objects stored as JSON, XML or a
 * STRUCT.
 *
 * <p>The number is set by the flush, not by {@code persist()}. A number that the property already has is kept;
 * {@code null}, 0 and an empty text count as no number. An update generates no number and writes what the application
 * has set. {@code StatelessSession.upsert} refuses an entity without a number.
 *
 * <p>Hibernate's schema export makes the column NOT NULL, except in subclasses of a single table. HQL and SQL inserts
 * without the column get no number: the database refuses them, or stores NULL if the column is nullable.
 *
 * <p>In aggregates of Spring Data JDBC and Spring Data R2DBC, each save, also an update, sets a missing number. There,
 * {@link #per} and embedded objects are refused.
 *
 * <p>Why is this not {@link DistributedId} on other columns? Hibernate up to 7.2 would apply such an annotation twice
 * to the parts of an {@code @IdClass}: once as an id and once as a value, so that the row gets another id than the
 * entity. And an {@code @Embeddable} key that is embedded elsewhere as a reference would get a new id there.
 */
@ValueGenerationType(generatedBy = DistributedValueGenerator.class)
@AttributeBinderType(binder = DistributedValueBinder.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface DistributedValue {

    /**
     * The sequence: a named stream of numbers. It may be the sequence of the entity's id; id and property then never
     * get the same number.
     *
     * @return a letter, then up to 49 letters, digits, {@code _} or {@code -}
     */
    String seq();

    /**
     * Whether a {@link String} is padded with zeros to 19 digits; see {@link DistributedId#padded}.
     *
     * @return whether numbers have 19 digits; only for a {@link String} or a type that is stored as one
     */
    boolean padded() default false;

    /**
     * Another property of the entity, whose value is the key of the number: each key has numbers of its own, which
     * begin at 1. See {@link KeyedSequence} for the promise.
     *
     * <p>The key is a whole number from 0 up, a text or a {@link java.util.UUID}, or an association to an entity, whose
     * id is the key. The key may lie in an embedded object ({@code "place.city"}), but the number itself must not.
     * Before the row is inserted, the key must be set and the number must not. So the key must not be generated with
     * the row. The number is stored as it is: a converter or a type of the application is refused.
     *
     * <p>A flush takes the numbers of all rows that have the same key at once. They ascend in the order in which
     * Hibernate inserts the rows.
     *
     * @return empty for a number that is unique over all rows
     */
    String per() default "";

    /**
     * Whether numbers have no gaps: they are taken in the transaction that inserts the row, and a rollback gives them
     * back. If a flush that has taken such numbers fails, the transaction can only be rolled back. A
     * {@code StatelessSession} can't take such numbers. Each key is locked from the flush to the end of the
     * transaction, so commit soon after the flush. All flushes lock keys in the same order. The database may still end
     * a transaction with several flushes as a deadlock; then repeat the transaction.
     *
     * @return whether numbers have no gaps; only with {@link #per}
     */
    boolean gapless() default false;
}
