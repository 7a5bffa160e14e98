package benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order of the contenders in each round. It is drawn at random for the first of two rounds, and reversed for the
 * second: A B C, then C B A. So each contender comes as often before each other as after it.
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
