package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.process.HostName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Names this process in messages about a taken number. It need not be unique. */
final class ProcessName {

    private ProcessName() {}

    static String ofProcess() {
        ProcessHandle process = ProcessHandle.current();
        Instant start = process.info().startInstant().orElseGet(Instant::now).truncatedTo(ChronoUnit.SECONDS);
        String tail = " pid " + process.pid() + " since " + start;
        String host = HostName.find().orElse("unknown").replaceAll("[^\\x21-\\x7e]", "?");
        return host.substring(0, Math.min(host.length(), WorkerStore.OWNER_LENGTH - tail.length())) + tail;
    }
}
