package io.distributedid.internal.keyed.served;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.lease.LeaseLoop;
import io.distributedid.internal.lease.Look;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@link SectionProtocol} and {@link SectionSpread} for all sections of a sequence in this process: each is
 * a {@link Right} of a {@link SectionSeat}. For one thread at a time, but for {@link #table} and {@link #forget}.
 *
 * <p>A step is: {@link #read} all rows in one trip, every 200 ms; {@link #publish}; {@link #decide} what to send;
 * publish again, since a section that is handed over must give no number any more; {@link #send} all in one trip;
 * publish.
 */
final class SectionClient implements LeaseLoop.Work {

    /** The pause before a step that could follow at once. */
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final SectionRows rows;

    private final String address;

    private final Platform platform;

    private final KeyMemory memory;

    private final Runnable changed;

    private final Map<String, SectionSeat> seats = new LinkedHashMap<>();

    private final Members members;

    /** Null before the first read. */
    private @Nullable Look look;

    private long lastRead;

    private boolean isRefused;

    /** The section that was handed over last. */
    private OptionalInt moved = OptionalInt.empty();

    private boolean mustRead = true;

    private boolean isStuck;

    private volatile @Nullable SectionTable table;

    /** Held while sections learn. */
    private final ReentrantLock lock;

    /** Guarded by the lock. */
    private boolean isForgotten;

    /**
     * @param memory for the keys of all sections
     * @param changed called whenever calls may be answered, or refused; must not wait
     */
    SectionClient(
            SectionRows rows,
            SectionOptions options,
            List<Section> sections,
            KeyMemory memory,
            Platform platform,
            Runnable changed) {
        this.rows = rows;
        this.address = options.address();
        this.memory = memory;
        this.platform = platform;
        this.changed = changed;
        SectionProtocol protocol = options.protocol();
        for (Section section : sections) {
            String name = rows.section(seats.size());
            seats.put(name, SectionSeat.of(protocol, section, name, address));
        }
        members = new Members(protocol.lease(), rows.header(), address, platform.nanoTime());
        lastRead = platform.nanoTime() - LeaseLoop.POLL_NANOS;
        lock = platform.lock();
    }

    @Override
    public void step(boolean isWanted) throws SQLException, InterruptedException {
        if (isSettling() || platform.nanoTime() - lastRead >= LeaseLoop.POLL_NANOS) {
            lastRead = platform.nanoTime();
            try {
                read();
            } finally {
                publish();
            }
        }
        List<Change> due = decide();
        publish();
        send(due);
        publish();
    }

    @Override
    public long pauseNanos() {
        long pause = !isStuck && isSettling() ? SHORT_NANOS : LeaseLoop.POLL_NANOS;
        return lastRead + pause - platform.nanoTime();
    }

    /** Whether nothing of the last request was done: a transaction may hold its rows for long. */
    @Override
    public boolean isStuck() {
        return isStuck;
    }

    /**
     * Whether the next step is to read, and to follow soon: others don't see this process yet, or a request is not
     * answered or confirmed.
     */
    private boolean isSettling() {
        return mustRead || !members.isSeated();
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
            Look found = new Look(page.row(rows.header()), page, 0, answered, "");
            look = found;
            seats.values().forEach(seat -> seat.right().read(found));
            members.read(page, answered);
            isRefused = false;
        } catch (IdConfigurationException e) {
            isRefused = true;
            throw e;
        }
        mustRead = isUnconfirmed();
    }

    private boolean isUnconfirmed() {
        return seats.values().stream().anyMatch(SectionSeat::isUnconfirmed);
    }

    /** Lets calls use what was learnt. */
    void publish() {
        lock.lock();
        try {
            seats.values().forEach(seat -> seat.publish(isRefused || isForgotten));
            if (look != null) {
                note(owners(platform.nanoTime()).stream()
                        .map(Optional::ofNullable)
                        .toList());
            }
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    private void note(List<Optional<String>> owners) {
        SectionTable before = table;
        if (before == null || !before.owners().equals(owners)) {
            table = new SectionTable(before == null ? 1 : before.version() + 1, address, owners);
        }
    }

    /** Who owns what; empty before the first read. */
    Optional<SectionTable> table() {
        return Optional.ofNullable(table);
    }

    /** Lets no call have a number any more. By any thread. */
    void forget() {
        lock.lock();
        try {
            isForgotten = true;
            seats.values().forEach(seat -> seat.publish(true));
        } finally {
            lock.unlock();
        }
    }

    /** All requests that are due. {@link #publish} before they are sent. */
    List<Change> decide() {
        Look found = look;
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
        int index = 0;
        for (SectionSeat seat : seats.values()) {
            boolean mayClaim = members.isSeated() && SectionSpread.mayClaim(address, index, owners.get(index), live);
            seat.due(mayClaim, found, token, now).ifPresent(due::add);
            index++;
        }
        due.addAll(members.due(token, now));
        return due;
    }

    private List<@Nullable String> owners(long now) {
        List<@Nullable String> owners = new ArrayList<>();
        seats.values().forEach(seat -> owners.add(seat.owner(address, now)));
        return owners;
    }

    private void handOverOne(List<@Nullable String> owners, Set<String> live, String token) {
        OptionalInt next = SectionSpread.handOver(address, owners, live, moved);
        if (next.isPresent()) {
            Right right = List.copyOf(seats.values()).get(next.getAsInt()).right();
            if (!right.isUnanswered()) {
                moved = next;
                right.leave(token);
            }
        }
    }

    /** Those of the section that has most. */
    private void dropKeys() {
        seats.values().stream()
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
        SectionSeat seat = seats.get(change.name());
        if (seat == null) {
            members.done(change, now);
        } else {
            seat.right().done(0, now);
        }
    }

    /** Hands all sections over. The last call. Returns the names of the rows that are free then. */
    Set<String> leave() throws SQLException, InterruptedException {
        if (mustRead && look != null) {
            read();
        }
        String token = platform.token();
        seats.values().forEach(seat -> seat.right().leave(token));
        forget();
        List<Change> last = Stream.concat(
                        seats.values().stream().flatMap(seat -> seat.right().leaving().stream()),
                        members.leave(token).stream())
                .toList();
        return last.isEmpty() ? Set.of() : rows.write(last);
    }
}
