package io.distributedid.internal.lease;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.lease.StoreRules.Decision;
import io.distributedid.internal.lease.StoreRules.Refused;
import io.distributedid.internal.lease.StoreRules.Write;
import io.distributedid.internal.ledger.LedgerMemory;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Pages;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks a store of leases for an operator: whether rights may be claimed, how many numbers are taken, whether the
 * clocks agree, and whether it records the same layout of a sequence. Only reads. For one thread.
 *
 * @param numbers that are wanted; empty for strict order
 * @param terms throws {@link IdConfigurationException} if a process with these settings would refuse the store's
 *     windows
 */
public record StoreCheck(
        LeaseStore store, InstantSource clock, Optional<Right.Numbers> numbers, Consumer<StoreHeader> terms) {

    /**
     * @param sequence whose layout is looked up
     * @param field of the row in which it is
     * @param layout as the store would record it
     */
    public List<CheckResult> run(String sequence, String field, String layout) {
        try {
            // Its first read also connects. The last one is fast enough to compare the clocks.
            Page page = StoreOperator.readAll(store, Set.of());
            long now = clock.millis();
            StoreHeader header = StoreHeader.of(page);
            if (header == null) {
                return List.of(record(page, null));
            }
            terms.accept(header);
            return List.of(
                    record(page, header),
                    taken(header, page),
                    skew(header, page.time(), now),
                    layout(page, sequence, field, layout));
        } catch (SQLException | IdConfigurationException e) {
            return List.of(CheckResult.failed("store of leases", store.label(), FailureText.of(e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while checking leases: " + store.label(), e);
        }
    }

    private CheckResult record(Page page, @Nullable StoreHeader header) {
        LedgerMemory.Known nothing = new LedgerMemory.Known(Map.of());
        StoreHeader.Terms any = new StoreHeader.Terms(1, 1);
        Decision decision =
                StoreRules.decide(page, StoreRules.all(header), nothing, store.server(), true, any, "check");
        String what = "store of leases";
        if (decision instanceof Refused refused) {
            return CheckResult.failed(what, store.label(), StoreTexts.refused(refused, store.label()));
        }
        if (decision instanceof Write write && !write.lost().isEmpty()) {
            return CheckResult.failed(what, store.label(), StoreTexts.lost(write.lost(), nothing, page, store.label()));
        }
        return CheckResult.ok(
                what,
                store.label(),
                header == null
                        ? "none yet: nobody has leased anything here"
                        : "token=" + header.token() + " window=" + header.window() + "ms skew=" + header.skew() + "ms");
    }

    private CheckResult taken(StoreHeader header, Page page) {
        String what = "leases";
        if (numbers.isEmpty()) {
            Row row = page.rows().get(StoreHeader.STRICT);
            return CheckResult.ok(
                    what, store.label(), row == null ? "nobody makes ids yet" : StoreTexts.held(row, page.time()));
        }
        Right.Numbers wanted = numbers.get();
        long all = wanted.last() - wanted.first() + 1;
        long held = Right.rows(wanted, header).stream()
                .map(page.rows()::get)
                .filter(row -> row != null && row.number() > page.time())
                .count();
        return held < all
                ? CheckResult.ok(what, store.label(), held + " of " + all + " numbers are taken")
                : CheckResult.failed(what, store.label(), StoreTexts.noneFree(wanted, page, store.label()));
    }

    private CheckResult skew(StoreHeader header, long storeTime, long now) {
        String found = "clock=" + Instant.ofEpochMilli(now) + ", the store's " + Instant.ofEpochMilli(storeTime)
                + ", allowed: " + header.skew() + " ms apart";
        return Math.abs(now - storeTime) <= header.skew()
                ? CheckResult.ok("clock", store.label(), found)
                : CheckResult.failed(
                        "clock",
                        store.label(),
                        "The local clock must be near the store's: " + found + ". Set the clock"
                                + Pages.onCall("clock-skew"));
    }

    private CheckResult layout(Page page, String sequence, String field, String layout) {
        Optional<String> recorded =
                StoreRules.layout(page, sequence).flatMap(row -> row.text().get(field));
        String what = "layout record";
        if (recorded.isEmpty()) {
            return CheckResult.ok(what, store.label(), "none yet: nobody has taken an id of " + sequence);
        }
        return recorded.get().equals(layout)
                ? CheckResult.ok(what, store.label(), "the same")
                : CheckResult.failed(
                        what,
                        store.label(),
                        "A sequence must keep its layout and epoch: seq=" + sequence + " layout=" + layout
                                + ", recorded " + recorded.get() + Pages.onCall("layout"));
    }
}
