package io.distributedid;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether ids are to be had, as far as this process knows. Nobody is asked: what failed shows when ids are used, or
 * windows renewed.
 *
 * @param status the worst of all sequences; UP if there is none
 * @param sequences in the order of their names
 */
public record IdHealth(Status status, List<SequenceHealth> sequences) {

    /** In order: the later, the worse. */
    public enum Status {
        /** All is well. */
        UP,
        /** Ids are given, but a server is left out, or what is in stock can't be renewed. */
        DEGRADED,
        /** The next call would fail. */
        DOWN
    }

    /**
     * Whether ids of a sequence are to be had.
     *
     * @param sequence its name
     * @param status its own
     * @param reason what is wrong, in one line; empty if nothing is
     */
    public record SequenceHealth(String sequence, Status status, String reason) {

        /** As in logs: {@code photos DOWN: the reserve is empty}. */
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
     * The health of sequences together.
     *
     * @param sequences any number
     * @return the worst of them
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
