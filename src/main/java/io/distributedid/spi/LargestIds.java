package io.distributedid.spi;

import java.sql.SQLException;
import java.util.List;

/** Reads the largest ids that exist, before a sequence goes on above them. */
@FunctionalInterface
public interface LargestIds {

    /**
     * Reads them.
     *
     * @param step how many remainders there are: of each server, if several divide the ids between them. 1 for the
     *     largest id alone
     * @param distance how far below the largest id those of other remainders are looked for
     * @return the largest of each remainder that has one, even if that is negative; none if there are no ids
     * @throws SQLException if the server failed
     */
    List<Long> read(long step, long distance) throws SQLException;
}
