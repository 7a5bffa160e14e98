package io.distributedid.eclipselink;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.property.SequenceUse;
import io.distributedid.internal.registry.BackendSchemas;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.internal.start.PlaceComparison;
import io.distributedid.internal.start.StartConnection;
import io.distributedid.internal.start.UnusedSequences;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.eclipse.persistence.internal.sessions.DatabaseSessionImpl;
import org.eclipse.persistence.sessions.Session;
import org.eclipse.persistence.sessions.SessionEvent;
import org.eclipse.persistence.sessions.SessionEventAdapter;
import org.eclipse.persistence.tools.tuning.SessionTuner;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of one persistence unit, from login to logout. Checks types and settings when the session has logged
 * in. After EclipseLink has generated the schema, for which it has no event but the end of tuning, it creates our
 * tables, opens the sequences and compares them with the existing ids. Thread-safe.
 */
final class UnitStart extends SessionEventAdapter implements SessionTuner {

    private static final Logger LOG = System.getLogger(UnitStart.class.getName());

    private static final Set<String> CREATING = Set.of(
            "create",
            "drop-and-create",
            "create-or-extend",
            "create-tables",
            "drop-and-create-tables",
            "create-or-extend-tables");

    private final DatabaseSessionImpl session;

    private final List<GeneratedProperty> properties;

    private final @Nullable SessionTuner other;

    private volatile @Nullable DistributedIds ids;

    /** Of the start, after which there are no ids. EclipseLink itself would go on if it were asked again. */
    private volatile @Nullable RuntimeException failure;

    private UnitStart(DatabaseSessionImpl session, List<GeneratedProperty> properties, @Nullable SessionTuner other) {
        this.session = session;
        this.properties = properties;
        this.other = other;
    }

    static boolean isInstalled(DatabaseSessionImpl session) {
        return session.getEventManager().getListeners().stream().anyMatch(UnitStart.class::isInstance);
    }

    static void install(DatabaseSessionImpl session, List<GeneratedProperty> properties) {
        UnitStart start = new UnitStart(session, properties, session.getTuner());
        session.getEventManager().addListener(start);
        session.setTuner(start);
    }

    /** Fails if the start has failed, or was not reached. */
    DistributedIds ids() {
        RuntimeException failed = failure;
        DistributedIds open = ids;
        if (failed != null) {
            throw new IdConfigurationException(String.valueOf(failed.getMessage()), failed);
        }
        if (open == null) {
            throw new IdUnavailableException("The session is not connected: " + session.getName());
        }
        return open;
    }

    @Override
    public void postLogin(SessionEvent event) {
        failure = null;
        properties.forEach(property -> property.initialize(this));
        SequenceUse.requireOneWidth(
                properties.stream().map(GeneratedProperty::use).toList());
        DistributedIds created = DistributedIds.builder()
                .settings(settings())
                .applicationDatabase(new UnitDatabase(session))
                .build();
        ids = created;
        session.setProperty(DistributedIdCustomizer.IDS, created);
    }

    @Override
    public void preLogout(SessionEvent event) {
        close();
    }

    private void close() {
        properties.forEach(GeneratedProperty::forget);
        DistributedIds open = ids;
        if (open != null) {
            open.close();
        }
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void tunePreDeploy(Map unit) {
        // Is over when a customizer is called.
    }

    @Override
    public void tuneDeploy(Session tuned) {
        if (other != null) {
            other.tuneDeploy(tuned);
        }
    }

    @Override
    public void tunePostDeploy(Session tuned) {
        if (other != null) {
            other.tunePostDeploy(tuned);
        }
        try {
            start(Settings.of(settings()));
        } catch (RuntimeException e) {
            failure = e;
            close();
            throw e;
        }
    }

    /** Properties of the unit, and those of {@code createEntityManagerFactory}. */
    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        session.getProperties().forEach((name, value) -> settings.put(name, value));
        settings.keySet().removeIf(name -> !name.startsWith("distributedid."));
        return settings;
    }

    private void start(Settings settings) {
        Set<String> sequences =
                properties.stream().map(GeneratedProperty::sequence).collect(Collectors.toCollection(TreeSet::new));
        UnusedSequences.check(settings, sequences);
        properties.forEach(each -> ids().admin()
                .announce(
                        each.sequence(),
                        each.maxValue(),
                        each.usedBy() + each.format().limit()));
        StartConnection.read("ids", new UnitDatabase(session), settings, connection -> {
            if (isCreatingTables()) {
                createTables(settings, connection);
            }
            if (settings.get(CoreSettings.OPEN) == CoreSettings.Opening.START) {
                open(settings, sequences, connection);
            }
            return sequences;
        });
    }

    private void open(Settings settings, Set<String> sequences, StartConnection connection) throws SQLException {
        ids().admin().prepare(sequences);
        properties.forEach(GeneratedProperty::open);
        List<IdPlace> places = properties.stream()
                .filter(property -> !PlaceComparison.isIgnored(property.sequence(), settings))
                .map(property -> property.place(session.getPlatform()))
                .toList();
        new PlaceComparison(places, ids(), settings, LOG).compare(connection, Map.of());
        ids().admin().prefetch(sequences);
    }

    /** Whether EclipseLink creates the tables of entities in the database. */
    private boolean isCreatingTables() {
        Map<String, Object> all = session.getProperties();
        boolean isForScripts = "sql-script".equals(all.get("eclipselink.ddl-generation.output-mode"));
        return CREATING.contains(String.valueOf(all.get("jakarta.persistence.schema-generation.database.action")))
                || (!isForScripts && CREATING.contains(String.valueOf(all.get("eclipselink.ddl-generation"))));
    }

    /** Drops none, as with Hibernate: another application may use them, and would then get its ids again. */
    private static void createTables(Settings settings, StartConnection connection) throws SQLException {
        Optional<DatabaseProduct> product = DatabaseProduct.find(connection.get());
        if (product.isPresent()) {
            SchemaTarget target = new SchemaTarget(product.get(), true, false, Optional.empty());
            boolean autoCommit = connection.get().getAutoCommit();
            // Without it, a pool could roll the tables back.
            connection.get().setAutoCommit(true);
            try (Statement statement = connection.get().createStatement()) {
                for (SchemaObject object : new BackendSchemas(settings).ofApplication(target, Set.of())) {
                    statement.execute(object.createSql());
                }
            } finally {
                connection.get().setAutoCommit(autoCommit);
            }
        }
    }
}
