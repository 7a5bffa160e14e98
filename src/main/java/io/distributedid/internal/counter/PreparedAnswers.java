package io.distributedid.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What a {@link Preparation} has seen of one counter on its servers, which are trusted since. Not thread-safe.
 *
 * <p>An answer that is a few seconds old is as good as a new one: a draw is refused if the counter's record has changed
 * since, and no process hands ids back at or below the record's floor.
 */
final class PreparedAnswers {

    private static final long MAX_AGE = Duration.ofSeconds(5).toNanos();

    private final List<Seen> answers;

    private final LongSupplier nanoTime;

    private final long answered;

    private int uses;

    /**
     * @param answered when the servers had answered, by {@code nanoTime}
     * @param uses how many times the answers may be used: once for each sequence of the counter
     */
    PreparedAnswers(List<Seen> answers, LongSupplier nanoTime, long answered, int uses) {
        this.answers = List.copyOf(answers);
        this.nanoTime = nanoTime;
        this.answered = answered;
        this.uses = uses;
    }

    /** Takes the answers, unless they are used up, old, from a former connection, or lack a server. */
    <C extends CounterKey> List<Seen> take(List<CounterServer<C>> servers, boolean allMustAnswer) {
        boolean isComplete = servers.stream()
                .filter(server -> allMustAnswer || !server.isLeftOut())
                .allMatch(server -> answers.stream().anyMatch(each -> each.place() == server.place()));
        boolean isCurrent =
                answers.stream().allMatch(each -> servers.get(each.place()).isOnLastConnection(each));
        return uses-- > 0 && isComplete && isCurrent && nanoTime.getAsLong() - answered < MAX_AGE ? answers : List.of();
    }
}
