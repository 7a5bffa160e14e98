package io.distributedid.spi;

import java.sql.SQLException;
import java.util.List;

/** Reads the largest existing ids, above which a sequence must continue. */
@FunctionalInterface
public interface LargestIds {

    /**
     * Reads the largest id of each remainder. With several servers that divide the ids, each server has one remainder.
     *
     * @param step how many remainders there are; 1 for only the largest id
     * @param distance how far below the largest id to search for other remainders
     * @return for each remainder found its largest id, even if that is negative; empty if there are no ids
     * @throws SQLException if the database failed
     */
    List<Long> read(long step, long distance) throws SQLException;
}
