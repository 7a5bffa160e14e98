package io.distributedid.internal.existing;

import java.sql.SQLException;

/** The ids of a column were not read, so that the start need not wait for them. */
public final class NotComparedException extends SQLException {

    private static final long serialVersionUID = 1L;

    private final boolean helpedByIndex;

    NotComparedException(String reason, boolean helpedByIndex) {
        super(reason);
        this.helpedByIndex = helpedByIndex;
    }

    NotComparedException(String reason, Throwable cause) {
        super(reason, cause);
        helpedByIndex = false;
    }

    /**
     * What to do.
     *
     * @return whether they are read if an index begins with the column
     */
    public boolean isHelpedByIndex() {
        return helpedByIndex;
    }
}
