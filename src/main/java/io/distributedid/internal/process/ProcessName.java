package io.distributedid.internal.process;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** Names this process in messages to others. */
public final class ProcessName {

    private static final int LENGTH = 200;

    private ProcessName() {}

    /** Up to {@value #LENGTH} printable characters of ASCII. It need not be unique. */
    public static String ofProcess() {
        return withEnd("");
    }

    /** As {@link #ofProcess}, but another one at each call, and in each copy of this process. */
    public static String ofPart() {
        return withEnd(
                " part " + Long.toUnsignedString(UUID.randomUUID().getMostSignificantBits(), Character.MAX_RADIX));
    }

    private static String withEnd(String end) {
        ProcessHandle process = ProcessHandle.current();
        Instant start = process.info().startInstant().orElseGet(Instant::now).truncatedTo(ChronoUnit.SECONDS);
        String tail = " pid " + process.pid() + " since " + start + end;
        String host = HostName.find().orElse("unknown").replaceAll("[^\\x21-\\x7e]", "?");
        return host.substring(0, Math.min(host.length(), LENGTH - tail.length())) + tail;
    }
}
