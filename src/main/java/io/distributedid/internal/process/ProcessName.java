package io.distributedid.internal.process;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Names this process in messages to others. It need not be unique. */
public final class ProcessName {

    private static final int LENGTH = 200;

    private ProcessName() {}

    /** Up to {@value #LENGTH} printable characters of ASCII. */
    public static String ofProcess() {
        ProcessHandle process = ProcessHandle.current();
        Instant start = process.info().startInstant().orElseGet(Instant::now).truncatedTo(ChronoUnit.SECONDS);
        String tail = " pid " + process.pid() + " since " + start;
        String host = HostName.find().orElse("unknown").replaceAll("[^\\x21-\\x7e]", "?");
        return host.substring(0, Math.min(host.length(), LENGTH - tail.length())) + tail;
    }
}
