package benchmarks.keyed;

import benchmarks.IdSet;
import benchmarks.http.Answer;
import benchmarks.http.RequestPath;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Reads the number of each answer, and notes it with its key. Fails if a key's number was given before. */
final class TakenNumbers implements Consumer<Answer> {

    private final int keys;

    private final IdSet taken = new IdSet();

    private final LongConsumer read = this::read;

    /** Of the answer: its key, its first number and its last one. */
    private final long[] numbers = new long[3];

    private int count;

    /** @param keys that there are */
    TakenNumbers(int keys) {
        this.keys = keys;
    }

    private void read(long number) {
        if (count < numbers.length) {
            numbers[count] = number;
        }
        count++;
    }

    @Override
    public void accept(Answer answer) {
        count = 0;
        int found = answer.numbers(read);
        long key = numbers[0] - RequestPath.FIRST_KEY;
        long number = numbers[1];
        if (found != numbers.length || key < 0 || key >= keys || number < 1 || number != numbers[2]) {
            throw new IllegalStateException(
                    "An answer must have a key and one number, as first and last: " + answer.text());
        }
        try {
            taken.add(number * keys + key);
        } catch (IllegalStateException e) {
            throw new IllegalStateException("A number was given twice: key=" + numbers[0] + " number=" + number, e);
        }
    }

    /** How many there are. */
    long count() {
        return taken.size();
    }
}
