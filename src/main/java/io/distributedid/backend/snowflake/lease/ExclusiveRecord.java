package io.distributedid.backend.snowflake.lease;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The record {@link WorkerStore#EXCLUSIVE_RECORD} beside the row of the process that makes ids without a worker number:
 * {@code token=0b1c... lease=5000 skew=15000}. Before the row is written for the first time it has {@code opens=0}, and
 * after the row was lost {@code opens=1763733600000}. A process that writes the row, or reads it, removes
 * {@code opens}.
 *
 * <p><b>The longest term.</b> A process that finds the row lost must wait until any term is over, also that of a
 * process with other settings. So each process raises {@code lease} and {@code skew} to its own before it writes the
 * row. If {@code opens} is set, it moves {@code opens} by what the wait is longer then. Nothing lowers them.
 *
 * @param token random
 * @param longest the longest term of all processes
 * @param opens no process becomes active before, by the store's clock, in milliseconds since 1970; 0 if the row was
 *     never written; {@link StoreRecord#IN_USE} if it was written, and was not lost
 */
record ExclusiveRecord(String token, LongestTerm longest, long opens) {

    private static final Pattern FORMAT =
            Pattern.compile("token=(\\S{1,40}) lease=(\\d{1,18}) skew=(\\d{1,18})(?: opens=(\\d{1,18}))?");

    /** The record of a store whose row was never written. */
    static ExclusiveRecord first(String token, LongestTerm longest) {
        return new ExclusiveRecord(token, longest, 0);
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
        String opens = fields.group(4);
        return new ExclusiveRecord(
                fields.group(1),
                new LongestTerm(Long.parseLong(fields.group(2)), Long.parseLong(fields.group(3))),
                opens == null ? StoreRecord.IN_USE : Long.parseLong(opens));
    }

    boolean isInUse() {
        return opens == StoreRecord.IN_USE;
    }

    ExclusiveRecord inUse() {
        return new ExclusiveRecord(token, longest, StoreRecord.IN_USE);
    }

    /** The record after the row was lost. */
    ExclusiveRecord closedUntil(long time) {
        return new ExclusiveRecord(token, longest, time);
    }

    /** The record once a process with such a term may write the row. */
    ExclusiveRecord covering(LongestTerm other) {
        LongestTerm longer = longest.with(other);
        return new ExclusiveRecord(token, longer, opens > 0 ? opens + longer.over() - longest.over() : opens);
    }

    String text() {
        return "token=" + token + " lease=" + longest.lease() + " skew=" + longest.skew()
                + (isInUse() ? "" : " opens=" + opens);
    }
}
