package io.distributedid.hibernate;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Finds every annotated property, opens its sequence when the SessionFactory is created, after the schema export, and compares it with
 * the ids that exist, so that what is wrong is said at start. Found by {@link java.util.ServiceLoader}.
 */
public final class BootCheck implements Integrator {

    private static final Logger LOG = System.getLogger(BootCheck.class.getName());

    /** For {@link java.util.ServiceLoader}. */
    public BootCheck() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext bootstrapContext, SessionFactoryImplementor factory) {
        List<MappedColumn> columns = MappedColumns.of(metadata);
        ReferenceWidths.check(metadata, columns);
        EmbeddedValues.register(columns);
        EventListenerRegistry listeners = factory.getEventEngine().getListenerRegistry();
        UpsertCheck.of(columns).ifPresent(check -> listeners.appendListeners(EventType.PRE_UPSERT, check));
        UpsertIdCheck.of(columns).ifPresent(check -> listeners.appendListeners(EventType.PRE_UPSERT, check));
        InsertIdCheck.of(columns).ifPresent(check -> listeners.appendListeners(EventType.PRE_INSERT, check));
        factory.addObserver(new SessionFactoryObserver() {
            private static final long serialVersionUID = 1L;

            @Override
            public void sessionFactoryCreated(SessionFactory created) {
                check(metadata, columns, (SessionFactoryImplementor) created);
            }
        });
    }

    private static void check(Metadata metadata, List<MappedColumn> columns, SessionFactoryImplementor factory) {
        GeneratorCheck.check(columns, factory);
        if (columns.isEmpty()) {
            return;
        }
        DistributedIdService service = DistributedIdService.of(factory);
        columns.forEach(column -> column.ids().open(factory, service));
        ExistingIdsCheck.check(metadata, columns, factory, service);
        warnOfSettingsWithoutEntity(service.settings().sequences(), columns);
    }

    /** No error, since the application may use a sequence without an entity. */
    private static void warnOfSettingsWithoutEntity(Set<String> configured, List<MappedColumn> columns) {
        Set<String> used = new TreeSet<>();
        columns.forEach(column -> used.add(column.ids().sequence()));
        Set<String> unused = new TreeSet<>(configured);
        unused.removeAll(used);
        if (!unused.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "There are settings for sequences that no entity uses: {0}. Entities use: {1}",
                    unused,
                    used);
        }
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
        // The service stops with its registry.
    }
}
