package io.distributedid.internal.keyed.served;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Version;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private final Members members;

    /** The version of the header that was read last; null before the first read. */
    private @Nullable Version header;

    private boolean isRefused;

    /** The section that was handed over last. */
    private OptionalInt moved = OptionalInt.empty();

    private boolean mustRead = true;

    private boolean isStuck;

    /** @param memory for the keys of all sections */
    SectionClient(
            SectionRows rows, SectionOptions options, List<Section> sections, KeyMemory memory, Platform platform) {
        this.rows = rows;
        this.address = options.address();
        this.memory = memory;
        this.platform = platform;
        SectionProtocol protocol = options.protocol();
        for (Section section : sections) {
            String name = rows.section(seats.size());
            SectionSeat seat = new SectionSeat(protocol, section, name);
            seats.add(seat);
            byName.put(name, seat);
        }
        members = new Members(protocol.lease(), rows.header(), address, platform.nanoTime());
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
        try {
            Page page = rows.read(members.names());
            long answered = platform.nanoTime();
            Version found = page.row(rows.header()).version();
            header = found;
            seats.forEach(seat -> seat.read(page, found, answered));
            members.read(page, answered);
            isRefused = false;
        } catch (IdConfigurationException e) {
            isRefused = true;
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
        seats.forEach(each -> each.publish(isRefused));
    }

    /** Lets no call have a number any more. */
    void publishNothing() {
        seats.forEach(each -> each.publish(true));
    }

    /** All requests that are due. {@link #publish} before they are sent. */
    List<Change> decide() {
        Version found = header;
        if (found == null) {
            return List.of();
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
        return due;
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
    void send(List<Change> due) throws SQLException, InterruptedException {
        isStuck = false;
        if (due.isEmpty()) {
            return;
        }
        mustRead = true;
        Set<String> done = rows.write(due);
        long now = platform.nanoTime();
        due.stream().filter(each -> done.contains(each.name())).forEach(each -> done(each, now));
        mustRead = done.size() < due.size() || isUnconfirmed();
        isStuck = done.isEmpty();
    }

    private void done(Change change, long now) {
        SectionSeat seat = byName.get(change.name());
        if (seat == null) {
            members.done(change, now);
        } else {
            seat.done(change, now);
        }
    }

    /** Whether nothing of the last request was done: a transaction may hold its rows for long. */
    boolean isStuck() {
        return isStuck;
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
}
