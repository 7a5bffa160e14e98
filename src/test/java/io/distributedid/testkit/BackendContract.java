package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Block;
import io.distributedid.spi.IdSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What every backend promises, on every database it knows. A test class extends this, says how a node is configured,
 * and gets these tests. Servers live as long as the test class; each test uses sequences of its own.
 */
public abstract class BackendContract {

    /** The names of the sequences that are used, separated by commas. */
    protected static final String SEQUENCES = "threads, together, restarts, decoded, narrow, many, blocks, closed";

    private static final int THREADS = 8;

    /**
     * The settings of one node, all of them texts.
     *
     * @param node 0 or 1; two nodes run at the same time
     */
    protected abstract Map<String, String> settings(int node);

    /**
     * The streams of ids in which the ids that one thread gets ascend: 1, or the number of servers if their counters
     * drift apart.
     */
    protected abstract int ascendingStreams();

    /** Whether the backend can give ids for an {@code Integer} property. */
    protected abstract boolean fitsInteger();

    /** How many ids each thread takes. */
    protected int idsEach() {
        return 10_000;
    }

    @Test
    void idsArePositiveAndDistinctOverThreads() throws Exception {
        try (DistributedIds ids = open(0)) {
            List<long[]> taken = take(ids.sequence("threads"), THREADS, idsEach());

            assertDistinct(taken, THREADS * idsEach());
            taken.forEach(this::assertAscending);
        }
    }

    @Test
    void idsAreDistinctOverTwoCompetingNodesThatStartASequenceAtTheSameTime() throws Exception {
        try (DistributedIds first = open(0);
                DistributedIds second = open(1)) {
            IdSource[] nodes = {first.sequence("together"), second.sequence("together")};
            List<long[]> taken = Together.run(THREADS, thread -> take(nodes[thread % nodes.length], idsEach()));

            assertDistinct(taken, THREADS * idsEach());
            taken.forEach(this::assertAscending);
        }
    }

    @Test
    void idsAreDistinctOverRestarts() throws Exception {
        List<long[]> taken = new ArrayList<>();
        for (int start = 0; start < 5; start++) {
            try (DistributedIds ids = open(0)) {
                taken.addAll(take(ids.sequence("restarts"), 2, 100));
            }
        }

        assertDistinct(taken, 5 * 2 * 100);
    }

    @Test
    void everyIdCanBeDecoded() {
        try (DistributedIds ids = open(0)) {
            long id = ids.next("decoded");

            assertThat(ids.decode("decoded", id).id()).isEqualTo(id);
        }
    }

    @Test
    void idsFitAnIntegerOrAreRefusedWhenTheSequenceIsOpened() {
        try (DistributedIds ids = open(0)) {
            if (fitsInteger()) {
                assertThat(ids.sequence("narrow", Integer.MAX_VALUE, "Photo.id").next())
                        .isBetween(1L, (long) Integer.MAX_VALUE);
            } else {
                assertThatThrownBy(() -> ids.sequence("narrow", Integer.MAX_VALUE, "Photo.id"))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("sequence 'narrow' (Photo.id) stores up to 2147483647");
            }
        }
    }

    @Test
    void manyIdsAtOnceAreAsThoseOfManyCalls() {
        try (DistributedIds ids = open(0)) {
            long[] first = ids.next("many", 5_000);
            long between = ids.next("many");
            long[] second = ids.next("many", 1);

            assertThat(LongStream.concat(LongStream.of(first), LongStream.of(between, second[0])))
                    .hasSize(5_002)
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id > 0);
            assertThatThrownBy(() -> ids.next("many", 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The number of ids must lie from 1 to 1000000: seq=many count=0");
        }
    }

    @Test
    void blocksAndSingleIdsAreDistinctOverThreads() throws Exception {
        try (DistributedIds ids = open(0)) {
            IdSource source = ids.sequence("blocks");
            ThreadLocal<Deque<Long>> block = ThreadLocal.withInitial(ArrayDeque::new);
            List<long[]> taken = take(() -> nextOfAllWays(source, block.get()), THREADS, idsEach());

            assertDistinct(taken, THREADS * idsEach());
            assertThatThrownBy(() -> source.nextBlock(0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Takes one id, or a block, whose ids are returned by the next calls. */
    private static long nextOfAllWays(IdSource source, Deque<Long> block) {
        if (!block.isEmpty()) {
            return block.remove();
        }
        int way = ThreadLocalRandom.current().nextInt(3);
        long id = way == 0 ? source.tryNext() : 0;
        if (id != 0 || way == 1) {
            return id != 0 ? id : source.next();
        }
        long wanted = ThreadLocalRandom.current().nextLong(1, 300);
        Block taken = source.tryNextBlock(wanted)
                .orElseGet(() -> source.nextBlock(wanted))
                .block();
        assertThat(taken.count()).isBetween(1L, wanted);
        for (long each = taken.first(); each < taken.last(); each += taken.step()) {
            block.add(each);
        }
        return taken.last();
    }

    @Test
    void aClosedSourceRefusesAndLeavesNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        IdSource source;
        try (DistributedIds ids = open(0)) {
            source = ids.sequence("closed");
            source.next();
        }

        assertThatThrownBy(source::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("closed");
        Set<Thread> ours = new HashSet<>(Thread.getAllStackTraces().keySet());
        ours.removeAll(before);
        ours.removeIf(thread -> !thread.getName().startsWith("distributedid-"));
        for (Thread thread : ours) {
            thread.join(Await.PATIENCE.toMillis());
            assertThat(thread.isAlive()).as(thread.getName() + " still runs").isFalse();
        }
    }

    private DistributedIds open(int node) {
        return DistributedIds.create(PatientSettings.of(settings(node)));
    }

    /** Takes ids with several threads that start together. */
    private static List<long[]> take(IdSource source, int threads, int idsEach) throws Exception {
        return Together.run(threads, thread -> take(source, idsEach));
    }

    private static long[] take(IdSource source, int count) {
        return LongStream.generate(source::next).limit(count).toArray();
    }

    private static void assertDistinct(List<long[]> taken, int expected) {
        long[] all = taken.stream().flatMapToLong(LongStream::of).sorted().toArray();
        assertThat(all).hasSize(expected);
        assertThat(all[0]).isPositive();
        assertThat(LongStream.of(all).distinct().count()).as("distinct ids").isEqualTo(expected);
    }

    private void assertAscending(long[] ids) {
        long[] last = new long[ascendingStreams()];
        for (long id : ids) {
            int stream = (int) (id % last.length);
            assertThat(id).as("ascending").isGreaterThan(last[stream]);
            last[stream] = id;
        }
    }
}
