package io.distributedid.hibernate;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Opens every sequence of an entity when the SessionFactory is created, after the schema export, and compares it with the ids that
 * exist, so that what is wrong is said at start. Found by {@link java.util.ServiceLoader}.
 */
public final class BootCheck implements Integrator {

    private static final Logger LOG = System.getLogger(BootCheck.class.getName());

    /** For {@link java.util.ServiceLoader}. */
    public BootCheck() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext bootstrapContext, SessionFactoryImplementor factory) {
        factory.addObserver(new SessionFactoryObserver() {
            private static final long serialVersionUID = 1L;

            @Override
            public void sessionFactoryCreated(SessionFactory created) {
                check(metadata, (SessionFactoryImplementor) created);
            }
        });
    }

    private static void check(Metadata metadata, SessionFactoryImplementor factory) {
        Set<DistributedIdGenerator> generators = new LinkedHashSet<>();
        factory.getMappingMetamodel().forEachEntityDescriptor(entity -> {
            if (entity.getGenerator() instanceof DistributedIdGenerator generator) {
                generators.add(generator);
            }
        });
        if (generators.isEmpty()) {
            return;
        }
        // The narrowest first: a sequence fits all its users if it fits that one.
        List<DistributedIdGenerator> narrowestFirst = new ArrayList<>(generators);
        narrowestFirst.sort(Comparator.comparingLong(DistributedIdGenerator::maxValue));
        DistributedIdService service = DistributedIdService.of(factory);
        narrowestFirst.forEach(generator -> generator.open(factory, service));
        ExistingIdsCheck.check(metadata, factory, service);
        warnOfSettingsWithoutEntity(service.settings().sequences(), narrowestFirst);
    }

    /** No error, since the application may use a sequence without an entity. */
    private static void warnOfSettingsWithoutEntity(Set<String> configured, List<DistributedIdGenerator> generators) {
        Set<String> used = new TreeSet<>();
        generators.forEach(generator -> used.add(generator.sequence()));
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
