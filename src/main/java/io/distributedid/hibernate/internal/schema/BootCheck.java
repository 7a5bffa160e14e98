package io.distributedid.hibernate.internal.schema;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.ReactiveMode;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.generate.EmbeddedValues;
import io.distributedid.hibernate.internal.generate.GeneratorCheck;
import io.distributedid.hibernate.internal.generate.KeyedValues;
import io.distributedid.hibernate.internal.generate.PropertyIds;
import io.distributedid.hibernate.internal.generate.ValueUpdates;
import io.distributedid.hibernate.internal.generate.WrittenIdCheck;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.hibernate.internal.mapping.MappingScan;
import io.distributedid.hibernate.internal.mapping.ReferenceWidths;
import io.distributedid.hibernate.internal.mapping.UnitProperties;
import io.distributedid.internal.start.UnusedSequences;
import io.distributedid.spi.Setting;
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
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Finds every annotated property. When the SessionFactory is created, after the schema export, opens their sequences
 * and compares them with the existing ids, so that errors appear at start, unless {@code distributedid.open} puts that
 * off. Found by {@link java.util.ServiceLoader}.
 */
public final class BootCheck implements Integrator {

    private static final Logger LOG = System.getLogger(BootCheck.class.getName());

    @Override
    public void integrate(Metadata metadata, BootstrapContext bootstrapContext, SessionFactoryImplementor factory) {
        saying(() -> integrate(metadata, factory));
    }

    /** Hibernate throws an exception of its own, whose message does not name the cause. */
    private static void saying(Runnable step) {
        try {
            step.run();
        } catch (DistributedIdException e) {
            LOG.log(Level.ERROR, "The SessionFactory is not created: " + e.getMessage());
            throw e;
        }
    }

    private static void integrate(Metadata metadata, SessionFactoryImplementor factory) {
        List<MappedProperty> all = MappingScan.of(metadata);
        List<MappedProperty> columns = unique(all);
        ReferenceWidths.check(metadata, columns);
        boolean isReactive = ReactiveMode.is(factory.getServiceRegistry());
        if (isReactive) {
            ReactiveCheck.requireSupported(all);
        }
        EmbeddedValues.register(all);
        EventListenerRegistry listeners = factory.getEventEngine().getListenerRegistry();
        ValueUpdates.register(all, listeners);
        WrittenIdCheck.register(all, listeners);
        if (!columns.isEmpty()) {
            UnitIds unit = UnitIds.of(factory);
            unit.keep(UnitProperties.class, new UnitProperties(columns));
            columns.stream()
                    .map(MappedProperty::ids)
                    .forEach(each -> unit.ids()
                            .admin()
                            .announce(
                                    each.sequence(),
                                    each.conversion().maxValue(),
                                    each.usedBy() + each.conversion().limit()));
        }
        factory.addObserver(new SessionFactoryObserver() {
            private static final long serialVersionUID = 1L;

            @Override
            public void sessionFactoryCreated(SessionFactory created) {
                saying(() -> check(metadata, all, (SessionFactoryImplementor) created));
            }
        });
    }

    private static void check(Metadata metadata, List<MappedProperty> all, SessionFactoryImplementor factory) {
        GeneratorCheck.check(all, factory);
        if (all.isEmpty()) {
            return;
        }
        if (UnitIds.of(factory).isReactive()) {
            ReactiveCheck.requireReactive(all, factory);
        }
        UnusedSequences.check(UnitIds.of(factory).settings(), sequences(all));
        List<MappedProperty> keyed =
                all.stream().filter(column -> column.perKey().isPresent()).toList();
        if (!keyed.isEmpty()) {
            KeyedValues.open(keyed, factory);
        }
        List<MappedProperty> columns = unique(all);
        if (!columns.isEmpty()) {
            open(metadata, columns, factory);
        }
        keyed.forEach(column -> KeyedCheck.check(column, metadata, factory));
    }

    /** Without those that have numbers per key. */
    private static List<MappedProperty> unique(List<MappedProperty> all) {
        return all.stream().filter(column -> column.perKey().isEmpty()).toList();
    }

    private static void open(Metadata metadata, List<MappedProperty> columns, SessionFactoryImplementor factory) {
        UnitIds unit = UnitIds.of(factory);
        Set<String> sequences = sequences(columns);
        if (unit.isOpenedAtStart()) {
            Runnable opening = () -> {
                unit.ids().admin().prepare(sequences);
                unit.openTogether(sequences, () -> columns.forEach(column -> PropertyIds.open(column.ids(), factory)));
            };
            ExistingIdsCheck.check(opening, metadata, columns, factory);
            unit.ids().admin().prefetch(sequences);
        } else {
            columns.forEach(column -> requireWidth(column.ids(), unit.ids()));
            LOG.log(
                    Level.INFO,
                    "Sequences are opened at their first use, and not compared with the ids that exist ({0}=lazy)",
                    "distributedid.open");
        }
    }

    /**
     * Refuses a column that does not hold the ids of a layout, where the sequence is not opened at start. It reads the
     * settings alone. What is wrong in these, and layouts that only a server knows, are left to the first id.
     */
    private static void requireWidth(AnnotatedProperty property, DistributedIds ids) {
        long maxValue = property.conversion().maxValue();
        if (maxValue == Long.MAX_VALUE || !isLaidOut(property.sequence(), ids)) {
            return;
        }
        long largest = ids.time(property.sequence()).maxId();
        if (largest > maxValue) {
            throw new IdConfigurationException("The ids of a layout must fit: " + property
                    + property.conversion().limit() + " stores up to " + maxValue + ", the layout gives up to "
                    + largest + ". Map the property to a 64-bit type, or set " + Setting.SEQUENCE_PREFIX
                    + property.sequence() + ".backend to ticket or sequence_table");
        }
    }

    /** Whether the settings alone tell the layout. A service is asked for it, and has no such check. */
    private static boolean isLaidOut(String sequence, DistributedIds ids) {
        return ids.admin()
                .checkAbove(sequence, 0)
                .filter(result -> result.status() == CheckResult.Status.OK)
                .isPresent();
    }

    static Set<String> sequences(List<MappedProperty> columns) {
        Set<String> sequences = new TreeSet<>();
        columns.forEach(column -> sequences.add(column.ids().sequence()));
        return sequences;
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
        // The service stops with its registry.
    }
}
