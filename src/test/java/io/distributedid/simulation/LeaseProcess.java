package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseInternals;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.LeaseProtocol.Rule;
import io.distributedid.internal.lease.LeaseRunner;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process with the library's code for leases, and generators as simple as can be. */
final class LeaseProcess implements InstantSource {

    static final String SEQUENCE = "photos";

    static final String BITS = "bits";

    private static final Duration LIMIT = Duration.ofMillis(700);

    /** Of a start: looks at a store that does not answer. */
    private static final Duration LONGEST_START = Duration.ofSeconds(15);

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(4);

    private static final long LEASE = TimeUnit.MILLISECONDS.toNanos(LeaseSetup.STRICT_LEASE_MILLIS);

    /** Values of strict order that a holder asks for at least. */
    private static final long FEW = 20;

    private final LeaseScene scene;

    private final int number;

    private final Host host;

    private final String name;

    /** Who it is in the store; the same for a copy. */
    private final String by;

    private final LeaseLink link;

    private final LeaseRunner runner;

    /** Of strict order: some processes are set up with another lease. */
    private final LeaseProtocol protocol;

    /** How far its wall clock is ahead, in milliseconds. */
    private long clockOffset;

    private @Nullable Right worker;

    private @Nullable Right strict;

    /** No value of the worker number's window at or above this was used. */
    private long unused;

    /** The last id of strict order. */
    private long last;

    private String token = "";

    /** The layout that it began with. */
    private String bits = "";

    /** How often the layout had been changed before. */
    private long changes;

    private boolean isStarted;

    private boolean isClosed;

    LeaseProcess(LeaseScene scene, int number, Host host, LeaseServer server) {
        this.scene = scene;
        this.number = number;
        this.host = host;
        this.by = "process" + number + "life" + scene.nextLife();
        this.name = by;
        this.link = new LeaseLink(scene, by, server);
        this.clockOffset = rightClock(scene);
        long lease = scene.isPeaceful() || !scene.world().once(4) ? LEASE : LEASE / 2;
        this.protocol = new LeaseProtocol(Rule.UNCHANGED, lease);
        this.runner = new LeaseRunner(link, scene.setup().terms(), this, host);
    }

    /** A copy of a process at this moment. */
    private LeaseProcess(LeaseProcess from, Host host) {
        this.scene = from.scene;
        this.number = from.number;
        this.host = host;
        this.by = from.by;
        this.name = "copy of " + from.name;
        this.link = new LeaseLink(scene, by, from.link.leadsTo());
        this.clockOffset = from.clockOffset;
        this.protocol = from.protocol;
        LeaseInternals.Copy copy =
                LeaseInternals.copy(from.runner, link, scene.setup().terms(), this, host);
        this.runner = copy.runner();
        this.worker = from.worker == null ? null : copy.rights().get(from.worker);
        this.strict = from.strict == null ? null : copy.rights().get(from.strict);
        this.unused = from.unused;
        this.last = from.last;
        this.token = from.token;
        this.bits = from.bits;
        this.changes = from.changes;
        this.isStarted = from.isStarted;
    }

    private static long rightClock(LeaseScene scene) {
        long most = scene.setup().skew() / 2 - 60;
        return scene.world().random(-most, most);
    }

    /** Goes on beside this one. */
    LeaseProcess copy() {
        LeaseProcess copy = new LeaseProcess(this, host.copy("copy of " + host));
        List<Right> rights = Stream.of(Optional.ofNullable(worker), Optional.ofNullable(strict))
                .flatMap(Optional::stream)
                .toList();
        for (Right each : rights) {
            for (String row : LeaseInternals.rows(each)) {
                scene.judge().copied(row, by, LeaseInternals.bound(each));
            }
        }
        return copy;
    }

    int number() {
        return number;
    }

    Host host() {
        return host;
    }

    String by() {
        return by;
    }

    LeaseLink link() {
        return link;
    }

    boolean isClosed() {
        return isClosed;
    }

    void setClock(long ahead) {
        clockOffset = ahead;
    }

    void setClockRight() {
        clockOffset = rightClock(scene);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
        scene.world().step(scene.world().random(0, 2_000));
        return scene.time() + clockOffset;
    }

    /** Ids may run ahead as far as windows. */
    private final class Strict implements Right.Claims {

        @Override
        public long from(long now) {
            return now;
        }

        @Override
        public long bound(@Nullable Lease held, long from, long now) {
            return Math.max(from + FEW, now + runner.header().orElseThrow().window());
        }
    }

    /** Calls the library, and judges how that ends. Empty if it was refused. */
    private <T> Optional<T> call(String what, Duration limit, Supplier<T> work) {
        long began = scene.world().now();
        long paused = host.pausedFor();
        Optional<T> result = Optional.empty();
        try {
            result = Optional.of(work.get());
        } catch (DistributedIdException e) {
            if (!isClosed) {
                scene.judge().refused(this, what, e);
            }
        }
        long nanos = scene.world().now() - began - (host.pausedFor() - paused);
        scene.judge().ended(this, what, nanos, limit);
        return result;
    }

    /** Starts: compares the store with what the application's database remembers, then takes rights. */
    boolean start(Duration wait, boolean takesWorker) {
        isStarted = call("start", LONGEST_START.plus(wait), () -> {
                    token = runner.token();
                    if (!token.equals(scene.token())) {
                        throw new IdUnavailableException("The application's database remembers another store than "
                                + token + ": " + scene.token());
                    }
                    requireLayout();
                    if (scene.setup().isStrict()) {
                        strict = Right.exclusive(StoreHeader.STRICT, new Strict(), protocol.lease(), by);
                        runner.take(strict, wait);
                    }
                    if (takesWorker) {
                        worker = Right.worker(new Right.Numbers(0, scene.setup().numbers() - 1L), false, by);
                        runner.take(worker, wait);
                    }
                    return true;
                })
                .isPresent();
        if (isStarted) {
            scene.world().log(() -> name + " has started");
        } else {
            close(false);
        }
        return isStarted;
    }

    private void requireLayout() {
        changes = changes();
        Row row = runner.layout(SEQUENCE, Fields.NONE.with(BITS, 41));
        bits = row.text().get(BITS).orElseThrow(() -> new Judge.Verdict("A layout was not recorded: " + row));
    }

    private long changes() {
        Row header = scene.store().rows().get(StoreHeader.NAME);
        return header == null ? 0 : LeaseInternals.changes(header);
    }

    /** Whether the layout was changed since it began. */
    boolean isOutdated() {
        return changes < changes();
    }

    /** The layout that it puts into ids. */
    String bits() {
        return bits;
    }

    boolean hasStarted() {
        return isStarted;
    }

    /** Whether the store is not the one that it knows. */
    boolean wasElsewhere() {
        return !token.equals(scene.token());
    }

    boolean hasWorker() {
        return worker != null;
    }

    boolean isActive() {
        Right right = strict;
        Lease held = right == null ? null : right.current();
        return held != null && protocol.isUsable(held, host.nanoTime());
    }

    /** Composes an id. Returns whether it could. */
    boolean compose() {
        Right right = worker;
        if (right == null || isClosed) {
            return false;
        }
        Lease now = right.current();
        if (now == null && isStarted && !scene.mayRightsEnd()) {
            throw new Judge.Verdict("A right has ended early, though nobody else can have it: " + name);
        }
        if (now == null || millis() >= now.bound()) {
            if (scene.isPeaceful()) {
                throw new Judge.Verdict("Nothing is wrong, but a caller waits for a window: " + name);
            }
            Lease spent = now;
            now = call("compose", LIMIT, () -> runner.await(right, spent, LIMIT))
                    .orElse(null);
        }
        if (now == null || isClosed) {
            return false;
        }
        scene.judge().uses(this, now.row().name(), now.from(), now.bound());
        unused = Math.max(unused, scene.world().random(now.from(), now.bound()) + 1);
        return true;
    }

    /** Takes an id in strict order. Returns whether there was one. */
    boolean next() {
        Right right = strict;
        if (right == null || isClosed) {
            return false;
        }
        long began = scene.world().now();
        return call("next", LIMIT.multipliedBy(2), () -> next(right, began)).orElse(false);
    }

    private boolean next(Right right, long began) {
        Lease spent = null;
        for (int i = 0; i < 4; i++) {
            Lease held = runner.await(right, spent, i == 0 ? LIMIT : LIMIT.dividedBy(3));
            long value = Math.max(last + 1, held.from());
            if (isClosed) {
                return false;
            }
            if (value < held.bound()) {
                long ahead = scene.world().once(10) ? scene.world().random(0, held.bound() - value) : 0;
                last = value + ahead;
                value = last;
                scene.world().step(1_000);
                if (protocol.isUsable(held, host.nanoTime())) {
                    scene.judge().given(this, held.row().name(), value, began);
                    return true;
                }
                spent = null;
            } else {
                spent = held;
            }
        }
        return false;
    }

    /** Takes a number for a single use. */
    void burn() {
        long first = scene.setup().numbers();
        call("burn", LONGEST_START, () -> runner.takeForSingleUse(new Right.Numbers(first, first + 1_000)))
                .ifPresent(taken -> scene.judge().burns(this, taken));
    }

    /** @param handsBack whether what is left is given up */
    void close(boolean handsBack) {
        if (isClosed) {
            return;
        }
        isClosed = true;
        scene.world().log(() -> name + (handsBack ? " stops" : " ends without a call"));
        scene.ended(this);
        Map<Right, Long> rest = new LinkedHashMap<>();
        if (handsBack) {
            handBack(worker, unused, rest);
            handBack(strict, last + 1, rest);
        }
        Optional<Boolean> unusedResult = call("close", LONGEST_CLOSE, () -> {
            if (handsBack) {
                runner.release(rest);
            } else {
                runner.abandon();
            }
            return true;
        });
    }

    private void handBack(@Nullable Right right, long from, Map<Right, Long> rest) {
        Lease held = right == null ? null : right.current();
        if (held != null) {
            scene.judge().ends(this, held.row().name(), from);
        }
        if (right != null) {
            rest.put(right, from);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
