package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Fence;
import io.distributedid.spi.Block;
import org.jspecify.annotations.Nullable;

/** A table of an {@link InnoDbTicketBatch}. For one thread at a time. */
final class BatchedTicket {

    private final InnoDbTickets counter;

    private final Draw draw;

    private final long length;

    /** The id of the locked row; 0 if the table is new. */
    private long last;

    /** Null until it is drawn. */
    private @Nullable Block block;

    BatchedTicket(InnoDbTickets counter, Draw draw) {
        this.counter = counter;
        this.draw = draw;
        this.length = Math.min(draw.wanted(), counter.statements().longest());
    }

    InnoDbTickets counter() {
        return counter;
    }

    MySqlTicketStatements statements() {
        return counter.statements();
    }

    Draw draw() {
        return draw;
    }

    /** How many ids are drawn. */
    long length() {
        return length;
    }

    /** The table of the record; empty if there is none. */
    String record() {
        return draw.fence().map(Fence::table).orElse("");
    }

    String key() {
        return draw.fence().orElseThrow().key();
    }

    long last() {
        return last;
    }

    void setLast(long last) {
        this.last = last;
    }

    @Nullable
    Block block() {
        return block;
    }

    void setBlock(Block block) {
        this.block = block;
    }
}
