package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** All numbers are taken. The message names their owners. */
final class NoFreeWorkerException extends IdUnavailableException {

    private static final long serialVersionUID = 1L;

    private static final int MOST_NAMED = 20;

    NoFreeWorkerException(LeaseProtocol protocol, StoreSnapshot snapshot, String label) {
        super(protocol.singleUse() ? singleUse(protocol, label) : taken(protocol, snapshot, label));
    }

    private static String singleUse(LeaseProtocol protocol, String label) {
        return "All worker numbers are used up: " + protocol.minWorker() + " to " + protocol.maxWorker() + " of "
                + label
                + ". Choose a larger range (distributedid.snowflake.lease.numbers) or a layout with more bits of"
                + " worker; or stop all processes, and use another table";
    }

    private static String taken(LeaseProtocol protocol, StoreSnapshot snapshot, String label) {
        List<WorkerRow> rows = snapshot.rows();
        String owners = rows.stream()
                .limit(MOST_NAMED)
                .map(row -> row.worker() + " by " + (row.isHandedBack() ? "nobody" : row.owner()) + " " + until(row))
                .collect(Collectors.joining("; "));
        if (protocol.minWorker() == protocol.maxWorker()) {
            return "The worker number is taken: " + protocol.minWorker() + " of " + label
                    + ". Stop its owner, or give this process another number (distributedid.snowflake.worker). "
                    + owners;
        }
        String more = rows.size() > MOST_NAMED ? "; and " + (rows.size() - MOST_NAMED) + " more" : "";
        return "All worker numbers are taken: " + protocol.minWorker() + " to " + protocol.maxWorker() + " of " + label
                + ". Stop one of their owners, or choose a layout with more bits of worker. " + owners + more
                + burnt(protocol.burnt());
    }

    private static String burnt(BurntNumbers burnt) {
        return burnt.isEmpty()
                ? ""
                : " (single-use numbers, never taken again: from " + burnt.lowest() + " to " + burnt.highest() + ")";
    }

    private static String until(WorkerRow row) {
        return row.reservedUntil() == Long.MAX_VALUE
                ? "for ever"
                : "until " + Instant.ofEpochMilli(row.reservedUntil());
    }
}
