package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.LedgerMemory.Known;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Pages;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What messages say of a store of leases. */
final class StoreTexts {

    private static final int MOST_NAMED = 20;

    private StoreTexts() {}

    /** The same to whoever knows no other store. */
    static String refused(StoreRules.Refused refused, String label) {
        return refused(refused, new Known(Map.of()), label);
    }

    /** Why no right may be claimed, and no command begins. */
    static String refused(StoreRules.Refused refused, Known known, String label) {
        return text(refused, known, label) + Pages.onCall("store", refused.reason());
    }

    private static String text(StoreRules.Refused refused, Known known, String label) {
        Page page = refused.page();
        return switch (refused.reason()) {
            case NEVER_USED ->
                "The store of leases was never used, or was emptied: " + label + ". Initialise it: distributedid init"
                        + " SEQ";
            case OTHER_STORE ->
                "The store of leases is not the same as before, or was emptied: " + label + " token="
                        + (page.rows().containsKey(StoreHeader.NAME)
                                ? header(page).token()
                                : "missing")
                        + ", it was token=" + new StoreHeader(known.rows().get(StoreHeader.NAME)).token()
                        + ". This process keeps what it holds, and leases nothing there. Correct the address, or"
                        + " restore the right store. If that store is lost for good: distributedid init SEQ. If another"
                        + " store was initialised on purpose, restart this process";
            case OTHER_LAYOUT ->
                "The layout of a sequence was changed while this process ran: " + label
                        + ". The process started with the old layout, and gets no more leases. Restart it with the new"
                        + " settings";
            case LOST ->
                forgotten(header(page), label) + " Leases are given again in "
                        + TimeUnit.MILLISECONDS.toSeconds(header(page).opens() - page.time() + 999) + " s";
            case LOST_ELSEWHERE ->
                forgotten(header(page), label) + " The store names another server than this one: server="
                        + header(page).server()
                        + ". If ids are to come from here, and from nowhere else: distributedid repair SEQ";
            case CLOSED ->
                "A command has closed the store of leases, and has not ended yet: " + label
                        + ". If the command was cut off, run it again, or open the store: distributedid repair SEQ";
            case MADE ->
                "The store of leases is the target of a move that has not ended: " + label
                        + ". Run the move again: distributedid move SEQ --from OLD.properties";
            case MOVED ->
                "The leases have moved from " + label + " to " + header(page).target()
                        + ". Start this process with the settings of that store";
        };
    }

    /** Why no command begins while a right lasts. */
    static String inUse(Row row, long time, String label) {
        return "A process runs, or was killed a moment ago: " + label + ", " + held(row, time)
                + ". Stop all processes, then repeat the command" + Pages.onCall("still-running");
    }

    /** Why no layout is changed. */
    static String noLayout(String sequence, String label) {
        return "No layout is recorded for the sequence: seq=" + sequence + " in " + label
                + ". The first process to start records its layout, so there is nothing to change"
                + Pages.onCall("no-layout");
    }

    private static StoreHeader header(Page page) {
        return new StoreHeader(page.row(StoreHeader.NAME));
    }

    private static String forgotten(StoreHeader header, String label) {
        return "The store has lost leases at " + Instant.ofEpochMilli(header.lost())
                + " or before, and their owners may still use them: " + label
                + ". Was it restored from a backup, or changed by hand?";
    }

    /** For the log of the process that finds it. */
    static String lost(List<String> lost, Known known, Page page, String label) {
        String rows = lost.stream()
                .limit(MOST_NAMED)
                .map(name -> name + " is " + version(page.rows(), name) + ", and was " + version(known.rows(), name))
                .collect(Collectors.joining("; "));
        return "A store of leases has lost rows, and gives no leases until all lost leases have ended: " + label + ". "
                + rows + Pages.onCall("store-lost");
    }

    private static Object version(Map<String, Row> rows, String name) {
        Row found = rows.get(name);
        return found == null ? "missing" : found.version();
    }

    /** For the log of the process whose row was replaced. */
    static String gone(Row row, boolean isSealed, boolean isEarly, String label) {
        String what = row.name() + " on " + label;
        if (isSealed) {
            return "A command has closed the store of leases while this process ran, and its lease is not renewed: "
                    + what + ". Restart the process once the command has ended" + Pages.onCall("store-closed");
        }
        return isEarly
                ? "A lease was taken while this process held it: is this process a copy of one that runs? Both may have"
                        + " given the same ids since. " + what + " by " + LeaseProtocol.owner(row)
                        + Pages.onCall("lease-twice")
                : "A lease was not renewed in time, and another process has taken it: " + what + " by "
                        + LeaseProtocol.owner(row) + Pages.onCall("lease-late");
    }

    /** Who holds a row. */
    static String held(Row row, long time) {
        String owner = LeaseProtocol.owner(row);
        boolean isFree = owner.isEmpty() && row.number() <= time;
        return row.name()
                + (isFree
                        ? " is free"
                        : " by " + (owner.isEmpty() ? "nobody" : owner) + " until "
                                + Instant.ofEpochMilli(row.number()));
    }

    /** Of worker numbers. */
    static String noneFree(Right.Numbers wanted, Page page, String label) {
        String owners = page.rows().values().stream()
                .filter(row -> row.number() > page.time())
                .limit(MOST_NAMED)
                .map(row -> held(row, page.time()))
                .collect(Collectors.joining("; "));
        return wanted.first() == wanted.last()
                ? "The worker number is taken: " + wanted.first() + " of " + label
                        + ". Stop its owner, or give this process another number (distributedid.snowflake.worker). "
                        + owners + Pages.onCall("numbers-taken")
                : "All worker numbers are taken: " + wanted.first() + " to " + wanted.last() + " of " + label
                        + ". Stop one of their owners, or choose a layout with more bits of worker. " + owners
                        + Pages.onCall("numbers-taken");
    }

    /** Of numbers for a single use. */
    static String usedUp(Right.Numbers wanted, long next, String label) {
        return "All worker numbers are used up: " + wanted.first() + " to " + wanted.last() + " of " + label
                + ", the next one would be " + next
                + ". Choose a larger range (distributedid.snowflake.lease.numbers) or a layout with more bits of worker;"
                + " or stop all processes, and use another table" + Pages.onCall("numbers-used-up");
    }
}
