package io.distributedid.backend.snowflake.lease;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The record {@link WorkerStore#EXCLUSIVE_RECORD} beside the row of the process that makes ids without a worker number:
 * none before the row is written, {@code token=0b1c...} from then on, and {@code token=0b1c... opens=1763733600000}
 * after the row was lost. A process that writes the row, or reads it, removes {@code opens}.
 *
 * @param token random
 * @param opens no process becomes active before, by the store's clock, in milliseconds since 1970;
 *     {@link StoreRecord#IN_USE} if no row was lost
 */
record ExclusiveRecord(String token, long opens) {

    private static final Pattern FORMAT = Pattern.compile("token=(\\S{1,40})(?: opens=(\\d{1,18}))?");

    static ExclusiveRecord inUse(String token) {
        return new ExclusiveRecord(token, StoreRecord.IN_USE);
    }

    /** @throws WorkerStoreException if the record can't be parsed */
    static @Nullable ExclusiveRecord parse(@Nullable String text) throws WorkerStoreException {
        if (text == null) {
            return null;
        }
        Matcher fields = FORMAT.matcher(text);
        if (!fields.matches()) {
            throw new WorkerStoreException(
                    "The record " + WorkerStore.EXCLUSIVE_RECORD + " beside the worker numbers can't be read: " + text,
                    new IllegalArgumentException(text));
        }
        String opens = fields.group(2);
        return new ExclusiveRecord(fields.group(1), opens == null ? StoreRecord.IN_USE : Long.parseLong(opens));
    }

    boolean isInUse() {
        return opens == StoreRecord.IN_USE;
    }

    String text() {
        return "token=" + token + (isInUse() ? "" : " opens=" + opens);
    }
}
