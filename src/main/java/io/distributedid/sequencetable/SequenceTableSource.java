package io.distributedid.sequencetable;

import io.distributedid.internal.Floor;
import io.distributedid.internal.HighestIds;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import java.sql.SQLException;

/** Reserves blocks of one sequence. */
final class SequenceTableSource implements BlockSource {

    private final SequenceTableServers servers;

    private final SequenceRow row;

    private final HighestIds highest = new HighestIds();

    private final String remedy;

    private volatile Floor floor;

    SequenceTableSource(SequenceTableServers servers, SequenceRow row, Floor floor) {
        this.servers = servers;
        this.row = row;
        this.floor = floor;
        this.remedy = "UPDATE " + row.table() + " SET id = <id> WHERE name = '" + row.name() + "'";
    }

    /** Checks the row on every server that answers; those that do not are checked when they do. */
    void open() {
        open(floor);
    }

    /** Ids must lie above what exists, from now on. */
    void requireAbove(long existing, boolean raise) {
        if (!raise && servers.size() > 1) {
            // The servers drift apart: a counter below the largest id may well be right.
            return;
        }
        Floor wanted = floor.withExisting(existing, raise);
        open(wanted);
        floor = wanted;
    }

    private void open(Floor wanted) {
        servers.callAll(session -> {
            session.open(row, wanted);
            return row;
        });
    }

    @Override
    public Block reserve(long wanted) throws InterruptedException {
        Floor now = floor;
        return servers.call(session -> {
            session.open(row, now);
            return highest.requireAbove(session.reserve(row, wanted), session.describe(row), remedy);
        });
    }

    /** The remainder of the ids tells whose they are. */
    @Override
    public boolean giveBack(Block rest) throws SQLException, InterruptedException {
        int server = (int) Math.floorMod(rest.first() - 1, (long) servers.size());
        return servers.callAt(server, session -> session.giveBack(row, rest.last(), rest.first() - rest.step()));
    }
}
