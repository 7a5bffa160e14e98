package io.distributedid.internal.existing;

import java.sql.SQLException;

/** The ids of a column were not read, because that could delay the start, or SQL does not know their order. */
public final class NotComparedException extends SQLException {

    private static final long serialVersionUID = 1L;

    private final boolean helpedByIndex;

    public NotComparedException(String reason, boolean helpedByIndex) {
        super(reason);
        this.helpedByIndex = helpedByIndex;
    }

    NotComparedException(String reason, Throwable cause) {
        super(reason, cause);
        helpedByIndex = false;
    }

    /** Whether an index that begins with the column would help. */
    public boolean isHelpedByIndex() {
        return helpedByIndex;
    }
}
