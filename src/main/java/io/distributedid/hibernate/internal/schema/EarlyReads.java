package io.distributedid.hibernate.internal.schema;

import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.internal.existing.AutoIncrementColumns;
import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.LargestOfMany;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.start.StartConnection;
import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.integrator.spi.IntegratorService;
import org.jspecify.annotations.Nullable;

/**
 * Asks the databases while Hibernate builds the SessionFactory, so that a start with many entities waits less: one
 * thread reads the tables of the entities, another one prepares the counters. What was not read early, for whatever
 * reason, is read when the factory is built, with all messages.
 *
 * <p>Early answers are as safe as late ones. The counters are compared with the tables after both were read, and a row
 * that another process inserts meanwhile has an id from the counter. But the start itself must not fill tables after
 * they were read. So nothing is read early if Hibernate exports or validates the schema, or if an integrator is
 * installed that is neither ours nor Hibernate's, and might migrate it. An early answer about a counter is a
 * {@linkplain io.distributedid.IdAdmin#prepare preparation}: it expires.
 */
final class EarlyReads {

    private static final Logger LOG = System.getLogger(EarlyReads.class.getName());

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /** Shorter than the life of a preparation. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    /**
     * What the tables held.
     *
     * @param largest the largest id of each column that was read; an empty list if there is none
     * @param numbered the columns whose ids the database generates; null if that was not read
     */
    record Tables(
            Map<IdColumn, List<Long>> largest,
            @Nullable Map<AutoIncrementColumns.Place, AutoIncrementColumns.AutoIncrement> numbered) {

        static final Tables UNREAD = new Tables(Map.of(), null);
    }

    private final FutureTask<Tables> tables;

    /** Gives the time at which they were prepared; 0 if they were not. */
    private final FutureTask<Long> counters;

    private EarlyReads(FutureTask<Tables> tables, FutureTask<Long> counters) {
        this.tables = tables;
        this.counters = counters;
        LibraryThread.named("distributedid-start-tables", tables).start();
        LibraryThread.named("distributedid-start-counters", counters).start();
    }

    /** Whether the start may read while the factory is built. */
    static boolean areAllowed(SessionFactoryImplementor factory, UnitIds unit) {
        return unit.isOpenedAtStart() && !hasForeignIntegrator(factory) && !hasSchemaAction(factory);
    }

    private static boolean hasForeignIntegrator(SessionFactoryImplementor factory) {
        for (Integrator each : factory.getServiceRegistry()
                .requireService(IntegratorService.class)
                .getIntegrators()) {
            String name = each.getClass().getName();
            if (!name.startsWith("org.hibernate.") && !name.equals(BootCheck.class.getName())) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasSchemaAction(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry().requireService(ConfigurationService.class).getSettings().entrySet().stream()
                .anyMatch(setting -> isSchemaAction(setting.getKey(), setting.getValue()));
    }

    /** Hibernate has such settings for all tables, and for those of each contributor. */
    private static boolean isSchemaAction(String name, @Nullable Object value) {
        boolean isAction = (name.startsWith("hibernate.hbm2ddl.") && name.endsWith("auto"))
                || name.contains("schema-generation.database.action");
        return isAction && value != null && !Set.of("", "none").contains(text(value));
    }

    private static String text(Object value) {
        return value.toString().strip().toLowerCase(Locale.ROOT);
    }

    /**
     * Begins to read.
     *
     * @param columns to be read together
     * @param limit of each query for them
     * @param places that the database perhaps numbers
     */
    static EarlyReads begin(
            UnitIds unit,
            Collection<IdColumn> columns,
            Duration limit,
            Collection<AutoIncrementColumns.Place> places,
            Set<String> sequences) {
        Optional<ConnectionAccess> database = unit.database();
        return new EarlyReads(
                new FutureTask<>(() -> database.isPresent()
                        ? read(database.get(), StartConnection.answerLimit(unit.settings()), columns, limit, places)
                        : Tables.UNREAD),
                new FutureTask<>(() -> {
                    unit.ids().admin().prepare(sequences);
                    return System.nanoTime();
                }));
    }

    private static Tables read(
            ConnectionAccess database,
            Duration answerLimit,
            Collection<IdColumn> columns,
            Duration limit,
            Collection<AutoIncrementColumns.Place> places)
            throws SQLException, InterruptedException {
        try (JdbcLink<?> link = JdbcLink.borrow(database, CONNECT_TIMEOUT, answerLimit)) {
            return new Tables(
                    LargestOfMany.read(link.connection(), columns, limit),
                    AutoIncrementColumns.find(link.connection(), places));
        }
    }

    /** Waits for the thread, whose answers have limits. */
    Tables tables() {
        return result(tables, Tables.UNREAD);
    }

    /** Waits for the thread. Returns whether the sequences are prepared for their opening now. */
    boolean havePreparedCounters() {
        long prepared = result(counters, 0L);
        return prepared != 0 && System.nanoTime() - prepared < FRESH.toNanos();
    }

    private static <T> T result(FutureTask<T> task, T otherwise) {
        try {
            return task.get();
        } catch (ExecutionException e) {
            LOG.log(Level.DEBUG, "What could not be read early is read later", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return otherwise;
    }
}
