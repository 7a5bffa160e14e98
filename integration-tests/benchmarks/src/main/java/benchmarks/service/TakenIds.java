package benchmarks.service;

import benchmarks.IdSet;
import benchmarks.http.Answer;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Reads the ids of answers, and notes those that programs must not give twice. */
final class TakenIds {

    private final Map<Program, IdSet> ids = new EnumMap<>(Program.class);

    /**
     * Reads the answers for a contender. Fails if an answer has another number of ids than was asked for, or one that
     * the same program gave before.
     */
    Consumer<Answer> of(Contender contender) {
        LongConsumer each = contender.program == Program.BARE
                ? constant -> {}
                : ids.computeIfAbsent(contender.program, first -> new IdSet())::add;
        return answer -> {
            int count = answer.numbers(each);
            if (count != contender.ids) {
                throw new IllegalStateException("An answer has " + count + " ids, expected: " + contender.ids + ". "
                        + contender.label + ": " + answer.text());
            }
        };
    }

    /** How many different ids a program gave. */
    long count(Program program) {
        return ids.containsKey(program) ? ids.get(program).size() : 0;
    }
}
