package benchmarks.persist;

import benchmarks.Budget;
import benchmarks.Order;
import benchmarks.Rounds;
import benchmarks.Rounds.Rate;
import benchmarks.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.hibernate.HibernateException;

/** Lets contenders persist in turns, in balanced {@linkplain Order orders}. */
final class Turns implements AutoCloseable {

    /** For rounds that are all wanted, however long they take. */
    private static final Duration ANY = Duration.ZERO;

    private final Map<Contender, Persister> persisters = new EnumMap<>(Contender.class);

    private final int entities;

    private final int transactions;

    Turns(Database database, List<Contender> contenders, int entities, int transactions, Consumer<String> skipped) {
        this.entities = entities;
        this.transactions = transactions;
        for (Contender contender : contenders) {
            try {
                persisters.put(contender, new Persister(contender, database));
            } catch (HibernateException | LinkageError e) {
                skipped.accept("skipped: " + contender.label + " does not start on this Hibernate: " + e);
            }
        }
    }

    /** Adds rounds of those that started, in entities per second, after some that don't count. */
    Rounds measure(List<Contender> contenders, int warmUp, int count) {
        Rounds rounds = new Rounds();
        Budget budget = new Budget(ANY, warmUp + count, warmUp + count);
        measure(contenders, warmUp, budget, 0, (contender, rate) -> rounds.add(contender.name(), rate));
        return rounds;
    }

    /** As above, with a budget that includes the warm-up, and the seed of the orders. */
    void measure(List<Contender> contenders, int warmUp, Budget budget, long seed, BiConsumer<Contender, Rate> each) {
        List<Contender> started = new ArrayList<>(contenders);
        started.retainAll(persisters.keySet());
        Order<Contender> order = new Order<>(started, seed);
        for (int round = 0; budget.begins(); round++) {
            for (Contender contender : order.next()) {
                Rate rate = turn(contender);
                if (round >= warmUp) {
                    each.accept(contender, rate);
                }
            }
        }
    }

    private Rate turn(Contender contender) {
        int wanted = entities(contender);
        Stopwatch.Spent spent = new Stopwatch.Spent(0, 0);
        for (int i = 0; i < transactions; i++) {
            spent = spent.plus(persisters.get(contender).persist(wanted));
        }
        return spent.rate(transactions * wanted);
    }

    /** A round trip for each row: a fifth is enough to know its rate. */
    private int entities(Contender contender) {
        return contender == Contender.IDENTITY ? entities / 5 : entities;
    }

    @Override
    public void close() {
        persisters.values().forEach(Persister::close);
    }
}
