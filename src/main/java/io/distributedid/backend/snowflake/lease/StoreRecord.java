package io.distributedid.backend.snowflake.lease;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A worker store's record of its own: {@code token=0b1c... window=600000 before=60000 changes=0}. While the store may
 * hold no number also {@code opens=1763733600000}. During and after a move of its numbers also
 * {@code from=1763733700000}, {@code state=MOVING move=7d21...} or {@code state=MOVED move=7d21...}. Written by
 * compare-and-set, like everything in the store.
 *
 * <p><b>A store that was emptied</b> is told from a new one by {@code opens}. A new store opens at 0, that is at once.
 * The process that leases the first number removes the field. So a store that has neither a number nor the field has
 * lost its numbers, and their owners may still use their windows. A process that finds this, or finds its own window
 * forgotten, sets {@code opens} to the time when all windows are over. Before that time no process takes a number.
 *
 * <p><b>The longest window.</b> A process that finds that the store has lost windows must wait until all of them are
 * over, also those of processes with other settings. So the longest window is recorded before it is requested. A
 * process that needs a longer one than {@code window} raises {@code window}. For {@code before}, two clock skews and a
 * second it continues with windows of length {@code before}. By then every process with a window has renewed it, and so
 * has read the record. Then {@code before} is set to {@code window}, and only after that may {@code window} be raised
 * again.
 *
 * <p><b>Single-use numbers</b> have windows without an end, and their owners do not look at the store again. So a
 * process that needs one writes it into {@code burnt} first, then inserts its row. The compare-and-set of the record
 * alone gives it the number. From then on no process takes a number from {@code burnt} that has no row, whatever
 * {@code opens} says: the store may have lost the row.
 *
 * <p><b>A move</b> from an old store to a new one, see {@link StoreMove}:
 *
 * <ol>
 *   <li>The first process that leases in both writes the new store's record: the old token, {@code state=MOVING}, and a
 *       random {@code move}. From then on a process with the new store alone is refused.
 *   <li>The old store is fenced: its record gets {@code state=MOVED} and that {@code move}. A process with the old
 *       store alone is refused.
 *   <li>Once all windows are over that the old store alone has granted, the new store's record loses its {@code state}
 *       and gets {@code from} and {@code burnt}. No window of the new store alone begins before that.
 * </ol>
 *
 * @param token identifies the store; random; a new store takes over the token of the old one
 * @param window the longest window that any process may request from now on, in milliseconds
 * @param before the longest window known to processes that have not read {@code window} yet; equal if all have
 * @param changes how often the layout of a sequence was changed; a process that has read another number gets no window,
 *     see {@link LayoutChange}
 * @param opens no number is taken before, by the store's clock, in milliseconds since 1970; {@link #IN_USE} if there
 *     are numbers, and none was lost
 * @param from no window begins before, in milliseconds since 1970; 0 if no number was moved to this store
 * @param burnt the numbers that were taken for a single use lie between these
 * @param move identifies the move; empty if the store is settled
 */
record StoreRecord(
        String token,
        long window,
        long before,
        int changes,
        long opens,
        long from,
        BurntNumbers burnt,
        State state,
        String move) {

    /** Numbers were leased from the store, and none was lost. */
    static final long IN_USE = -1;

    enum State {
        /** No move is under way. */
        SETTLED,
        /** Numbers move to this store. */
        MOVING,
        /** Numbers have moved from this store to another one. */
        MOVED
    }

    private static final Pattern FORMAT = Pattern.compile(
            "token=(\\S{1,40}) window=(\\d{1,18}) before=(\\d{1,18}) changes=(\\d{1,9})"
                    + "(?: opens=(\\d{1,18}))?(?: from=(\\d{1,18}))?(?: burnt=(\\d{1,18})-(\\d{1,18}))?(?: state=(MOVING|MOVED) move=(\\S{1,40}))?");

    /** The record of a store that was never used. */
    static StoreRecord first(String token, long window) {
        return new StoreRecord(token, window, window, 0, 0, 0, BurntNumbers.NONE, State.SETTLED, "");
    }

    /**
     * Reads a store's record.
     *
     * @throws WorkerStoreException if the store failed, or the record can't be parsed
     */
    static Optional<StoreRecord> of(WorkerStore store) throws WorkerStoreException, InterruptedException {
        return parse(store.record(WorkerStore.STORE_RECORD).orElse(null));
    }

    /** What tells a store from others in any text of its record: the first field. Empty without a record. */
    static String identity(@Nullable String text) {
        return text == null ? "" : text.split(" ", 2)[0];
    }

    /** @throws WorkerStoreException if the record can't be parsed */
    static Optional<StoreRecord> parse(@Nullable String text) throws WorkerStoreException {
        if (text == null) {
            return Optional.empty();
        }
        Matcher fields = FORMAT.matcher(text);
        if (!fields.matches()) {
            throw new WorkerStoreException(
                    "The record " + WorkerStore.STORE_RECORD + " beside the worker numbers can't be read: " + text,
                    new IllegalArgumentException(text));
        }
        String opens = fields.group(5);
        String from = fields.group(6);
        String lowest = fields.group(7);
        String state = fields.group(9);
        return Optional.of(new StoreRecord(
                fields.group(1),
                Long.parseLong(fields.group(2)),
                Long.parseLong(fields.group(3)),
                Integer.parseInt(fields.group(4)),
                opens == null ? IN_USE : Long.parseLong(opens),
                from == null ? 0 : Long.parseLong(from),
                lowest == null
                        ? BurntNumbers.NONE
                        : new BurntNumbers(Long.parseLong(lowest), Long.parseLong(fields.group(8))),
                state == null ? State.SETTLED : State.valueOf(state),
                state == null ? "" : fields.group(10)));
    }

    /** Whether every process with a window knows the longest one. */
    boolean isKnownToAll() {
        return before == window;
    }

    /** Whether numbers have moved to this store, and the move has ended. */
    boolean hasArrived() {
        return state == State.SETTLED && from > 0;
    }

    /** Whether numbers may be taken at a time of the store. */
    boolean isOpen(long storeTime) {
        return opens <= storeTime;
    }

    /**
     * The time after which all windows are over that were granted with this record, by all clocks. No skew is more than
     * a quarter of the longest window.
     */
    long overMillis() {
        return LeaseProtocol.HANDBACK_WAIT_MILLIS + window + 2 * (window / 4 + 1);
    }

    /** The record of a store that has lost numbers. */
    StoreRecord closedUntil(long time) {
        return new StoreRecord(token, window, before, changes, time, from, burnt, state, move);
    }

    /** The record of a store that holds numbers. */
    StoreRecord inUse() {
        return new StoreRecord(token, window, before, changes, IN_USE, from, burnt, state, move);
    }

    StoreRecord raised(long longer) {
        return new StoreRecord(token, longer, window, changes, opens, from, burnt, state, move);
    }

    StoreRecord knownToAll() {
        return new StoreRecord(token, window, window, changes, opens, from, burnt, state, move);
    }

    /** The first record of the new store of a move; this is the old store's record. */
    StoreRecord movingTo(String newMove) {
        return new StoreRecord(token, window, window, changes, 0, 0, BurntNumbers.NONE, State.MOVING, newMove);
    }

    StoreRecord moved(String by) {
        return new StoreRecord(token, window, before, changes, opens, from, burnt, State.MOVED, by);
    }

    /** The record of the new store once the move has ended. */
    StoreRecord arrived(long first, BurntNumbers moved) {
        return new StoreRecord(token, window, before, changes, opens, first, moved, State.SETTLED, "");
    }

    StoreRecord burning(BurntNumbers more) {
        return new StoreRecord(token, window, before, changes, opens, from, more, state, move);
    }

    StoreRecord changed() {
        return new StoreRecord(token, window, before, changes + 1, opens, from, burnt, state, move);
    }

    String text() {
        return "token=" + token + " window=" + window + " before=" + before
                + " changes=" + changes
                + (opens == IN_USE ? "" : " opens=" + opens)
                + (from > 0 ? " from=" + from : "")
                + (burnt.isEmpty() ? "" : " burnt=" + burnt.lowest() + "-" + burnt.highest())
                + (state == State.SETTLED ? "" : " state=" + state + " move=" + move);
    }
}
