package io.distributedid.eclipselink;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.persistence.internal.sessions.AbstractSession;

/**
 * The ids that an EntityManager has given to its new entities of one class and not yet inserted. EclipseLink asks a
 * sequence without the entity, and tells a listener of the entity without its former id: so these ids tell a generated
 * id from one that the application has set. They end with the EntityManager's session.
 */
final class IssuedIds {

    private final Set<Long> all = ConcurrentHashMap.newKeySet();

    private IssuedIds() {}

    /** Those of the session that is behind a unit of work. */
    static IssuedIds of(AbstractSession session, GeneratedProperty property) {
        AbstractSession owner = session;
        while (owner.isUnitOfWork()) {
            owner = owner.getParent();
        }
        return (IssuedIds) owner.getProperties().computeIfAbsent(property.issued(), name -> new IssuedIds());
    }

    void add(Long id) {
        all.add(id);
    }

    boolean contains(Long id) {
        return all.contains(id);
    }

    /** Whether it was there. */
    boolean remove(Long id) {
        return all.remove(id);
    }
}
