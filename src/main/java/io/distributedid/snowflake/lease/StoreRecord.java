package io.distributedid.snowflake.lease;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a store of worker numbers says of itself: {@code token=0b1c... since=1763733600000 window=600000 before=60000 changes=0}. Written by
 * compare-and-set, like everything in the store.
 *
 * <p><b>The longest window.</b> Who finds that the store has forgotten windows must wait until all of them are over, also those of
 * processes with other settings: so the longest is written down before it is asked for. A process that wants a longer one than
 * {@code window} raises that, and goes on with windows of {@code before} for {@code before} and two clock skews: whoever holds a
 * window has read the record by then, since it renewed. After that {@code before} is set to {@code window}. It is raised again only
 * then.
 *
 * @param token tells this store from all others; random
 * @param since when the store was first used, by its own clock, in milliseconds since 1970
 * @param window the longest that anybody may ask for from now on, in milliseconds
 * @param before the longest that those know of who have not read {@code window} yet; equal if all have
 * @param changes how often the layout of a sequence was changed; who saw another number gets no window, see {@link LayoutChange}
 */
record StoreRecord(String token, long since, long window, long before, int changes) {

    private static final Pattern FORMAT = Pattern.compile(
            "token=(\\S{1,40}) since=(\\d{1,18}) window=(\\d{1,18}) before=(\\d{1,18}) changes=(\\d{1,9})");

    /** The first record of a store. */
    static StoreRecord first(String token, long since, long window) {
        return new StoreRecord(token, since, window, window, 0);
    }

    /**
     * Reads a record.
     *
     * @param text null if there is none
     * @throws StoreException if it is none of ours
     */
    static Optional<StoreRecord> parse(@Nullable String text) throws StoreException {
        if (text == null) {
            return Optional.empty();
        }
        Matcher fields = FORMAT.matcher(text);
        if (!fields.matches()) {
            throw new StoreException(
                    "The record " + WorkerStore.OWN_RECORD + " beside the worker numbers can't be read: " + text,
                    new IllegalArgumentException(text));
        }
        return Optional.of(new StoreRecord(
                fields.group(1),
                Long.parseLong(fields.group(2)),
                Long.parseLong(fields.group(3)),
                Long.parseLong(fields.group(4)),
                Integer.parseInt(fields.group(5))));
    }

    /** Whether everybody who holds a window knows the longest one. */
    boolean isKnownToAll() {
        return before == window;
    }

    StoreRecord raised(long longer) {
        return new StoreRecord(token, since, longer, window, changes);
    }

    StoreRecord knownToAll() {
        return new StoreRecord(token, since, window, window, changes);
    }

    StoreRecord changed() {
        return new StoreRecord(token, since, window, before, changes + 1);
    }

    /** As it is written. */
    String text() {
        return "token=" + token + " since=" + since + " window=" + window + " before=" + before + " changes=" + changes;
    }
}
