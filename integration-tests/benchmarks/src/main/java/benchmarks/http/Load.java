package benchmarks.http;

import benchmarks.Rounds.Rate;
import benchmarks.Stopwatch;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Requests to a running server over {@value #CONNECTIONS} connections, and what they cost it. */
public final class Load {

    private static final int CONNECTIONS = 32;

    /** Until all connections are busy. */
    private static final Duration BEGIN = Duration.ofMillis(200);

    private static final Duration TURN = Duration.ofSeconds(1);

    /** Until the compiler is done: on a busy machine that is a matter of requests, not of time. */
    private static final int WARM_UP_REQUESTS = 300_000;

    /** A warm-up takes at most so many times as long as on an idle machine. */
    public static final int LONGEST_WARM_UP = 3;

    private final Target server;

    private final RequestPath path;

    private final Consumer<Answer> each;

    /**
     * Opens nothing yet.
     *
     * @param each takes each answer, which is valid during the call
     */
    public Load(Target server, RequestPath path, Consumer<Answer> each) {
        this.server = server;
        this.path = path;
        this.each = each;
    }

    /** On new connections. */
    public Requests requests() throws IOException {
        return new Requests(server.port(), path, CONNECTIONS, each);
    }

    /**
     * Sends requests until the server is compiled.
     *
     * @param time that it takes on an idle machine
     */
    public void warmUp(Duration time) throws IOException {
        try (Requests requests = requests()) {
            long answered = 0;
            for (int i = 0; i < LONGEST_WARM_UP && answered < WARM_UP_REQUESTS; i++) {
                answered += requests.flatOut(time);
            }
            requests.settle();
        }
    }

    /**
     * Sends requests flat out for a second.
     *
     * @param perAnswer what an answer brings
     * @return that for each second on the clock, and of the server's CPU time
     */
    public Rate turn(int perAnswer) throws IOException {
        try (Requests requests = requests()) {
            requests.flatOut(BEGIN);
            long start = System.nanoTime();
            Duration cpu = server.cpu();
            long answers = requests.flatOut(TURN);
            double cpuSeconds = server.cpu().minus(cpu).toNanos() / 1e9;
            double seconds = (System.nanoTime() - start) / 1e9;
            requests.settle();
            return new Stopwatch.Spent(seconds, cpuSeconds).rate(answers * (double) perAnswer);
        }
    }
}
