package io.distributedid.internal.keyed.served;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.LedgerMemory;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Version;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@link SectionProtocol} and {@link SectionSpread} for all sections of a sequence in this process. For one
 * thread at a time.
 *
 * <p>A round is: {@link #read} all rows in one trip; {@link #publish}; {@link #decide} what to send; publish again,
 * since a section that is handed over must give no number any more; {@link #send} all in one trip; publish.
 */
final class SectionClient {

    private final SectionRows rows;

    private final String address;

    private final Platform platform;

    private final KeyMemory memory;

    private final List<SectionSeat> seats = new ArrayList<>();

    private final Map<String, SectionSeat> byName = new HashMap<>();

    /** What each section has learnt last. */
    private final @Nullable Lease[] published;

    private final Members members;

    /** The version of the header that was read last; null before the first read. */
    private @Nullable Version header;

    private @Nullable IdConfigurationException refusal;

    /** The section that was handed over last. */
    private OptionalInt moved = OptionalInt.empty();

    /** By the name of the row. */
    private Map<String, Change> changes = Map.of();

    private boolean mustRead = true;

    /**
     * @param known of the rows, by this process
     * @param memory for the keys of all sections
     * @param raise called when a caller's number needs a larger {@code max} soon
     */
    SectionClient(
            SectionStore store,
            SectionOptions options,
            String sequence,
            LedgerMemory known,
            KeyMemory memory,
            Platform platform,
            Runnable raise) {
        this.rows = new SectionRows(store, sequence, options.sections(), known, platform);
        this.address = options.address();
        this.memory = memory;
        this.platform = platform;
        SectionProtocol protocol = options.protocol();
        for (int index = 0; index < options.sections(); index++) {
            Section section = new Section(protocol, memory, platform, raise);
            SectionSeat seat = new SectionSeat(protocol, section, rows.section(index));
            seats.add(seat);
            byName.put(rows.section(index), seat);
        }
        published = new Lease[seats.size()];
        members = new Members(protocol.lease(), rows.header(), address);
    }

    Section section(int index) {
        return seats.get(index).section();
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
    void read() throws SQLException, InterruptedException {
        mustRead = true;
        changes = Map.of();
        try {
            Page page = rows.read(members.names());
            long answered = platform.nanoTime();
            Version found = page.row(rows.header()).version();
            header = found;
            seats.forEach(seat -> seat.read(page, found, answered));
            members.read(page, answered);
            refusal = null;
        } catch (IdConfigurationException e) {
            refusal = e;
            throw e;
        }
        mustRead = isUnconfirmed();
    }

    private boolean isUnconfirmed() {
        return seats.stream().anyMatch(SectionSeat::isUnconfirmed);
    }

    String where() {
        return rows.where();
    }

    /** Lets calls use what was learnt. */
    void publish() {
        for (int index = 0; index < published.length; index++) {
            publish(index, refusal != null ? null : seats.get(index).view());
        }
    }

    private void publish(int index, @Nullable Lease now) {
        if (!Objects.equals(now, published[index])) {
            published[index] = now;
            section(index).learn(now);
        }
    }

    /** Lets no call have a number any more. */
    void publishNothing() {
        for (int index = 0; index < published.length; index++) {
            publish(index, null);
        }
    }

    /** Collects all requests that are due. {@link #publish} before they are sent. */
    void decide() {
        Version found = header;
        if (found == null) {
            return;
        }
        String token = platform.token();
        long now = platform.nanoTime();
        Set<String> live = members.live(now);
        List<@Nullable String> owners = owners(now);
        if (members.isSeated()) {
            handOverOne(owners, live, token);
        }
        if (memory.isScarce()) {
            dropKeys();
        }
        List<Change> due = new ArrayList<>();
        for (int index = 0; index < seats.size(); index++) {
            boolean mayClaim = members.isSeated() && SectionSpread.mayClaim(address, index, owners.get(index), live);
            seats.get(index).due(mayClaim, found, address, token, now).ifPresent(due::add);
        }
        due.addAll(members.due(token, now));
        changes = byName(due);
    }

    private static Map<String, Change> byName(List<Change> all) {
        Map<String, Change> byName = new LinkedHashMap<>();
        all.forEach(change -> byName.put(change.name(), change));
        return byName;
    }

    private List<@Nullable String> owners(long now) {
        List<@Nullable String> owners = new ArrayList<>();
        for (SectionSeat seat : seats) {
            owners.add(seat.owner(address, now));
        }
        return owners;
    }

    private void handOverOne(List<@Nullable String> owners, Set<String> live, String token) {
        OptionalInt next = SectionSpread.handOver(address, owners, live, moved);
        if (next.isPresent() && seats.get(next.getAsInt()).canLeave()) {
            moved = next;
            seats.get(next.getAsInt()).leave(token);
        }
    }

    /** Those of the section that has most. */
    private void dropKeys() {
        seats.stream()
                .filter(SectionSeat::isHeld)
                .map(SectionSeat::section)
                .max(Comparator.comparingLong(Section::keyBytes))
                .ifPresent(Section::dropKeys);
    }

    /** Sends what was decided. */
    void send() throws SQLException, InterruptedException {
        Map<String, Change> sent = changes;
        if (sent.isEmpty()) {
            return;
        }
        changes = Map.of();
        mustRead = true;
        Set<String> done = rows.write(List.copyOf(sent.values()));
        long now = platform.nanoTime();
        done.forEach(name -> done(Objects.requireNonNull(sent.get(name)), now));
        mustRead = done.size() < sent.size() || isUnconfirmed();
    }

    private void done(Change change, long now) {
        SectionSeat seat = byName.get(change.name());
        if (seat == null) {
            members.done(change, now);
        } else {
            seat.done(change, now);
        }
    }

    /**
     * Whether the next round is to follow soon: others don't see this process yet, or a request is not answered or
     * confirmed.
     */
    boolean isSettling() {
        return mustRead || !members.isSeated();
    }

    /** Hands all sections over. The last call. */
    void leave() throws SQLException, InterruptedException {
        if (mustRead && header != null) {
            read();
        }
        String token = platform.token();
        seats.forEach(seat -> seat.leave(token));
        publishNothing();
        List<Change> last = Stream.concat(
                        seats.stream().flatMap(seat -> seat.leaving().stream()), members.leave(token).stream())
                .toList();
        if (!last.isEmpty()) {
            Set<String> unused = rows.write(last);
        }
    }

    /** The live owner of each section; empty before the first read. */
    Optional<List<Optional<String>>> owners() {
        return header == null
                ? Optional.empty()
                : Optional.of(owners(platform.nanoTime()).stream()
                        .map(Optional::ofNullable)
                        .toList());
    }

    /** Why sections have no more numbers, whoever owns them; those that have no reason are missing. */
    Map<Integer, String> troubles() {
        Map<Integer, String> troubles = new HashMap<>();
        for (int index = 0; index < seats.size(); index++) {
            int section = index;
            seats.get(index).exhausted().ifPresent(reason -> troubles.put(section, reason));
        }
        return troubles;
    }
}
