package io.distributedid.eclipselink;

import java.util.Objects;
import java.util.Vector;
import org.eclipse.persistence.internal.databaseaccess.Accessor;
import org.eclipse.persistence.internal.sessions.AbstractSession;
import org.eclipse.persistence.sequencing.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * Gives an entity its id when it is persisted. Without preallocation, since our own buffer has ids in reserve, whose
 * age is bounded. Without a transaction: EclipseLink's would be that of the application. EclipseLink's schema
 * generation creates nothing for a sequence of a class that it does not know. EclipseLink may copy it.
 */
final class DistributedSequence extends Sequence {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable GeneratedProperty id;

    DistributedSequence(String name, GeneratedProperty id) {
        super(name, 1);
        this.id = id;
    }

    @Override
    public Object getGeneratedValue(Accessor accessor, AbstractSession writeSession, String seqName) {
        GeneratedProperty property = Objects.requireNonNull(id, "A sequence can't be serialized");
        long next = property.next();
        Object value = property.format().convert(next);
        if (!property.isAssigned()) {
            property.issued(writeSession).add(next);
        }
        return value;
    }

    /** Never called without preallocation. */
    @Override
    public @Nullable Vector<?> getGeneratedVector(
            Accessor accessor, AbstractSession writeSession, String seqName, int size) {
        return null;
    }

    @Override
    public boolean shouldAcquireValueAfterInsert() {
        return false;
    }

    @Override
    public boolean shouldUsePreallocation() {
        return false;
    }

    @Override
    public boolean shouldUseTransaction() {
        return false;
    }

    @Override
    public void onConnect() {
        // UnitStart opens what is behind it.
    }

    @Override
    public void onDisconnect() {
        // UnitStart closes it.
    }
}
