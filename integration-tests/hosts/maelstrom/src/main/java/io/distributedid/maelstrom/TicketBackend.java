package io.distributedid.maelstrom;

import io.distributedid.DecodedId;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import java.util.Collection;
import java.util.List;

/** A backend of the library whose blocks are those of other nodes. The library buffers them as it does all blocks. */
public final class TicketBackend implements BackendProvider {

    static final Setting<Object> BLOCKS =
            Setting.object("distributedid.maelstrom.blocks", "For tests.", BlockSource.class);

    private record Running(BackendContext context) implements Backend {

        @Override
        public IdSource open(Sequence sequence) {
            return context.buffer(
                    sequence, (BlockSource) sequence.settings().find(BLOCKS).orElseThrow());
        }

        @Override
        public DecodedId decode(Sequence sequence, long id) {
            throw new UnsupportedOperationException("decode");
        }

        @Override
        public void close() {
            // The buffer belongs to its owner.
        }
    }

    @Override
    public String name() {
        return "maelstrom";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return List.of(BLOCKS);
    }

    @Override
    public Backend create(BackendContext context) {
        return new Running(context);
    }
}
