package io.distributedid.hibernate.internal;

import io.distributedid.DistributedIds;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.place.RememberedPlaces.IdSpace;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.service.Service;
import org.hibernate.service.spi.Configurable;
import org.hibernate.service.spi.ServiceRegistryAwareService;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.service.spi.Stoppable;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of one SessionFactory, with the settings and the database of its persistence unit. Hibernate configures
 * this service, and stops it with the SessionFactory. Thread-safe once configured.
 */
public final class UnitIds implements Service, Configurable, ServiceRegistryAwareService, Stoppable {

    private static final long serialVersionUID = 1L;

    private transient @Nullable ServiceRegistryImplementor registry;

    private transient @Nullable DistributedIds ids;

    private transient @Nullable ConnectionAccess database;

    private transient Settings settings = Settings.of(Map.of());

    private transient boolean isReactive;

    /** Sequences of properties whose places are compared on the connections of tenants. */
    private final transient Set<String> comparedWithTenants = ConcurrentHashMap.newKeySet();

    /** Sequences that the start opens now, and whose places it compares together afterwards. */
    private final transient Set<String> comparedByStart = ConcurrentHashMap.newKeySet();

    /** What other packages keep for this SessionFactory, by type. */
    private final transient Map<Class<?>, Object> parts = new ConcurrentHashMap<>();

    UnitIds() {}

    public static UnitIds of(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry().requireService(UnitIds.class);
    }

    /** The sequences, open as long as the SessionFactory. */
    public DistributedIds ids() {
        DistributedIds configured = ids;
        if (configured == null) {
            throw new IllegalStateException("The service was not configured by Hibernate");
        }
        return configured;
    }

    /** Whether the sessions are those of Hibernate Reactive. */
    public boolean isReactive() {
        return isReactive;
    }

    /** The persistence unit's own database; empty if every connection belongs to a tenant, or there is no JDBC. */
    public Optional<ConnectionAccess> database() {
        return Optional.ofNullable(database);
    }

    /** Whether every connection belongs to a tenant. */
    public boolean hasTenants() {
        return database == null && !isReactive;
    }

    /** Announces that the caller compares the place of a sequence on the connections of tenants, in each period. */
    public void compareWithTenants(String sequence) {
        comparedWithTenants.add(sequence);
    }

    /**
     * Runs the opening of sequences whose {@link #spaces} the caller then compares together, if there is a database.
     */
    public void openTogether(Set<String> sequences, Runnable opening) {
        if (database != null) {
            comparedByStart.addAll(sequences);
        }
        try {
            opening.run();
        } finally {
            sequences.forEach(comparedByStart::remove);
        }
    }

    public Settings settings() {
        return settings;
    }

    /** Keeps an object as long as the SessionFactory. */
    public <T> void keep(Class<T> type, T part) {
        parts.put(type, part);
    }

    /** The object of this type that was kept last. */
    public <T> Optional<T> kept(Class<T> type) {
        return Optional.ofNullable(type.cast(parts.get(type)));
    }

    /** Whether the start opens all sequences and compares their id spaces. If not, their first uses do. */
    public boolean isOpenedAtStart() {
        return settings.get(CoreSettings.OPEN) == CoreSettings.Opening.START;
    }

    private void requireOneOpening() {
        for (String sequence : settings.sequences()) {
            Settings own = settings.forSequence(sequence);
            if (own.get(CoreSettings.OPEN) != settings.get(CoreSettings.OPEN)) {
                throw own.invalid(
                        CoreSettings.OPEN,
                        own.get(CoreSettings.OPEN).name().toLowerCase(Locale.ROOT),
                        "the value of distributedid.open, which applies to all sequences");
            }
        }
    }

    /** The id spaces of open sequences that have a token, by sequence. */
    public Map<String, IdSpace> spaces(Set<String> sequences) {
        Map<String, IdSpace> spaces = new TreeMap<>();
        for (String sequence : sequences) {
            space(sequence).ifPresent(space -> spaces.put(sequence, space));
        }
        return spaces;
    }

    private Optional<IdSpace> space(String sequence) {
        Optional<String> token = ids().admin().token(sequence);
        Optional<SequenceStatistics> known = ids().statistics(sequence);
        boolean isLeased = known.filter(
                        all -> all.worker().isPresent() || all.tenure().isPresent())
                .isPresent();
        return token.map(each -> new IdSpace(ids().admin().idSpace(sequence), each, isLeased));
    }

    @Override
    public void injectServices(ServiceRegistryImplementor serviceRegistry) {
        registry = serviceRegistry;
    }

    @Override
    public void configure(Map<String, Object> all) {
        settings = Settings.of(all);
        requireOneOpening();
        DistributedIds.Builder builder = DistributedIds.builder().settings(all);
        if (registry != null) {
            isReactive = ReactiveMode.is(registry);
            Optional<ConnectionAccess> own = UnitDatabase.of(all, registry);
            own.ifPresent(builder::applicationDatabase);
            database = own.orElse(null);
        }
        builder.tokensComparedByCaller(this::isComparedElsewhere);
        ids = builder.build();
    }

    /** Asked at each opening of a sequence. An opening that is not announced here is compared at once. */
    private boolean isComparedElsewhere(String sequence) {
        return comparedWithTenants.contains(sequence) || comparedByStart.remove(sequence);
    }

    @Override
    public void stop() {
        if (ids != null) {
            ids.close();
        }
    }
}
