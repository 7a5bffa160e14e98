package io.distributedid.hibernate.internal.generate;

import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AutoFlushEvent;
import org.hibernate.event.spi.AutoFlushEventListener;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.FlushEvent;
import org.hibernate.event.spi.FlushEventListener;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.persister.entity.EntityPersister;

/** Tells {@link KeyedValues} when a flush begins, and when it has succeeded; and of each inserted row. */
public final class KeyedFlush {

    private KeyedFlush() {}

    /** Call it if there are numbers per key. */
    public static void register(EventListenerRegistry listeners) {
        Begin begin = new Begin();
        End end = new End();
        listeners.prependListeners(EventType.FLUSH, begin);
        listeners.prependListeners(EventType.AUTO_FLUSH, begin);
        listeners.appendListeners(EventType.FLUSH, end);
        listeners.appendListeners(EventType.AUTO_FLUSH, end);
        listeners.prependListeners(EventType.POST_INSERT, new Inserted());
    }

    private static final class Begin implements FlushEventListener, AutoFlushEventListener {

        private static final long serialVersionUID = 1L;

        @Override
        public void onFlush(FlushEvent event) {
            begin(event.getSession());
        }

        @Override
        public void onAutoFlush(AutoFlushEvent event) {
            begin(event.getSession());
        }

        private static void begin(Object event) {
            if (event instanceof SharedSessionContractImplementor session) {
                KeyedValues.of(session.getFactory()).begin(session);
            }
        }
    }

    private static final class End implements FlushEventListener, AutoFlushEventListener {

        private static final long serialVersionUID = 1L;

        @Override
        public void onFlush(FlushEvent event) {
            end(event.getSession());
        }

        @Override
        public void onAutoFlush(AutoFlushEvent event) {
            end(event.getSession());
        }

        private static void end(Object event) {
            if (event instanceof SharedSessionContractImplementor session) {
                KeyedValues.of(session.getFactory()).end(session);
            }
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
