package io.distributedid.internal.keyed.owner;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.keyed.owner.SectionStore.Write;
import io.distributedid.internal.keyed.section.KeyMemory;
import io.distributedid.internal.keyed.section.Section;
import io.distributedid.internal.keyed.section.SectionProtocol;
import io.distributedid.internal.keyed.section.SectionSpread;
import io.distributedid.internal.tenure.TenureRequest;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureState;
import io.distributedid.internal.tenure.TenureStoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@link SectionProtocol} and {@link SectionSpread} for all sections of a sequence in this process. For one
 * thread at a time.
 *
 * <p>A round is: {@link #read} all rows in one trip; {@link #publish}; {@link #decide} what to send; publish again,
 * since a section that is handed over must give no number any more; {@link #send} all in one trip or a few; publish.
 */
final class SectionClient {

    private final SectionStore store;

    private final SectionOptions options;

    private final String sequence;

    private final SectionProtocol protocol;

    private final LongSupplier nanoTime;

    private final Supplier<String> tokens;

    private final KeyMemory memory;

    private final SectionSeat[] seats;

    /** What each section has learnt last. */
    private final TenureState[] published;

    private final Members members;

    private final KnownRows known;

    private boolean hasRead;

    private @Nullable IdConfigurationException refusal;

    /** The section that was handed over last. */
    private OptionalInt moved = OptionalInt.empty();

    private List<Write> writes = List.of();

    private boolean mustRead = true;

    /**
     * @param known of the rows, by this process
     * @param memory for the keys of all sections
     * @param nanoTime a monotonic clock
     * @param tokens random, no two equal
     * @param raise called when a caller's number needs a larger {@code max} soon
     */
    SectionClient(
            SectionStore store,
            SectionOptions options,
            String sequence,
            KnownRows known,
            KeyMemory memory,
            LongSupplier nanoTime,
            Supplier<String> tokens,
            Runnable raise) {
        this.store = store;
        this.options = options;
        this.sequence = sequence;
        this.protocol = options.protocol();
        this.known = known;
        this.memory = memory;
        this.nanoTime = nanoTime;
        this.tokens = tokens;
        seats = IntStream.range(0, options.sections())
                .mapToObj(index ->
                        new SectionSeat(protocol, new Section(protocol, memory, nanoTime, raise), known, index))
                .toArray(SectionSeat[]::new);
        published = new TenureState[seats.length];
        Arrays.fill(published, TenureState.EMPTY);
        members = new Members(protocol.tenure(), options.address());
    }

    Section section(int index) {
        return seats[index].section();
    }

    /** Whether {@link #decide} needs a {@link #read} before. */
    boolean mustRead() {
        return mustRead;
    }

    /**
     * Reads all rows. Writes the first ones of a sequence that was never used.
     *
     * @throws IdConfigurationException if they are not those of the settings; until that changes, this process gives no
     *     numbers
     */
    void read() throws TenureStoreException, InterruptedException {
        mustRead = true;
        writes = List.of();
        try {
            Map<Integer, TenureRow> rows = store.read(sequence);
            if (rows.isEmpty() && known.record() == null) {
                store.create(sequence, SectionRecord.firstRows(seats.length, tokens.get()));
                rows = store.read(sequence);
            }
            learn(rows, nanoTime.getAsLong());
            refusal = null;
        } catch (IdConfigurationException e) {
            refusal = e;
            throw e;
        }
        mustRead = false;
    }

    private void learn(Map<Integer, TenureRow> rows, long answered) {
        known.record(SectionRecord.require(rows, seats.length, known.record(), where()));
        hasRead = true;
        for (int section = 0; section < seats.length; section++) {
            seats[section].read(Objects.requireNonNull(rows.get(section)), answered);
        }
        members.read(rows, answered);
    }

    String where() {
        return "seq=" + sequence + ", " + store.label();
    }

    /** Lets calls use what was learnt. */
    void publish() {
        for (int section = 0; section < seats.length; section++) {
            TenureState now = refusal != null ? TenureState.EMPTY : seats[section].view();
            if (!now.equals(published[section])) {
                published[section] = now;
                seats[section].section().learn(now);
            }
        }
    }

    /** The state of a section that was published last. */
    TenureState published(int section) {
        return published[section];
    }

    /** Lets no call have a number any more. */
    void publishNothing() {
        for (int section = 0; section < seats.length; section++) {
            published[section] = TenureState.EMPTY;
            seats[section].section().learn(TenureState.EMPTY);
        }
    }

    /** Collects all requests that are due. {@link #publish} before they are sent. */
    void decide() {
        String token = tokens.get();
        long now = nanoTime.getAsLong();
        Set<String> live = members.live(now);
        List<@Nullable String> owners = owners(now);
        if (members.isSeated()) {
            handOverOne(owners, live, token, now);
        }
        if (memory.isScarce()) {
            dropKeys();
        }
        List<Write> due = new ArrayList<>();
        for (int section = 0; section < seats.length; section++) {
            boolean mayClaim =
                    members.isSeated() && SectionSpread.mayClaim(options.address(), section, owners.get(section), live);
            TenureRequest request = seats[section].due(mayClaim, options.address(), token, now);
            if (request != null) {
                due.add(new Write(section, request));
            }
        }
        due.addAll(members.due(token, now));
        writes = due;
    }

    private List<@Nullable String> owners(long now) {
        List<@Nullable String> owners = new ArrayList<>();
        for (SectionSeat seat : seats) {
            owners.add(seat.owner(options.address(), now));
        }
        return owners;
    }

    private void handOverOne(List<@Nullable String> owners, Set<String> live, String token, long now) {
        OptionalInt next = SectionSpread.handOver(options.address(), owners, live, moved);
        if (next.isPresent() && seats[next.getAsInt()].canLeave()) {
            moved = next;
            seats[next.getAsInt()].leave(token, now);
        }
    }

    /** Those of the section that has most. */
    private void dropKeys() {
        Stream.of(seats)
                .filter(SectionSeat::isHeld)
                .map(SectionSeat::section)
                .max(Comparator.comparingLong(Section::keyBytes))
                .ifPresent(Section::dropKeys);
    }

    /** Sends what was decided. */
    void send() throws TenureStoreException, InterruptedException {
        List<Write> sent = writes;
        if (sent.isEmpty()) {
            return;
        }
        writes = List.of();
        mustRead = true;
        List<Boolean> done = store.write(sequence, sent);
        long now = nanoTime.getAsLong();
        boolean all = true;
        for (int i = 0; i < sent.size(); i++) {
            all &= done.get(i);
            if (done.get(i)) {
                done(sent.get(i), now);
            }
        }
        mustRead = !all;
    }

    private void done(Write write, long now) {
        if (write.place() >= 0) {
            seats[write.place()].done(write.request(), now);
        } else {
            members.done(write, now);
        }
    }

    /** Whether the next round is to follow soon: others don't see this process yet, or a request was not answered. */
    boolean isSettling() {
        return mustRead || !members.isSeated();
    }

    /** Hands all sections over. The last call. */
    void leave() throws TenureStoreException, InterruptedException {
        if (mustRead && hasRead) {
            read();
        }
        String token = tokens.get();
        long now = nanoTime.getAsLong();
        List<Write> last = new ArrayList<>();
        for (int section = 0; section < seats.length; section++) {
            seats[section].leave(token, now);
        }
        publishNothing();
        for (int section = 0; section < seats.length; section++) {
            TenureRequest request = seats[section].leaving();
            if (request != null) {
                last.add(new Write(section, request));
            }
        }
        members.leave(token, now).ifPresent(last::add);
        if (!last.isEmpty()) {
            List<Boolean> unused = store.write(sequence, last);
        }
    }

    /** The live owner of each section; empty before the first read. */
    Optional<List<Optional<String>>> owners() {
        return hasRead
                ? Optional.of(owners(nanoTime.getAsLong()).stream()
                        .map(Optional::ofNullable)
                        .toList())
                : Optional.empty();
    }

    /** Why sections have no numbers, whoever owns them; those that have no reason are missing. */
    Map<Integer, String> troubles() {
        Map<Integer, String> troubles = new HashMap<>();
        for (int section = 0; section < seats.length; section++) {
            String trouble = seats[section].trouble();
            if (trouble != null) {
                troubles.put(section, trouble);
            }
        }
        return troubles;
    }
}
