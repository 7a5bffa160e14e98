package io.distributedid.mysql;

import java.util.regex.Pattern;

/** Why a process with a leased worker number gave no id: all reasons that a fault run may bring about. */
enum WorkerRefusal {
    CLOCK_WENT_BACK("The clock went back and ids are refused until it is right again: .*"),
    CLOCK_STANDS_STILL("The clock stands still: .*"),
    CLOCK_FAR_FROM_STORE("%s?The local clock must be near the store's: .*"),
    ALL_NUMBERS_TAKEN("%s?All worker numbers are taken: .*"),
    OTHERS_WERE_FASTER("%s?Others were faster, .*"),
    STORE_IS_SLOW("%sNo answer within \\d+ ms"),
    /** A copy of the process was made, and the store took longer than callers wait. */
    SUSPENDED("Ids are suspended: .*"),
    /** As before, and another caller waits for the store. */
    OPENED_AGAIN("The sequence is still being opened again: .*"),
    STORE_FAILED("%s(?!The store|The leases|A command).*");

    private final Pattern message;

    /**
     * Knows a kind by its message.
     *
     * @param message {@code %s} stands for what is in front of it if it is the cause of another
     */
    WorkerRefusal(String message) {
        String store = "distributedid on jdbc:\\S+";
        String front = "(The lease has ended, and there is no other yet: (@worker/\\d+ )?on " + store + "[.] |"
                + "(Nothing can be leased|The layout of a sequence can't be read: seq=\\w+): " + store + " said: )";
        this.message = Pattern.compile(message.replace("%s", front), Pattern.DOTALL);
    }

    /** Fails for any other error. */
    static WorkerRefusal of(RuntimeException refusal) {
        for (WorkerRefusal kind : values()) {
            if (kind.message.matcher(String.valueOf(refusal.getMessage())).matches()) {
                return kind;
            }
        }
        throw new IllegalStateException(
                "A refusal that no fault of the run explains: " + refusal.getMessage(), refusal);
    }
}
