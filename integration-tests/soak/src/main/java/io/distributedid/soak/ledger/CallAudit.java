package io.distributedid.soak.ledger;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Looks at each call: how long it took, and whether it was refused, with or without a reason. */
public final class CallAudit {

    /** What must be known of a call that was refused, or that took long. */
    public enum Kind {
        /** Enough servers were up all the time, and its process ran. */
        SERVER_UP,
        /** Servers were down, or its process stood still, was told that it is a copy, or had a wrong clock. */
        SERVER_DOWN,
        /** Its process had settings that must be refused. */
        MISCONFIGURED
    }

    private final Function<Entry, Kind> kindOf;

    private final BiFunction<Integer, Long, String> reasonOf;

    private final Map<Kind, Map<String, Long>> refused = new TreeMap<>();

    private long entries;

    private long longest;

    private long longestWhileUp;

    private long idsOfMisconfigured;

    /** @param reasonOf the text for a process and the number of a reason */
    public CallAudit(Function<Entry, Kind> kindOf, BiFunction<Integer, Long, String> reasonOf) {
        this.kindOf = kindOf;
        this.reasonOf = reasonOf;
    }

    public void judge(Entry entry) {
        entries++;
        long time = entry.end() - entry.begin();
        if (entry.isRefused()) {
            refused.computeIfAbsent(kindOf.apply(entry), kind -> new TreeMap<>())
                    .merge(reasonOf.apply(entry.process(), entry.first()), 1L, Long::sum);
        } else {
            Kind kind = kindOf.apply(entry);
            longest = Math.max(longest, time);
            longestWhileUp = kind == Kind.SERVER_UP ? Math.max(longestWhileUp, time) : longestWhileUp;
            idsOfMisconfigured += kind == Kind.MISCONFIGURED ? entry.count() : 0;
        }
    }

    /** How many there are in the ledger. */
    public long entries() {
        return entries;
    }

    /** Of the calls that were refused, how many had each reason. */
    public Map<String, Long> refused(Kind kind) {
        return refused.getOrDefault(kind, Map.of());
    }

    /** How many ids processes got that had settings which must be refused. */
    public long idsOfMisconfigured() {
        return idsOfMisconfigured;
    }

    /** The longest call that got ids. */
    public Duration longest() {
        return Duration.ofNanos(longest);
    }

    /** The same, of calls while enough servers were up. */
    public Duration longestWhileUp() {
        return Duration.ofNanos(longestWhileUp);
    }
}
