package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.counter.Witness;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Defects of counters with records that runs have found, and that are not mended yet. Runs leave them out, so that they
 * find others; {@link OpenDefectsTest} shows some of them. Counters on a ledger do not have these.
 */
final class Open {

    private static final long LOST_GENERATIONS = 1_000_000;

    private static final long MAX_DISTANCE = 1_000_000;

    private static final Pattern BEHIND =
            Pattern.compile("too far behind the others: .* id=(\\d+), where another is at id=(\\d+)");

    private static final long BLOCKS_PER_NOTE = 16;

    private static final Duration STALE_LOOK = Duration.ofSeconds(3);

    private Open() {}

    /**
     * A process is refused for a moment, and told to repair, though nothing is wrong; its next attempt succeeds. Two
     * processes use a table first. One sees the last server when the other has opened it, and an earlier one before
     * that.
     */
    static boolean isRefusedForAMoment(DistributedIdException e) {
        return Rule.EMPTY_SERVER.isReasonOf(String.valueOf(e.getMessage()));
    }

    /**
     * A server that was away lies little more than max_distance behind. That is refused until the others' records,
     * which are up to sixteen blocks old, show that they have gone on without it.
     */
    static boolean isBarelyBehind(Setup setup, String message) {
        Matcher ids = BEHIND.matcher(message);
        return ids.find()
                && Long.parseLong(ids.group(2)) - Long.parseLong(ids.group(1))
                        < MAX_DISTANCE + BLOCKS_PER_NOTE * setup.blockMax() * setup.servers();
    }

    /**
     * The library raises a counter by max_distance or more, for a replica, a loss, or what it takes for one (a request
     * that creates a counter is lost). The other servers then lie too far behind for a process that has seen one of
     * them before the raise, or misses an answer: it does not know why.
     */
    static boolean leavesOthersBehind(Setup setup, long raisedBy) {
        return raisedBy >= MAX_DISTANCE && setup.blockMax() < MAX_DISTANCE / 100;
    }

    /**
     * A counter was set back, and the largest id in use, which the operator names, is not above all counters. The
     * repair takes that for a counter that has lost nothing, and does not raise it above the ids that processes have
     * reserved: they are given twice. So operators name an id above all counters.
     */
    static long namedByOperator(Scene scene, String sequence) {
        return 1
                + scene.listed().stream()
                        .map(each ->
                                each.stored().row(scene.setup().key(sequence).key()))
                        .filter(Objects::nonNull)
                        .reduce(scene.judge().highest(scene.age(), sequence), Math::max);
    }

    /**
     * The only server loses its record, or goes back to one of before its last repair. The next repair gives it a
     * generation that is not above the one that processes know: they refuse the counter until they are started again.
     */
    static boolean isNeverForgiven(Scene scene, Stored now, Stored after) {
        return scene.setup().servers() == 1
                && now.records().entrySet().stream()
                        .anyMatch(each -> each.getValue().generation() >= LOST_GENERATIONS
                                && after.generation(each.getKey())
                                        < each.getValue().generation());
    }

    /**
     * A counter is created while another server does not answer, and notes that it is "not created" there, though it
     * is. If that server loses it before a process has seen both, the note permits to create it anew; a ticket table
     * begins with 1 again. So does a counter that is created after the loss: of the servers that lack it, one may have
     * lost it, as a third one notes.
     */
    static boolean isMarkedThoughThere(Scene scene, MemoryServer server, Stored after, MemoryKey key) {
        return !after.records().containsKey(key.key())
                && scene.listed().stream().filter(each -> each != server).anyMatch(each -> {
                    Witness note = each.stored().witnesses(key.key()).get(scene.offset(server));
                    boolean isCreated = each.stored().records().containsKey(key.key());
                    return !isCreated || (note != null && note.isNotCreated());
                });
    }

    /**
     * A server loses counters while a process raises them: the raise creates them anew, under a new generation and
     * above what it was told, which is not above what others have reserved. Ids are given twice. So does a process that
     * stood still between its look at the others and the creation.
     */
    static boolean isChangedMeanwhile(Scene scene) {
        return scene.isRaising()
                || scene.applications().stream().anyMatch(each -> each.host().stoodStillWithin(STALE_LOOK));
    }

    /**
     * A process that left a server out after an error, and has drawn nothing there since, does not look at it when it
     * looks at another one: what the first one's record notes of the other does not show that the other went back.
     */
    static boolean asksForNotes(Scene scene, MemoryServer server) {
        return scene.applications().stream().noneMatch(each -> scene.network().mayLeaveOut(each.host(), server));
    }

    /**
     * Two lists of one length that share the first server: [a, b] and [a, c]. Both first uses end well, and b and c
     * give the same ids.
     */
    static Scenario listsThatShareAServer(boolean isLedger, long seed) {
        return plain(
                isLedger,
                seed,
                3,
                new Processes.Takes(0, 0, List.of(0, 1), 1, 40, 1, 1, false, 1, false),
                new Processes.Takes(0, 1, List.of(0, 2), 1, 40, 1, 1, false, 1, false));
    }

    /** Processes that start at once create a counter on two servers. */
    static Scenario startsAtOnce(boolean isLedger, long seed) {
        return plain(
                isLedger,
                seed,
                2,
                new Processes.Takes(0, 0, List.of(0, 1), 1, 6, 1, 1, false, 1, false),
                new Processes.Takes(0, 1, List.of(0, 1), 1, 6, 1, 1, false, 1, false),
                new Processes.Takes(0, 2, List.of(0, 1), 1, 6, 1, 1, false, 1, false));
    }

    /** A process holds reserved ids when the counter is set back to the last id that was given, and repaired. */
    static Scenario repairedWithoutMargin(boolean isLedger, long seed) {
        return plain(
                isLedger,
                seed,
                1,
                new Processes.Takes(0, 0, List.of(0), 1, 6, 1, 1, false, 1, false),
                new Losses.IsSetBackToLastGiven(5_000, 0),
                new Operators.Runs(5_100, Operators.Command.REPAIR, true, 0));
    }

    /** The counter of a server that stands alone is set back while no process runs: the next one gives ids again. */
    static Scenario counterSetBackMeanwhile(boolean isLedger, long seed) {
        return plain(
                isLedger,
                seed,
                1,
                new Processes.Takes(0, 0, List.of(0), 1, 40, 1, 1, false, 1, true),
                new Losses.IsSetBackUnseen(5_000, 0, 20),
                new Processes.Takes(6_000, 1, List.of(0), 1, 40, 1, 1, false, 1, false));
    }

    /** One sequence, on servers with a sequence table, without requests that go wrong. */
    private static Scenario plain(boolean isLedger, long seed, int servers, Part... parts) {
        return new Scenario(seed, Draft.plain(isLedger, servers, 1), 0, List.of(parts));
    }
}
