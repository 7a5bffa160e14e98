package io.distributedid.internal.registry;

import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.spi.Block;
import io.distributedid.spi.IdSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Several ids for one caller, all of one {@link Period}. If ids are suspended before the last one is there, those taken
 * before are dropped, since a copy of this process may give them too, and all are taken anew. Used by one thread at a
 * time, for one call that returns ids.
 */
public final class IdBatch {

    private final IdSource source;

    private final long[] ids;

    private int taken;

    /** Of the ids taken so far, see {@link SequenceSource#period}. */
    private @Nullable Object period;

    public IdBatch(IdSource source, int count) {
        this.source = source;
        ids = new long[count];
    }

    /** Takes the ids that need no wait. Empty if some are missing: {@link #next} then takes the others. */
    @SuppressWarnings("ReferenceEquality")
    public Optional<long[]> tryNext() {
        Object now = SequenceSource.period(source);
        if (now == null) {
            return Optional.empty();
        }
        begin(now);
        while (taken < ids.length) {
            long id = source.tryNext();
            if (id == 0) {
                return Optional.empty();
            }
            ids[taken++] = id;
        }
        return SequenceSource.period(source) == now ? Optional.of(ids) : Optional.empty();
    }

    /**
     * Takes the ids that are missing: whole parts of blocks if the source reserves blocks, else one after the other.
     */
    public long[] next() {
        return source instanceof SequenceSource lasting
                ? lasting.take(open -> filled(open, open.source()))
                : filled(source, source);
    }

    private long[] filled(Object now, IdSource from) {
        begin(now);
        while (taken < ids.length) {
            if (from instanceof BlockBuffer) {
                Block block = from.nextBlock(ids.length - taken).block();
                for (long i = 0; i < block.count(); i++) {
                    ids[taken++] = block.first() + i * block.step();
                }
            } else {
                ids[taken++] = from.next();
            }
        }
        return ids;
    }

    @SuppressWarnings("ReferenceEquality")
    private void begin(Object now) {
        if (now != period) {
            period = now;
            taken = 0;
        }
    }
}
