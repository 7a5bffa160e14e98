package benchmarks.keyed;

import benchmarks.MySql;
import benchmarks.http.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Issuing services that give the numbers of {@value #SECTIONS} sections, with a durable MySQL as their store: how long
 * keys have no numbers when the sections get another owner. Each server is a process of its own.
 */
final class SectionMoves {

    static final int SECTIONS = 1_000;

    /** Until the compiler of this JVM is done. */
    private static final int FIRST_PROBES = 5;

    private final SectionProbe probe = new SectionProbe(SECTIONS);

    private final String store;

    private SectionMoves(String store) {
        this.store = store;
    }

    /**
     * Times in milliseconds, until a number of each section was answered.
     *
     * @param whole of a server that was stopped and started again, from SIGTERM
     * @param restart of the same, from when it listens
     * @param afterTerm of another server, from SIGTERM to the owner
     * @param afterStop of the same, from when the former owner has stopped
     * @param afterKill of another server, from SIGKILL to the owner
     */
    record Times(double whole, double restart, double afterTerm, double afterStop, double afterKill) {}

    static List<Times> measure(int rounds) throws Exception {
        try (MySql mysql = MySql.start()) {
            List<Times> all = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                // A round has a store of its own, whose sections nobody has owned.
                all.add(new SectionMoves(mysql.url("numbers" + round)).round());
            }
            return all;
        }
    }

    private Times round() throws Exception {
        int a = KeyedServer.freePort();
        int b = KeyedServer.freePort();
        long stop;
        try (Server first = start(a)) {
            for (int i = 0; i < FIRST_PROBES; i++) {
                millisUntilAllAnswer(System.nanoTime(), first);
            }
            stop = System.nanoTime();
        }
        try (Server again = start(a)) {
            long listens = System.nanoTime();
            double restart = millisUntilAllAnswer(listens, again);
            double whole = restart + (listens - stop) / 1e6;
            try (Server other = start(b)) {
                long kill = System.nanoTime();
                again.kill();
                double afterKill = millisUntilAllAnswer(kill, other);
                try (Server last = start(a)) {
                    long term = System.nanoTime();
                    CompletableFuture<Long> end = other.terminate();
                    double afterTerm = millisUntilAllAnswer(term, last);
                    double afterStop = Math.max(0, afterTerm - (end.get() - term) / 1e6);
                    return new Times(whole, restart, afterTerm, afterStop, afterKill);
                }
            }
        }
    }

    private Server start(int port) throws Exception {
        return Server.start(KeyedServer.sharing(port, store, SECTIONS));
    }

    private double millisUntilAllAnswer(long begin, Server server) throws Exception {
        return probe.millisUntilAllAnswer(begin, server.target().port());
    }
}
