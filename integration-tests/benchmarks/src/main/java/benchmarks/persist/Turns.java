package benchmarks.persist;

import benchmarks.Report;
import benchmarks.Rounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.hibernate.HibernateException;

/** Lets contenders persist in turns, each round in the opposite order of the one before. */
final class Turns implements AutoCloseable {

    private final Map<Contender, Persister> persisters = new EnumMap<>(Contender.class);

    private final ToDoubleFunction<Persister.Spent> cost;

    private final int entities;

    private final int transactions;

    Turns(
            Database database,
            List<Contender> contenders,
            int entities,
            int transactions,
            ToDoubleFunction<Persister.Spent> cost,
            Report report) {
        this.cost = cost;
        this.entities = entities;
        this.transactions = transactions;
        for (Contender contender : contenders) {
            try {
                persisters.put(contender, new Persister(contender, database));
            } catch (HibernateException | LinkageError e) {
                report.say("skipped: %s does not start on this Hibernate: %s", contender.label, e);
            }
        }
    }

    /** Adds rounds of those that started, in entities per second, after some that don't count. */
    Rounds measure(List<Contender> contenders, int warmUp, int count) {
        Rounds rounds = new Rounds();
        List<Contender> order = new ArrayList<>(contenders);
        order.retainAll(persisters.keySet());
        for (int round = -warmUp; round < count; round++) {
            for (Contender contender : order) {
                double rate = turn(contender);
                if (round >= 0) {
                    rounds.add(contender.name(), rate);
                }
            }
            Collections.reverse(order);
        }
        return rounds;
    }

    private double turn(Contender contender) {
        int wanted = entities(contender);
        double sum = 0;
        for (int i = 0; i < transactions; i++) {
            sum += cost.applyAsDouble(persisters.get(contender).persist(wanted));
        }
        return transactions * wanted / sum;
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
