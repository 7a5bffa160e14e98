package io.distributedid.hibernate.internal.generate;

import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AutoFlushEvent;
import org.hibernate.event.spi.AutoFlushEventListener;
import org.hibernate.event.spi.DirtyCheckEvent;
import org.hibernate.event.spi.DirtyCheckEventListener;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.FlushEvent;
import org.hibernate.event.spi.FlushEventListener;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.persister.entity.EntityPersister;

/**
 * Tells {@link KeyedValues} when a flush begins, and when it has succeeded; and of each inserted row. A look for
 * changes counts as a flush: within one, it makes Hibernate forget that it is flushing.
 */
public final class KeyedFlush {

    private KeyedFlush() {}

    /** Call it if there are numbers per key. */
    public static void register(EventListenerRegistry listeners) {
        Begin begin = new Begin();
        End end = new End();
        listeners.prependListeners(EventType.FLUSH, begin);
        listeners.prependListeners(EventType.AUTO_FLUSH, begin);
        listeners.prependListeners(EventType.DIRTY_CHECK, begin);
        listeners.appendListeners(EventType.FLUSH, end);
        listeners.appendListeners(EventType.AUTO_FLUSH, end);
        listeners.appendListeners(EventType.DIRTY_CHECK, end);
        listeners.prependListeners(EventType.POST_INSERT, new Inserted());
    }

    private abstract static class OfFlush
            implements FlushEventListener, AutoFlushEventListener, DirtyCheckEventListener {

        private static final long serialVersionUID = 1L;

        abstract void tell(KeyedValues values, SharedSessionContractImplementor session, Object event);

        @Override
        public void onFlush(FlushEvent event) {
            tell(event, event.getSession());
        }

        @Override
        public void onAutoFlush(AutoFlushEvent event) {
            tell(event, event.getSession());
        }

        @Override
        public void onDirtyCheck(DirtyCheckEvent event) {
            tell(event, event.getSession());
        }

        private void tell(Object event, Object of) {
            if (of instanceof SharedSessionContractImplementor session) {
                tell(KeyedValues.of(session.getFactory()), session, event);
            }
        }
    }

    private static final class Begin extends OfFlush {

        private static final long serialVersionUID = 1L;

        @Override
        void tell(KeyedValues values, SharedSessionContractImplementor session, Object event) {
            values.begin(session, event);
        }
    }

    private static final class End extends OfFlush {

        private static final long serialVersionUID = 1L;

        @Override
        void tell(KeyedValues values, SharedSessionContractImplementor session, Object event) {
            values.end(session, event);
        }
    }

    private static final class Inserted implements PostInsertEventListener {

        private static final long serialVersionUID = 1L;

        @Override
        public void onPostInsert(PostInsertEvent event) {
            KeyedValues.of(event.getFactory()).inserted(event.getEntity());
        }

        /** Called by Hibernate for a listener that needs the end of the transaction. */
        @Override
        public boolean requiresPostCommitHandling(EntityPersister persister) {
            return false;
        }
    }
}
