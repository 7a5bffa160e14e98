package benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrderTest {

    private static final List<String> ALL = List.of("A", "B", "C");

    @Test
    void everySecondRoundReversesTheOneBefore() {
        Order<String> order = new Order<>(ALL, 1);
        Set<List<String>> seen = new HashSet<>();
        for (int pair = 0; pair < 50; pair++) {
            List<String> first = order.next();
            List<String> reversed = new ArrayList<>(first);
            Collections.reverse(reversed);
            seen.add(first);

            assertThat(first).containsExactlyInAnyOrderElementsOf(ALL);
            assertThat(order.next()).isEqualTo(reversed);
        }
        assertThat(seen).hasSize(6);
    }

    @Test
    void theSameSeedGivesTheSameOrders() {
        assertThat(orders(7)).isEqualTo(orders(7)).isNotEqualTo(orders(8));
    }

    private static List<List<String>> orders(long seed) {
        Order<String> order = new Order<>(ALL, seed);
        List<List<String>> orders = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            orders.add(order.next());
        }
        return orders;
    }
}
