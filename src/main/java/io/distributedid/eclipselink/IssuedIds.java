package io.distributedid.eclipselink;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.persistence.internal.sessions.AbstractSession;

/**
 * The ids that an EntityManager has given to its new entities and not yet inserted. EclipseLink asks a sequence without
 * the entity, and tells a listener of the entity without its former id: so these ids tell a generated id from one that
 * the application has set. They end with the EntityManager's session.
 */
final class IssuedIds {

    private static final String PROPERTY = "io.distributedid.eclipselink.issued";

    private final Set<Issued> all = ConcurrentHashMap.newKeySet();

    private record Issued(GeneratedProperty property, long id) {}

    private IssuedIds() {}

    /** Those of the session that is behind a unit of work. */
    static IssuedIds of(AbstractSession session) {
        AbstractSession owner = session;
        while (owner.isUnitOfWork()) {
            owner = owner.getParent();
        }
        return (IssuedIds) owner.getProperties().computeIfAbsent(PROPERTY, name -> new IssuedIds());
    }

    void add(GeneratedProperty property, long id) {
        all.add(new Issued(property, id));
    }

    boolean contains(GeneratedProperty property, long id) {
        return all.contains(new Issued(property, id));
    }

    void remove(GeneratedProperty property, long id) {
        all.remove(new Issued(property, id));
    }
}
