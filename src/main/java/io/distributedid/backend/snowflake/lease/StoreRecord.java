package io.distributedid.backend.snowflake.lease;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a store of worker numbers says of itself: {@code token=0b1c... since=1763733600000 window=600000 before=60000
 * changes=0}, and where its numbers move or have moved {@code from=1763733700000}, {@code state=MOVING move=7d21...} or
 * {@code state=MOVED move=7d21...}. Written by compare-and-set, like everything in the store.
 *
 * <p><b>The longest window.</b> Who finds that the store has forgotten windows must wait until all of them are over,
 * also those of processes with other settings: so the longest is written down before it is asked for. A process that
 * wants a longer one than {@code window} raises that, and goes on with windows of {@code before} for {@code before} and
 * two clock skews: whoever holds a window has read the record by then, since it renewed. After that {@code before} is
 * set to {@code window}. It is raised again only then.
 *
 * <p><b>A move</b> from an old store to a new one, see {@link StoreMove}:
 *
 * <ol>
 *   <li>The first process that leases in both writes the new store's record: the old token, {@code state=MOVING}, and a
 *       random {@code move}. Who has the new store alone is refused from then on.
 *   <li>The old store gets {@code state=MOVED} and that {@code move}: it is fenced. Who has the old store alone is
 *       refused.
 *   <li>Once all windows are over that were granted by the old store alone, the new one loses its {@code state} and
 *       gets {@code from}: no window begins before.
 * </ol>
 *
 * @param token tells this store from all others; random; a new store takes over that of the old one
 * @param since when the store was first used, by its own clock, in milliseconds since 1970
 * @param window the longest that anybody may ask for from now on, in milliseconds
 * @param before the longest that those know of who have not read {@code window} yet; equal if all have
 * @param changes how often the layout of a sequence was changed; who saw another number gets no window, see
 *     {@link LayoutChange}
 * @param from no window begins before, in milliseconds since 1970; 0 if no number was moved to this store
 * @param state of a move
 * @param move tells it from other moves; empty if the store is settled
 */
record StoreRecord(
        String token, long since, long window, long before, int changes, long from, State state, String move) {

    /** Of a move. */
    enum State {
        /** There is none. */
        SETTLED,
        /** Numbers are moving to this store. */
        MOVING,
        /** Numbers have moved to another one. */
        MOVED
    }

    private static final Pattern FORMAT = Pattern.compile(
            "token=(\\S{1,40}) since=(\\d{1,18}) window=(\\d{1,18}) before=(\\d{1,18}) changes=(\\d{1,9})"
                    + "(?: from=(\\d{1,18}))?(?: state=(MOVING|MOVED) move=(\\S{1,40}))?");

    /** The first record of a store. */
    static StoreRecord first(String token, long since, long window) {
        return new StoreRecord(token, since, window, window, 0, 0, State.SETTLED, "");
    }

    /**
     * What a store says of itself.
     *
     * @throws WorkerStoreException if the store failed, or its record is none of ours
     */
    static Optional<StoreRecord> of(WorkerStore store) throws WorkerStoreException, InterruptedException {
        return parse(store.record(WorkerStore.OWN_RECORD).orElse(null));
    }

    /**
     * Reads a record.
     *
     * @param text null if there is none
     * @throws WorkerStoreException if it is none of ours
     */
    static Optional<StoreRecord> parse(@Nullable String text) throws WorkerStoreException {
        if (text == null) {
            return Optional.empty();
        }
        Matcher fields = FORMAT.matcher(text);
        if (!fields.matches()) {
            throw new WorkerStoreException(
                    "The record " + WorkerStore.OWN_RECORD + " beside the worker numbers can't be read: " + text,
                    new IllegalArgumentException(text));
        }
        String from = fields.group(6);
        String state = fields.group(7);
        return Optional.of(new StoreRecord(
                fields.group(1),
                Long.parseLong(fields.group(2)),
                Long.parseLong(fields.group(3)),
                Long.parseLong(fields.group(4)),
                Integer.parseInt(fields.group(5)),
                from == null ? 0 : Long.parseLong(from),
                state == null ? State.SETTLED : State.valueOf(state),
                state == null ? "" : fields.group(8)));
    }

    /** Whether everybody who holds a window knows the longest one. */
    boolean isKnownToAll() {
        return before == window;
    }

    /** Whether numbers were moved to this store, and the move has ended. */
    boolean hasArrived() {
        return state == State.SETTLED && from > 0;
    }

    StoreRecord raised(long longer) {
        return new StoreRecord(token, since, longer, window, changes, from, state, move);
    }

    StoreRecord knownToAll() {
        return new StoreRecord(token, since, window, window, changes, from, state, move);
    }

    /** The first record of a store that numbers move to from the one with this record. */
    StoreRecord movingTo(long newSince, String newMove) {
        return new StoreRecord(token, newSince, window, window, changes, 0, State.MOVING, newMove);
    }

    StoreRecord moved(String by) {
        return new StoreRecord(token, since, window, before, changes, from, State.MOVED, by);
    }

    StoreRecord arrived(long first) {
        return new StoreRecord(token, since, window, before, changes, first, State.SETTLED, "");
    }

    StoreRecord changed() {
        return new StoreRecord(token, since, window, before, changes + 1, from, state, move);
    }

    /** As it is written. */
    String text() {
        return "token=" + token + " since=" + since + " window=" + window + " before=" + before
                + " changes=" + changes
                + (from > 0 ? " from=" + from : "")
                + (state == State.SETTLED ? "" : " state=" + state + " move=" + move);
    }
}
