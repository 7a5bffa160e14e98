package io.distributedid.simulation;

/** Something that happens in a run with sections. */
sealed interface SectionPart {

    /** When it begins, in milliseconds. */
    int at();

    /** A process starts, and two callers take numbers. */
    record Lives(int at, int number, int millis, SectionEnd end) implements SectionPart {}

    /** How a process ends. */
    enum SectionEnd {
        /** It hands its sections over. */
        STOPS,
        IS_KILLED,
        /** It runs until the run is over. */
        STAYS
    }

    /** None of its threads runs for a time. */
    record Stands(int at, int number, int millis) implements SectionPart {}

    /** The store does not answer it for a time. */
    record IsCutOff(int at, int number, int millis) implements SectionPart {}

    /** The rows are those of some commits ago, and after a time the newest ones again. */
    record GoesBack(int at, int commits, int millis) implements SectionPart {}

    /** A foreign transaction holds one row for a time, which is the one so far in the order of their names. */
    record RowIsLocked(int at, int row, int millis) implements SectionPart {}

    /** All processes end; a backup is restored, and raised as the documentation says; others start. */
    record IsRestored(int at, int commits) implements SectionPart {}
}
