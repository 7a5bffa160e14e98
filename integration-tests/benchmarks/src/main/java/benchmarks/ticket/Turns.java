package benchmarks.ticket;

import benchmarks.IdSet;
import benchmarks.MySql;
import benchmarks.Rounds.Rate;
import io.distributedid.DistributedIds;
import io.distributedid.SequenceStatistics;
import io.distributedid.spi.IdSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Lets contenders take ids in turns, all of them from one server; only the pair has a second one. Connections are open
 * all the time, for the rivals one for each thread.
 */
final class Turns implements AutoCloseable {

    private static final String SEQUENCE = "photos";

    private static final Duration WARM_UP = Duration.ofMillis(250);

    private final MySql server = MySql.start();

    private final MySql second = MySql.start();

    private final DistributedIds block = ours("server", server.url("tickets"));

    private final DistributedIds pair = ours("client", server.url("pair") + "," + second.url("pair"));

    private final List<Connection> callers = new ArrayList<>();

    private final List<Connection> observers = List.of(connect(server), connect(second));

    private final Map<Contender, IdSet> taken = new EnumMap<>(Contender.class);

    private final Duration time;

    Turns(int mostThreads, Duration time) throws IOException, SQLException {
        this.time = time;
        for (int i = 0; i < mostThreads; i++) {
            callers.add(connect(server));
        }
        for (Contender contender : Contender.values()) {
            taken.put(contender, new IdSet());
            for (String ddl : contender.ddl) {
                execute(ddl);
            }
        }
    }

    private static DistributedIds ours(String numbering, String servers) {
        return DistributedIds.create(Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                servers,
                "distributedid.ticket.numbering",
                numbering,
                "distributedid.create_tables",
                true));
    }

    private static Connection connect(MySql to) throws SQLException {
        return DriverManager.getConnection(to.url("ids"));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = observers.get(0).createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Fails if the contender gets an id that it had before, in this turn or an earlier one.
     *
     * @return ids
     */
    Rate take(Contender contender, int threads, Tally tally)
            throws SQLException, InterruptedException, ExecutionException {
        List<Source> sources = sources(contender, threads);
        ServerCounts before = ServerCounts.read(observers);
        Callers.Taken got = Callers.take(sources, WARM_UP, time);
        tally.add(got, before, ServerCounts.read(observers));
        taken.get(contender).addAll(got.ids());
        execute(Contender.CLEAN_UP);
        return got.rate();
    }

    private List<Source> sources(Contender contender, int threads) {
        Source[] sources = new Source[threads];
        if (contender == Contender.BLOCK || contender == Contender.PAIR) {
            IdSource ids = ours(contender).sequence(SEQUENCE);
            Arrays.fill(sources, (Source) ids::next);
        } else {
            for (int i = 0; i < threads; i++) {
                sources[i] = new OneByOne(callers.get(i), contender.draw, contender.answer);
            }
        }
        return List.of(sources);
    }

    private DistributedIds ours(Contender contender) {
        return contender == Contender.PAIR ? pair : block;
    }

    SequenceStatistics statistics(Contender contender) {
        return ours(contender).statistics(SEQUENCE).orElseThrow();
    }

    @Override
    public void close() throws SQLException {
        block.close();
        pair.close();
        for (Connection connection : callers) {
            connection.close();
        }
        for (Connection connection : observers) {
            connection.close();
        }
        server.close();
        second.close();
    }
}
