package benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Who is next in each round: two rounds have opposite orders, A B C and C B A, and each such pair is drawn anew. So each contender follows
 * each other one as often as it goes before it.
 */
public final class Order<T> {

    private final List<T> order;

    private final Random random;

    private boolean isReversed;

    /** The same seed gives the same orders. */
    public Order(List<T> contenders, long seed) {
        order = new ArrayList<>(contenders);
        random = new Random(seed);
    }

    /** Of the next round. */
    public List<T> next() {
        if (isReversed) {
            Collections.reverse(order);
        } else {
            Collections.shuffle(order, random);
        }
        isReversed = !isReversed;
        return List.copyOf(order);
    }
}
