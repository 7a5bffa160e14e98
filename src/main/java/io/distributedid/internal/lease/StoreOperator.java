package io.distributedid.internal.lease;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.lease.StoreCommand.Done;
import io.distributedid.internal.lease.StoreCommand.Make;
import io.distributedid.internal.lease.StoreCommand.Refused;
import io.distributedid.internal.lease.StoreCommand.Step;
import io.distributedid.internal.lease.StoreCommand.Wait;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Carries out an operator's commands on a store of leases, see {@link StoreCommand}. After a failure, a command is
 * repeated from the start. All methods throw {@link IdConfigurationException} if the command is refused, and
 * {@link IdUnavailableException} if a store failed; repeat the call then. For one thread.
 *
 * @param isDryRun whether to end before the first change
 */
public record StoreOperator(LeaseStore store, Platform platform, boolean isDryRun) {

    /** What a sequence's row of a layout shall say. */
    @FunctionalInterface
    public interface NewText {

        /**
         * @param before what the row says
         * @param unused no right has used this value or a larger one, unless it was for a single use
         * @param time of the store
         * @throws IdConfigurationException if it can't be changed
         */
        Changed of(StoreHeader header, Fields before, long unused, long time);
    }

    /**
     * @param text what the row says from now on
     * @param from a right that is claimed from now on begins here or later
     */
    public record Changed(Fields text, long from) {}

    /** Another command may change the store at the same time. */
    private static final int MOST_STEPS = 100;

    /**
     * Begins a store, or changes its windows while nothing is leased.
     *
     * @param isGiven whether the operator says how long windows are, see {@link StoreCommand#init}
     * @return when rights may be claimed, by the store's clock, in milliseconds since 1970; 0 if at once
     */
    public long init(StoreHeader.Terms terms, boolean isGiven) {
        StoreCommand command = command();
        return run(null, (page, any) -> command.init(page, store.server(), terms, isGiven, platform.token()));
    }

    /** Ends a loss that would wait for ever, see {@link StoreCommand#repair}. Returns as {@link #init}. */
    public long repair() {
        StoreCommand command = command();
        return run(null, (page, any) -> command.repair(page, store.server(), platform.token()));
    }

    /** Changes what the row of a sequence says while nothing is leased. Returns what it said before. */
    public Fields change(String sequence, NewText next) {
        StoreCommand command = command();
        List<Fields> before = new ArrayList<>();
        long unused = run(null, (page, any) -> {
            Row row = StoreRules.layout(page, sequence)
                    .orElseThrow(() -> new IdConfigurationException(StoreTexts.noLayout(sequence, store.label())));
            StoreHeader header = new StoreHeader(page.row(StoreHeader.NAME));
            before.add(row.text());
            long used = StoreRules.counted(header)
                    .map(page.rows()::get)
                    .filter(Objects::nonNull)
                    .mapToLong(Row::number)
                    .reduce(0, Math::max);
            Changed changed = next.of(header, row.text(), used, page.time());
            return command.change(
                    page,
                    store.server(),
                    Map.of(row.name(), changed.text()),
                    changed.from(),
                    UnaryOperator.identity(),
                    platform.token());
        });
        return before.get(0);
    }

    /** Moves all leases to another store. Returns as {@link #init}. */
    public long move(LeaseStore target) {
        StoreCommand command = command();
        return run(
                target,
                (page, there) -> command.move(
                        page, store.server(), there, target.label(), target.server(), store.label(), platform.token()));
    }

    /** The token of the store; empty if it was never used. */
    public Optional<String> token() {
        return call(() -> Optional.ofNullable(StoreHeader.of(store.read(Set.of(StoreHeader.NAME), true)))
                .map(StoreHeader::token));
    }

    private StoreCommand command() {
        return new StoreCommand(platform.token(), store.label());
    }

    private <T> T call(LibraryThread.Work<T> work) {
        try {
            return work.run();
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The command has not ended: " + store.label() + " said: " + FailureText.of(e)
                            + ". Repeat the command",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted. Repeat the command: " + store.label(), e);
        }
    }

    private long run(@Nullable LeaseStore target, BiFunction<Page, Page, Step> command) {
        return call(() -> {
            for (int i = 0; i < MOST_STEPS; i++) {
                // First, so that no old row is copied over one that was read after it.
                Page there = target == null ? null : readAll(target, names(store));
                Page page = readAll(store, Set.of());
                Step step = command.apply(page, there == null ? page : there);
                if (step instanceof Done done) {
                    return done.opens();
                }
                if (step instanceof Refused refused) {
                    throw new IdConfigurationException(refused.why());
                }
                if (isDryRun) {
                    return 0L;
                }
                if (step instanceof Wait wait) {
                    platform.pause(TimeUnit.MILLISECONDS.toNanos(wait.millis()));
                }
                if (step instanceof Make make) {
                    write(store, make.source());
                    write(target == null ? store : target, make.target());
                }
            }
            throw new IdUnavailableException(
                    "Another command changes the store at the same time, or a transaction holds its rows: "
                            + store.label() + ". Repeat the command");
        });
    }

    private static void write(LeaseStore store, List<Change> changes) throws SQLException, InterruptedException {
        if (!changes.isEmpty()) {
            Set<String> unused = store.write(changes);
        }
    }

    /** The header, all rows that it counts, and others. */
    static Page readAll(LeaseStore store, Set<String> others) throws SQLException, InterruptedException {
        Set<String> names = new LinkedHashSet<>(others);
        names.addAll(names(store));
        return store.read(names, true);
    }

    private static Set<String> names(LeaseStore store) throws SQLException, InterruptedException {
        return StoreRules.all(StoreHeader.of(store.read(Set.of(StoreHeader.NAME), true)));
    }
}
