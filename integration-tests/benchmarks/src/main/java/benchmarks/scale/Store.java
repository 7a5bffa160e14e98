package benchmarks.scale;

import benchmarks.Counters;
import io.distributedid.DistributedIds;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Where blocks of a thousand sequences come from. */
enum Store {
    TICKET("ticket pair") {
        @Override
        Sequences open(List<String> servers) {
            return ours("ticket", servers);
        }
    },
    SEQUENCE_TABLE("sequence table") {
        @Override
        Sequences open(List<String> servers) {
            return ours("sequence_table", servers);
        }
    },
    COSID("CosId SegmentChainId") {
        @Override
        Sequences open(List<String> servers) {
            return new CosIdSequences(servers.get(0));
        }
    };

    final String label;

    Store(String label) {
        this.label = label;
    }

    /** Opens none of the sequences yet. */
    abstract Sequences open(List<String> servers);

    /** As the lines of the report call it. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static Sequences ours(String backend, List<String> servers) {
        DistributedIds ids = DistributedIds.create(Counters.settings(backend, servers));
        return new Sequences() {

            @Override
            public List<LongSupplier> open(List<String> names) {
                ids.admin().prepare(names);
                return names.stream()
                        .map(ids::sequence)
                        .<LongSupplier>map(source -> source::next)
                        .toList();
            }

            @Override
            public void close() {
                ids.close();
            }
        };
    }

    /** Sequences of one store. */
    interface Sequences extends AutoCloseable {

        /** In the order of their names. */
        List<LongSupplier> open(List<String> names);

        @Override
        void close();
    }
}
