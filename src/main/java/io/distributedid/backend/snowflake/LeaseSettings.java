package io.distributedid.backend.snowflake;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.process.ProcessName;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The settings of leased worker numbers, and of strict order. */
final class LeaseSettings {

    /** The largest {@code snowflake.max_ahead}: how far ids may lie ahead of the clock. */
    static final Duration MOST_AHEAD = ofSeconds(10);

    static final Setting<String> NUMBERS = Setting.text(
                    "distributedid.snowflake.lease.numbers",
                    "The worker numbers that this process may lease, if other processes have fixed numbers at the same"
                            + " time.",
                    "the lowest and the highest number, as in 100-1023")
            .defaultIs("all that fit");

    private static final Setting<Duration> WINDOW = Setting.duration(
            "distributedid.snowflake.lease.window",
            "How far ahead of the clock a process reserves time, in a new store. It is renewed when half of it is over,"
                    + " so the store may be down for the other half. The number of a killed process is free again after"
                    + " one window.",
            ofSeconds(60),
            ofSeconds(1),
            ofHours(24));

    private static final Setting<Duration> MAX_CLOCK_SKEW = Setting.duration(
                    "distributedid.snowflake.lease.max_clock_skew",
                    "How far a local clock may differ from the store's, in a new store: at most a quarter of the window."
                            + " With a larger difference nothing is leased.",
                    ofSeconds(15),
                    ofMillis(1),
                    ofHours(6))
            .defaultIs("a quarter of the window");

    private static final Setting<Duration> WAIT = Setting.duration(
                    "distributedid.snowflake.lease.wait",
                    "How long a start waits for a free number.",
                    ofSeconds(60),
                    Duration.ZERO,
                    ofHours(1))
            .defaultIs("the window");

    private static final Setting<Duration> DURATION = Setting.duration(
            "distributedid.snowflake.lease.duration",
            "How long the active process makes ids without an answer from the store, with snowflake.worker=exclusive. A"
                    + " standby process takes over at most a second later.",
            ofSeconds(5),
            ofSeconds(1),
            ofMinutes(1));

    private static final int OWNER_LENGTH = 200;

    private static final Setting<String> OWNER = Setting.text(
                    "distributedid.snowflake.lease.owner",
                    "The name that standby processes show for this process, with snowflake.worker=exclusive: for"
                            + " example the address at which it gives ids.",
                    "up to " + OWNER_LENGTH + " printable characters of ASCII")
            .defaultIs("host, pid and start of the process");

    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]{1," + OWNER_LENGTH + "}");

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,18})\\s*-\\s*([0-9]{1,18})");

    static final List<Setting<?>> ALL = Stream.concat(
                    Stream.of(
                            CoreSettings.TIMEOUT,
                            CoreSettings.CREATE_TABLES,
                            NUMBERS,
                            WINDOW,
                            MAX_CLOCK_SKEW,
                            WAIT,
                            DURATION,
                            OWNER),
                    LeasePlace.declarations())
            .toList();

    private static final String LEASE = "lease";

    private static final String SINGLE_USE = "single_use";

    private static final String EXCLUSIVE = "exclusive";

    private LeaseSettings() {}

    private static boolean is(Settings settings, String kind) {
        return settings.find(CoreSettings.SNOWFLAKE_WORKER).filter(kind::equals).isPresent();
    }

    /** Whether one process at a time makes ids, without a worker number. */
    static boolean isExclusive(Settings settings) {
        return is(settings, EXCLUSIVE);
    }

    static boolean isSingleUse(Settings settings) {
        return is(settings, SINGLE_USE);
    }

    private static boolean isAnyNumber(Settings settings) {
        return is(settings, LEASE) || isSingleUse(settings) || isExclusive(settings);
    }

    /**
     * Whether the worker is {@code lease}, {@code single_use}, {@code exclusive}, or a fixed number beside a store that
     * is set.
     */
    static boolean isLeased(Settings settings) {
        return settings.find(CoreSettings.SNOWFLAKE_WORKER).isPresent()
                && (isAnyNumber(settings) || LeasePlace.isSet(settings));
    }

    /** As above, of a layout: one without a worker leases nothing, unless it is in strict order. */
    static boolean isLeased(Settings settings, IdLayout layout) {
        return isExclusive(settings) || (layout.has(IdField.WORKER) && isLeased(settings));
    }

    /** Whether the settings or the layout determine the number, be it leased or not: it is not any free one. */
    static boolean isFixed(Settings settings, IdLayout layout) {
        return !isExclusive(settings) && (!layout.has(IdField.WORKER) || !isAnyNumber(settings));
    }

    /** Refuses what has no effect with the kind of worker. */
    static void requireNothingUnused(Settings settings) {
        boolean isExclusive = isExclusive(settings);
        Stream<Setting<?>> unused = isExclusive ? Stream.of(NUMBERS, WAIT) : Stream.of(DURATION, OWNER);
        String why = isExclusive
                ? "nothing with distributedid.snowflake.worker=" + EXCLUSIVE
                        + ", which leases no number; its lease is distributedid.snowflake.lease.duration"
                : "nothing, unless distributedid.snowflake.worker=" + EXCLUSIVE;
        unused.forEach(each -> settings.requireUnset(each, why));
    }

    /** How long the active process makes ids without an answer of the store. */
    static Duration lease(Settings settings) {
        return ofMillis(settings.get(DURATION).toMillis());
    }

    /** Names this process to those that stand by. */
    static String owner(Settings settings) {
        String owner = settings.find(OWNER).orElseGet(ProcessName::ofProcess);
        if (!PRINTABLE.matcher(owner).matches()) {
            throw settings.invalid(OWNER, owner, OWNER.allowed());
        }
        return owner;
    }

    /**
     * What a new store begins with. With a clock further behind, a process might renew only after its number is free.
     */
    static StoreHeader.Terms terms(Settings settings) {
        Duration window = settings.get(WINDOW);
        Duration quarter = window.dividedBy(4);
        Duration skew = settings.get(MAX_CLOCK_SKEW.within(ofMillis(1), quarter).withDefault(quarter));
        return new StoreHeader.Terms(window.toMillis(), skew.toMillis());
    }

    /**
     * Whether the settings say how long windows are.
     *
     * @throws io.distributedid.IdConfigurationException if they say only how far clocks may be apart
     */
    static boolean isWindowGiven(Settings settings) {
        boolean isGiven = settings.given(WINDOW).isPresent();
        if (!isGiven) {
            settings.requireUnset(
                    MAX_CLOCK_SKEW, "a value only together with distributedid.snowflake.lease.window here");
        }
        return isGiven;
    }

    /**
     * Refuses windows that are set, and that the store does not have; and a lease that lasts longer than the store
     * waits once it has lost the row: its ids lie ahead of the clock by the lease and two skews at most.
     *
     * @throws io.distributedid.IdConfigurationException if they differ
     */
    static void requireTerms(Sequence sequence, StoreHeader header, String label) {
        requireSame(sequence, WINDOW, header.window(), label);
        requireSame(sequence, MAX_CLOCK_SKEW, header.skew(), label);
        Settings settings = sequence.settings();
        long longest = LeaseProtocol.HANDBACK_WAIT_MILLIS + header.window() - 2 * header.skew();
        if (isExclusive(settings) && lease(settings).toMillis() > longest) {
            throw settings.invalid(
                    DURATION,
                    lease(settings).toMillis() + "ms",
                    "up to " + longest + "ms with the window of the store: " + label + " window=" + header.window()
                            + "ms. For more, stop all processes, set a longer distributedid.snowflake.lease.window, and"
                            + " run: distributedid init " + sequence.name());
        }
    }

    private static void requireSame(Sequence sequence, Setting<Duration> setting, long stored, String label) {
        Settings settings = sequence.settings();
        if (settings.given(setting).isPresent() && settings.get(setting).toMillis() != stored) {
            throw settings.invalid(
                    setting,
                    settings.get(setting).toMillis() + "ms",
                    stored + "ms, as the store has it: " + label
                            + ". Leave the setting out; or, to change the store, stop all processes, and run with the"
                            + " new setting (max_clock_skew only together with window): distributedid init "
                            + sequence.name());
        }
    }

    /** The first lease setting that two sequences do not have in common. */
    static Optional<Setting<?>> difference(Settings one, Settings other) {
        return ALL.stream()
                .filter(each -> !one.given(each).equals(other.given(each)))
                .findFirst();
    }

    static Duration startWait(Settings settings, StoreHeader header) {
        return settings.get(WAIT.withDefault(ofMillis(header.window())));
    }

    /**
     * How far ids of processes that lease may be apart.
     *
     * @param millis how far their clocks may be
     */
    static Duration skew(Settings settings, long millis) {
        Duration skew = ofMillis(millis);
        // In strict order the next process begins at the bound of the one before, which lies ahead by a lease.
        return isExclusive(settings) ? skew.multipliedBy(2).plus(lease(settings)) : skew;
    }

    static LeasePlace place(Settings settings) {
        Duration timeout = isExclusive(settings)
                ? CoreSettings.timeout(settings, settings.get(DURATION))
                : settings.get(CoreSettings.TIMEOUT);
        return new LeasePlace(settings, settings.get(CoreSettings.CREATE_TABLES), timeout);
    }

    /** The range that is set; empty if none is. */
    static Optional<Right.Numbers> numbers(Settings settings, long maxWorker) {
        return settings.find(NUMBERS).map(text -> {
            Matcher range = RANGE.matcher(text);
            if (range.matches()) {
                long first = Long.parseLong(range.group(1));
                long last = Long.parseLong(range.group(2));
                if (first <= last && last <= maxWorker) {
                    return new Right.Numbers(first, last);
                }
            }
            throw settings.invalid(
                    NUMBERS,
                    text,
                    "the lowest and the highest number of 0 to " + maxWorker + ", as in " + Math.min(100, maxWorker)
                            + "-" + maxWorker);
        });
    }

    /** The ledger with the leases. Empty if nothing is leased from a table in this database. */
    static List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        if (!isLeased(settings)) {
            return List.of();
        }
        LeasePlace place = place(settings);
        return place.isTable() && (!target.isApplications() || place.isApplications())
                ? List.of(new LedgerSql(target.product(), place.table()).schemaObject())
                : List.of();
    }
}
