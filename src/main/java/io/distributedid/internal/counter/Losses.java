package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the servers themselves say of ids that one of them has lost, and of the highest id that may be in use. Clients
 * and operators' commands ask the same. {@link Seen#isOther} is a question of its own: a replica may have all ids.
 */
final class Losses {

    private Losses() {}

    /**
     * Whether a server has lost its counter or its record, would give ids at or below its floor, or lies below a
     * witness.
     */
    static boolean hasLost(Seen each, List<Seen> answers) {
        boolean isMissing = each.counter().isPresent() ? each.last().isEmpty() : lacksItsRecord(each, answers);
        return isMissing || isBelowItsFloor(each) || isWitnessedAbove(each, answers);
    }

    /** Whether it {@link #hasLost}, or has taken another server's place. A retired counter gives no ids any more. */
    static boolean mayHaveLost(Seen each, List<Seen> answers) {
        boolean isOther = each.isOther()
                && each.counter().filter(CounterRecord::isRetired).isEmpty();
        return isOther || hasLost(each, answers);
    }

    /** Whether others have a record of the counter, and none permits to create it here. */
    private static boolean lacksItsRecord(Seen each, List<Seen> answers) {
        List<Seen> others =
                answers.stream().filter(other -> other.place() != each.place()).toList();
        return others.stream().anyMatch(other -> other.counter().isPresent())
                && others.stream().noneMatch(other -> marks(other, each));
    }

    /** Whether a server records that the counter is not created yet on another one. */
    static boolean marks(Seen other, Seen each) {
        Witness witness = witness(other, each);
        return witness != null && witness.isNotCreated();
    }

    /** Whether its next id would not lie above its floor: a counter is raised with the floor, and not lowered below. */
    static boolean isBelowItsFloor(Seen each) {
        long floor = floor(each);
        long last = each.lastOrZero();
        return last == 0
                ? floor >= each.numbering().after(0)
                : floor - last - each.slack() >= each.numbering().increment();
    }

    static long floor(Seen each) {
        return each.counter().map(CounterRecord::floor).orElse(0L);
    }

    /**
     * Whether any answer has a witness of this server with a newer generation, or with a higher id of its generation.
     */
    static boolean isWitnessedAbove(Seen each, List<Seen> answers) {
        return answers.stream().anyMatch(other -> isWitnessedAbove(each, witness(other, each)));
    }

    private static boolean isWitnessedAbove(Seen each, @Nullable Witness witness) {
        return witness != null
                && !witness.isNotCreated()
                && (each.generation() < witness.generation()
                        || (each.generation() == witness.generation() && CounterHistory.isBelow(each, witness.last())));
    }

    private static @Nullable Witness witness(Seen other, Seen each) {
        return other.witnesses().get(each.numbering().offset());
    }

    /** The highest id of a server that any of the answers has noted; 0 if none has. */
    static long highestNoted(Seen each, Stream<Seen> answers) {
        return answers.map(other -> witness(other, each))
                .filter(Objects::nonNull)
                .mapToLong(Witness::last)
                .reduce(0, Math::max);
    }

    /**
     * Why a note of a server must not be followed: it lies so far above an id that counters may have reached that it
     * may be left of a counter that was set far ahead by mistake. But its ids may also be in use, so only an operator
     * can tell how far the server must be raised. Empty if there is no such note.
     *
     * @param other whose record is asked
     * @param offset of the server that is noted
     * @param reached the highest id that any counter may have reached, as each says of itself
     */
    static Optional<IdConfigurationException> farNote(
            CounterKey counter, Seen other, long offset, long reached, DriftLimit limit) {
        long counters = Math.max(1, reached);
        return Optional.ofNullable(other.witnesses().get(offset))
                .filter(note -> isFar(note, counters, limit))
                .map(note -> new IdConfigurationException(
                        "A record notes an id so far ahead of all counters that it may be wrong: " + counter + " on "
                                + other.label() + " notes id=" + note.last() + " of the server with offset=" + offset
                                + ", counters id=" + counters + ". Say the largest id in use: "
                                + counter.repairCommand() + " --above ID, allowed: " + counters + " or more"));
    }

    /** Whether a note lies so far above all counters that it may be wrong. */
    static boolean isFar(Witness note, long counters, DriftLimit limit) {
        return note.last() - counters > limit.most();
    }

    /** @throws IdConfigurationException if there is a {@link #farNote} on a server, of any other one */
    static void requireNoFarNote(CounterKey counter, List<Seen> seen, DriftLimit limit) {
        long reached = highestOfCounters(seen);
        for (Seen each : seen) {
            for (long offset : each.witnesses().keySet()) {
                farNote(counter, each, offset, reached, limit).ifPresent(refusal -> {
                    throw refusal;
                });
            }
        }
    }

    /** How far the servers have come, as each says of itself. */
    static long highestOfCounters(List<Seen> seen) {
        return seen.stream()
                .mapToLong(each -> Math.max(each.lastOrZero(), Math.max(floor(each), notedItself(each))))
                .max()
                .orElse(0);
    }

    /** How far a server had come, as clients that drew from it have noted there; 0 if they have not. */
    static long notedItself(Seen each) {
        Witness own = witness(each, each);
        return own == null ? 0 : Math.max(0, own.last());
    }

    /** The highest id that a server, or one that it knows of, may have given, as far as its tables say. */
    static long highest(Seen each) {
        long noted = each.witnesses().values().stream().mapToLong(Witness::last).reduce(0, Math::max);
        return Math.max(Math.max(noted, floor(each)), each.lastOrZero());
    }

    /** For messages: how far a counter has come. */
    static String found(Seen each) {
        return "id=" + each.lastOrZero() + (isBelowItsFloor(each) ? " floor=" + floor(each) : "");
    }
}
