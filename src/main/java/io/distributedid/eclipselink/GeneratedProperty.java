package io.distributedid.eclipselink;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdFormat;
import io.distributedid.internal.property.IdType;
import io.distributedid.internal.property.SequenceUse;
import io.distributedid.internal.property.Width;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.ShardedIdSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.persistence.descriptors.ClassDescriptor;
import org.eclipse.persistence.internal.databaseaccess.DatabasePlatform;
import org.eclipse.persistence.internal.helper.DatabaseField;
import org.eclipse.persistence.internal.sessions.AbstractSession;
import org.eclipse.persistence.internal.sessions.DatabaseSessionImpl;
import org.eclipse.persistence.mappings.foundation.AbstractDirectMapping;
import org.jspecify.annotations.Nullable;

/** A property that gets ids or numbers. Thread-safe. */
final class GeneratedProperty {

    /** Beside names of the application. */
    private static final String PREFIX = "distributedid:";

    private final ClassDescriptor entity;

    /** In an embedded id this is the mapping of the embeddable, which EclipseLink copies for the entity. */
    private final AbstractDirectMapping mapping;

    private final DatabaseField field;

    private final Declaration declaration;

    /** A name in the properties of a session. */
    private final String issued;

    private volatile @Nullable UnitStart unit;

    private volatile @Nullable IdFormat format;

    private volatile @Nullable IdSource source;

    /**
     * What the application says of a property.
     *
     * @param origin the annotation, for messages
     * @param path from the entity
     * @param isValue whether it is no id
     */
    record Declaration(
            String origin, String path, String sequence, boolean assigned, boolean padded, boolean isValue) {}

    GeneratedProperty(
            ClassDescriptor entity, AbstractDirectMapping mapping, DatabaseField field, Declaration declaration) {
        this.entity = entity;
        this.mapping = mapping;
        this.field = field;
        this.declaration = declaration;
        issued = "io.distributedid.eclipselink.issued." + usedBy();
    }

    /** Before the session connects. */
    void register(DatabaseSessionImpl session) {
        entity.getEventManager().addListener(new IdEvents(this));
        if (!declaration.isValue) {
            String name = PREFIX + entity.getAlias();
            entity.setSequenceNumberField(field);
            entity.setSequenceNumberName(name);
            session.getPlatform().addSequence(new DistributedSequence(name, this));
        }
    }

    /** After EclipseLink has initialized its mappings. Fails if the property can't hold an id. */
    void initialize(UnitStart started) {
        AbstractDirectMapping initialized = initialized();
        Class<?> stored = initialized.getFieldClassification();
        Class<?> declared = initialized.hasConverter() ? stored : initialized.getAttributeClassification();
        IdType type = IdType.of(declared)
                .or(() -> stored == null ? Optional.empty() : IdType.of(stored))
                .orElseThrow(() -> IdType.refused(declaration.origin, usedBy(), declared));
        boolean isText = type == IdType.STRING;
        format = IdFormat.of(type).in(width(isText), isText, declaration.padded, usedBy());
        unit = started;
    }

    /** Types in an embeddable are known after EclipseLink has copied its mappings into the entity's. */
    private AbstractDirectMapping initialized() {
        return entity.getObjectBuilder().getBaseMappingForField(field) instanceof AbstractDirectMapping direct
                ? direct
                : mapping;
    }

    private Width width(boolean isText) {
        if (isText) {
            int length = field.getLength();
            return length > 0 ? Width.ofDigits(length, length + " characters") : Width.UNLIMITED;
        }
        int precision = field.getPrecision();
        int scale = field.getScale();
        return precision == 0
                ? Width.UNLIMITED
                : Width.ofDigits(precision - scale, "column type numeric(" + precision + "," + scale + ")");
    }

    IdFormat format() {
        return Objects.requireNonNull(format, "The session has not been connected");
    }

    /** Opens the sequence. Errors name entity and property. */
    IdSource open() {
        UnitStart started = unit;
        if (started == null) {
            throw new IllegalStateException("The session has not been connected: " + this);
        }
        try {
            IdSource opened = started.ids().sequence(sequence(), maxValue(), usedBy() + format().limit());
            requireUnbound(opened);
            source = opened;
            return opened;
        } catch (IdConfigurationException e) {
            throw new IdConfigurationException(this + ": " + e.getMessage(), e);
        }
    }

    /** EclipseLink asks for an id without its entity and its connection. */
    private void requireUnbound(IdSource opened) {
        String need = opened instanceof ConnectionIdSource
                ? "the row's own database makes its ids (backend=next_id)"
                : opened instanceof ShardedIdSource ? "its ids hold the shard of the row (shard.from)" : "";
        if (!need.isEmpty()) {
            throw new IdConfigurationException("With EclipseLink, a sequence must need nothing from the row: seq="
                    + sequence() + ", but " + need + ". Choose another backend, or let the application set the id:"
                    + " @DistributedId(assigned = true) and DistributedIdCustomizer.ids");
        }
    }

    /** The next caller opens the sequence again, or learns why it can't. */
    void forget() {
        source = null;
    }

    /** The next id. */
    long next() {
        IdSource open = source;
        return (open == null ? open() : open).next();
    }

    ClassDescriptor entity() {
        return entity;
    }

    DatabaseField field() {
        return field;
    }

    String attribute() {
        return mapping.getAttributeName();
    }

    /** What the attribute holds for the value of its column. */
    Object converted(Object value, AbstractSession session) {
        return mapping.getObjectValue(value, session);
    }

    String sequence() {
        return declaration.sequence;
    }

    /**
     * The ids that an EntityManager has given to its new entities of one class and not yet inserted. EclipseLink asks a
     * sequence without the entity, and tells a listener of the entity without its former id: so these ids tell a
     * generated id from one that the application has set. They end with the session that is behind a unit of work.
     */
    @SuppressWarnings("unchecked")
    Set<Long> issued(AbstractSession session) {
        AbstractSession owner = session;
        while (owner.isUnitOfWork()) {
            owner = owner.getParent();
        }
        return (Set<Long>) owner.getProperties().computeIfAbsent(issued, name -> ConcurrentHashMap.newKeySet());
    }

    /** The column that holds the ids. */
    IdPlace place(DatabasePlatform platform) {
        return new IdPlace(
                entity.getAlias(),
                path(),
                sequence(),
                format().padded(),
                isAssigned(),
                field.getTable().getQualifiedNameDelimited(platform),
                field.getNameDelimited(platform),
                Optional.empty());
    }

    String path() {
        return declaration.path;
    }

    boolean isAssigned() {
        return declaration.assigned;
    }

    boolean isValue() {
        return declaration.isValue;
    }

    long maxValue() {
        return format().width().maxValue();
    }

    SequenceUse use() {
        return new SequenceUse(sequence(), usedBy(), format().width());
    }

    String usedBy() {
        return entity.getAlias() + "." + declaration.path;
    }

    @Override
    public String toString() {
        return usedBy() + " (seq=" + sequence() + ")";
    }
}
