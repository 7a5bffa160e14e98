package io.distributedid.internal.keyed.served;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.keyed.row.SectionMark;
import io.distributedid.internal.keyed.source.KeyHash;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.lease.LeaseLoop;
import io.distributedid.internal.ledger.LedgerMemory;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.OptionalLibrary;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.process.Resources;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Numbers per key from memory, of all sequences with one store and the same options. A sequence takes part from its
 * first call, or its first {@link #table}. Thread-safe.
 */
public final class Sections implements KeyedSource {

    /** The name of the table by default. */
    public static final String LEDGER = LedgerSql.NAME;

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * A table that stores sections.
     *
     * @param name in SQL
     * @param create whether to create it if it is missing
     * @param mark written in the same database before the first number of a sequence
     * @param timeout for connecting and for each answer
     */
    public record Table(String name, boolean create, SectionMark mark, Duration timeout) {}

    private final SectionStore store;

    private final SectionOptions options;

    private final Platform platform;

    private final KeyMemory memory;

    private final OutageLog outages;

    private final Resources<String, SectionOwner> owners = new Resources<>(SectionOwner::stop);

    /** By sequence. */
    private final Map<String, LedgerMemory> known = new ConcurrentHashMap<>();

    /** The address before the last suspend; empty if there was none. */
    private volatile String formerAddress = "";

    private volatile boolean ended;

    public Sections(SectionStore store, SectionOptions options, Platform platform) {
        this.store = store;
        this.options = options;
        this.platform = platform;
        this.memory = new KeyMemory(options.memory());
        this.outages = LeaseLoop.outages(platform);
    }

    /** Does not connect to the database. */
    public static Sections inDatabase(ConnectionAccess database, Table table, SectionOptions options) {
        return new Sections(new DatabaseSectionStore(database, table), options, Platform.JVM);
    }

    /** The table, for schema exports. */
    public static SchemaObject schemaObject(DatabaseProduct product, String table) {
        return new LedgerSql(product, table).schemaObject();
    }

    private SectionOwner owner(String sequence) {
        return owners.get(sequence, () -> begun(sequence))
                .orElseThrow(() -> new IdUnavailableException("The source of numbers is closed: seq=" + sequence));
    }

    private SectionOwner begun(String sequence) {
        SectionRows rows = rows(sequence);
        return OptionalLibrary.use(
                Sections.class,
                "distributedid.keyed.backend=section needs HPPC",
                "com.carrotsearch:hppc",
                () -> new SectionOwner(rows, options, memory, outages, formerAddress, platform));
    }

    private SectionRows rows(String sequence) {
        LedgerMemory rows = known.computeIfAbsent(sequence, each -> new LedgerMemory());
        return new SectionRows(store, sequence, options.sections(), rows, platform);
    }

    @Override
    public Pending<Long> ask(String sequence, String key, int count, long began, Duration timeout) {
        return owner(sequence).ask(key, count, timeout);
    }

    /** The {@code max} of its section. What was read is known from then on: the store must not go back behind it. */
    @Override
    public long bound(String sequence, String key, long began, Duration timeout) {
        SectionRows rows = rows(sequence);
        String row = rows.section(KeyHash.section(KeyHash.number(key), options.sections()));
        CompletableFuture<Long> answer = new CompletableFuture<>();
        Thread unused = platform.start("distributedid-bound", () -> read(rows, row, answer));
        Runnable end = () -> answer.completeExceptionally(new IdUnavailableException(
                "The sections were not read within " + timeout.toMillis() + " ms: " + rows.where()));
        return new Pending<>(answer, end)
                .await(platform, timeout.toNanos() - (platform.nanoTime() - began), "sections: " + rows.where());
    }

    /** A call to the store ends by itself, but perhaps after the caller's time. */
    private static void read(SectionRows rows, String name, CompletableFuture<Long> answer) {
        try {
            Row row = rows.look(List.of()).page().rows().get(name);
            answer.complete(row == null ? 0 : row.number());
        } catch (SQLException e) {
            answer.completeExceptionally(new IdUnavailableException(
                    "The sections can't be read: " + rows.where() + ". " + FailureText.of(e), e));
        } catch (InterruptedException | RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    @Override
    public Optional<SectionTable> table(String sequence) {
        return ended ? Optional.empty() : owner(sequence).table();
    }

    @Override
    public void learn(KeyedSource former) {
        Sections before = (Sections) former;
        known.putAll(before.known);
        formerAddress = before.options.address();
    }

    private void each(Consumer<SectionOwner> work) {
        owners.end().values().forEach(work);
    }

    @Override
    public void stop() {
        ended = true;
        each(SectionOwner::stop);
        store.stop();
    }

    @Override
    public void cut() {
        store.cut();
    }

    @Override
    public void abandon() {
        ended = true;
        store.abandon();
        each(SectionOwner::abandon);
    }

    @Override
    public void close() {
        stop();
        long deadline = platform.nanoTime() + CLOSE_NANOS;
        each(owner -> owner.close(Duration.ofNanos(Math.max(0, deadline - platform.nanoTime()))));
        store.close();
    }
}
