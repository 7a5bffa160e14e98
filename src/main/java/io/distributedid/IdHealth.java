package io.distributedid;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether ids are available, as far as this process knows. No server is asked for it: a failure becomes visible when a
 * block is fetched or a window renewed. Immutable.
 *
 * @param status the worst of all sequences; UP if there is none
 * @param sequences in the order of their names
 */
public record IdHealth(Status status, List<SequenceHealth> sequences) {

    /** From best to worst. */
    public enum Status {
        /** Ids are available, and no problem is known. */
        UP,
        /** Ids are available, but a server is left out, or the reserve can't be renewed. */
        DEGRADED,
        /** The next call would fail. */
        DOWN
    }

    /**
     * Whether ids of one sequence are available.
     *
     * @param sequence its name
     * @param status of this sequence
     * @param reason the problem, in one line; empty if there is none
     */
    public record SequenceHealth(String sequence, Status status, String reason) {

        /** For logs: {@code photos DOWN: the reserve is empty}. */
        @Override
        public String toString() {
            return sequence + " " + status + (reason.isEmpty() ? "" : ": " + reason);
        }
    }

    /** Keeps a copy of the list. */
    public IdHealth {
        sequences = List.copyOf(sequences);
    }

    /**
     * Combines the health of sequences.
     *
     * @param sequences any number
     * @return with the worst of their statuses
     */
    public static IdHealth of(List<SequenceHealth> sequences) {
        return new IdHealth(
                sequences.stream()
                        .map(SequenceHealth::status)
                        .max(Status::compareTo)
                        .orElse(Status.UP),
                sequences);
    }

    /** One line for each sequence. */
    @Override
    public String toString() {
        return sequences.stream().map(SequenceHealth::toString).collect(Collectors.joining("\n"));
    }
}
