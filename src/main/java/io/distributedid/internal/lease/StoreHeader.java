package io.distributedid.internal.lease;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Row.State;
import io.distributedid.internal.ledger.Version;
import io.distributedid.internal.process.Pages;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The row {@link #NAME} of a store of leases, which says what the store is and how many rows it has. Its number is that
 * of the rows of worker numbers, from 0 on. A field that is 0 or empty is left out. Immutable.
 *
 * <pre>
 * name    version  number  state  text
 * &#64;store  9-31aa   64      OPEN   token=7f3a server=... window=60000 skew=15000 longest=91000 layouts=2 format=1
 * </pre>
 *
 * <p>OPEN: rights may be claimed, unless rows are {@link #lost}. CLOSED: by an operator's command, which did not open
 * it yet. MADE: by a move for its target, and not opened yet. MOVED: the leases have gone to the target.
 */
public record StoreHeader(Row row) {

    public static final String NAME = Ledger.STORE;

    /** The row of the process that makes ids in strict order. It is there once a layout is. */
    public static final String STRICT = "@strict";

    static final String COMMAND = "command";

    static final String TARGET = "target";

    private static final String SERVER = "server";

    private static final String WINDOW = "window";

    private static final String SKEW = "skew";

    private static final String LONGEST = "longest";

    private static final String LOST = "lost";

    private static final String LAYOUTS = "layouts";

    private static final String BURNT = "burnt";

    private static final String CHANGES = "changes";

    private static final Set<State> STATES = EnumSet.of(State.OPEN, State.CLOSED, State.MADE, State.MOVED);

    /** @throws IdConfigurationException if the row describes no store of leases */
    public StoreHeader {
        boolean isKnown =
                STATES.contains(row.state()) && row.text().get(Fields.TOKEN).isPresent();
        try {
            isKnown &= window(row) > 0 && number(row, SKEW) > 0 && number(row, LONGEST) >= window(row);
            isKnown &= number(row, LOST) >= 0 && number(row, LAYOUTS) >= 0 && number(row, BURNT) >= 0;
            isKnown &= number(row, CHANGES) >= 0;
        } catch (NumberFormatException e) {
            isKnown = false;
        }
        if (!isKnown) {
            throw new IdConfigurationException("A row of the ledger has a state or a text that no store of leases has:"
                    + " row=" + row.name() + " state=" + row.state() + " text=" + row.text() + ", allowed: state="
                    + STATES + ", and a text as in token=7f3a " + WINDOW + "=60000 " + SKEW + "=15000 " + LONGEST
                    + "=91000. Undo the change that was made by hand" + Pages.onCall("changed-by-hand"));
        }
    }

    /** That of a store; null if it was never used. */
    static @Nullable StoreHeader of(Page page) {
        Row row = page.rows().get(NAME);
        return row == null || row.state() == State.NEW ? null : new StoreHeader(row);
    }

    /** The row of a worker number. */
    public static String worker(long number) {
        return "@worker/" + number;
    }

    /** The row of a layout. */
    public static String layout(long number) {
        return "@layout/" + number;
    }

    /**
     * What a new store begins with.
     *
     * @param window how long a window of id time lasts, in milliseconds
     * @param skew the largest difference of a process's clock from the store's, in milliseconds
     */
    public record Terms(long window, long skew) {}

    /** A new store without rows. Its version counts from 1. */
    static StoreHeader first(String token, String server, Terms terms, String random) {
        Fields text = Fields.NONE.with(Fields.TOKEN, token).with(Fields.FORMAT, Fields.KNOWN_FORMAT);
        text = text.with(WINDOW, terms.window).with(SKEW, terms.skew).with(LONGEST, longest(terms.window, terms.skew));
        return new StoreHeader(new Row(NAME, Version.first(random), 0, State.OPEN, text)).on(server);
    }

    /** How long a window may last after it was lost, by the store's clock. */
    private static long longest(long window, long skew) {
        return LeaseProtocol.HANDBACK_WAIT_MILLIS + window + 2 * skew;
    }

    public Version version() {
        return row.version();
    }

    public State state() {
        return row.state();
    }

    /** Random; tells the store from others. */
    public String token() {
        return text(Fields.TOKEN);
    }

    /** The identity of the server that it is on; empty if that is unknown. */
    String server() {
        return text(SERVER);
    }

    /** How long a window of id time lasts, in milliseconds. */
    public long window() {
        return window(row);
    }

    private static long window(Row row) {
        return number(row, WINDOW);
    }

    /** The largest difference of a process's clock from the store's, in milliseconds. */
    public long skew() {
        return number(row, SKEW);
    }

    /** No right that was ever granted lasts longer than this after the store has lost it, in milliseconds. */
    long longest() {
        return number(row, LONGEST);
    }

    /** When rows were found to be lost, by the store's clock, in milliseconds since 1970; 0 if none are. */
    long lost() {
        return number(row, LOST);
    }

    /** When rights may be claimed again, by the store's clock. */
    public long opens() {
        return lost() == 0 ? 0 : lost() + longest();
    }

    /** The rows of worker numbers from 0 to before this are there. */
    public long workers() {
        return row.number();
    }

    /** The same of the rows of layouts. */
    public long layouts() {
        return number(row, LAYOUTS);
    }

    /** The numbers from {@link #workers} to before this were taken for a single use. */
    public long burnt() {
        return number(row, BURNT);
    }

    /** How often a layout was changed, or a command was cut off that may have done so. */
    long changes() {
        return number(row, CHANGES);
    }

    /** The id of the operator's command that closed it last; empty if none has. */
    String command() {
        return text(COMMAND);
    }

    /** Where a move goes: the place, and the version of its header; empty without one. */
    String target() {
        return text(TARGET);
    }

    private String text(String field) {
        return row.text().get(field).orElse("");
    }

    private static long number(Row row, String field) {
        return row.text().get(field).map(Long::parseLong).orElse(0L);
    }

    private StoreHeader with(String field, Object value) {
        return with(row.number(), row.state(), row.text().with(field, value));
    }

    private StoreHeader with(long number, State state, Fields text) {
        return new StoreHeader(new Row(NAME, row.version(), number, state, text));
    }

    StoreHeader in(State state) {
        return with(row.number(), state, row.text());
    }

    StoreHeader by(String command, String target) {
        return with(COMMAND, command).with(TARGET, target);
    }

    StoreHeader on(String server) {
        return with(SERVER, server);
    }

    StoreHeader named(String token) {
        return with(Fields.TOKEN, token);
    }

    /** After a loss was found; 0 once it is made up for. */
    StoreHeader lostSince(long time) {
        return with(LOST, time);
    }

    /** With what must not fall, if this one was set back. */
    StoreHeader after(StoreHeader before) {
        return lasting(before.longest())
                .burnt(Math.max(burnt(), before.burnt()))
                .changes(Math.max(changes(), before.changes()));
    }

    /** With windows of another length. */
    StoreHeader windows(Terms terms) {
        return lasting(longest(terms.window, terms.skew))
                .with(WINDOW, terms.window)
                .with(SKEW, terms.skew);
    }

    /** With rights that last longer, in milliseconds. */
    StoreHeader lasting(long atLeast) {
        return with(LONGEST, Math.max(longest(), atLeast));
    }

    StoreHeader workers(long count) {
        return with(count, row.state(), row.text());
    }

    StoreHeader layouts(long count) {
        return with(LAYOUTS, count);
    }

    StoreHeader changes(long count) {
        return with(CHANGES, count);
    }

    StoreHeader burnt(long below) {
        return with(BURNT, below);
    }

    /** What another header says, under the version of this one. */
    StoreHeader like(StoreHeader other) {
        return new StoreHeader(new Row(NAME, row.version(), other.row.number(), other.row.state(), other.row.text()));
    }

    /** The change that begins a store whose place was just created: its row has the state NEW. */
    Change begin(Row created) {
        return Change.replace(created, row.version().random(), row.number(), row.state(), row.text());
    }

    /** The change that makes this the header of a store that has none. */
    Change create() {
        return Change.create(NAME, row.version().random(), row.number(), row.state(), row.text());
    }

    /** The change of the header with the same version to this one. */
    Change change(String random) {
        return Change.replace(row, random, row.number(), row.state(), row.text());
    }
}
