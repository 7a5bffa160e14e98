package io.distributedid.soak.application;

import io.distributedid.BlockStatistics;
import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.soak.application.Board.Field;
import io.distributedid.soak.ledger.Entry;
import io.distributedid.soak.ledger.EntryWriter;
import io.distributedid.soak.ledger.Ledger;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * An application: a process that takes single ids, batches and blocks with a few threads until its standard input ends,
 * at a bounded rate. Each thread writes each call into a file of its own at once. A call that is refused is written
 * too, and the thread goes on. The line {@code anew} tells it that it was resumed from a snapshot.
 */
public final class Application {

    private static final String SEQUENCE = "photos";

    private static final int LARGEST_BATCH = 40;

    private static final int LARGEST_BLOCK = 200;

    private static final int SHORTEST_PAUSE_MICROS = 500;

    private static final int LONGEST_PAUSE_MICROS = 6_000;

    private static final int AFTER_REFUSAL_MILLIS = 50;

    private static final int STATISTICS_MILLIS = 100;

    private final DistributedIds ids;

    private final Board board;

    private final Reasons reasons;

    private final int process;

    private final int counters;

    private volatile boolean isOver;

    private Application(DistributedIds ids, Board board, Reasons reasons, int process, int counters) {
        this.ids = ids;
        this.board = board;
        this.reasons = reasons;
        this.process = process;
        this.counters = counters;
    }

    /** Arguments: settings as the text of a file, folder, number of the process, number of counters, threads. */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[1]);
        int process = Integer.parseInt(args[2]);
        Board board = new Board(ApplicationProcess.board(folder, process));
        try (DistributedIds ids = DistributedIds.builder()
                .settings(JavaProcess.settings(args[0]))
                .clock(() -> Instant.now().plusMillis(board.get(Field.CLOCK_MILLIS)))
                .build()) {
            Heartbeat.start(folder, process);
            new Application(ids, board, new Reasons(folder, process), process, Integer.parseInt(args[3]))
                    .run(folder, Integer.parseInt(args[4]));
        }
    }

    private void run(Path folder, int count) throws IOException, InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EntryWriter writer = new EntryWriter(Ledger.file(folder, process, i));
            SplittableRandom random = new SplittableRandom(process * 31L + i);
            threads.add(new Thread(() -> takeUntilOver(writer, random), "caller " + i));
        }
        Thread statistics = new Thread(this::noteUntilOver, "statistics");
        statistics.setDaemon(true);
        statistics.start();
        threads.forEach(Thread::start);
        obeyInput();
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
        note();
    }

    private void obeyInput() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.equals("anew")) {
                throw new IllegalArgumentException("An unknown command: " + line);
            }
            ids.beginAnew();
        }
    }

    private void takeUntilOver(EntryWriter writer, SplittableRandom random) {
        try (writer) {
            while (!isOver) {
                long begin = System.nanoTime();
                try {
                    List<Entry> entries = take(random, begin);
                    writer.write(entries);
                    entries.forEach(entry -> board.raise(Field.LARGEST, entry.last()));
                    board.count(Field.CALLS);
                    LockSupport.parkNanos(random.nextInt(SHORTEST_PAUSE_MICROS, LONGEST_PAUSE_MICROS) * 1_000L);
                } catch (DistributedIdException e) {
                    long end = System.nanoTime();
                    writer.write(List.of(Entry.refused(begin, end, reasons.numberOf(e), process)));
                    board.count(Field.REFUSALS);
                    Thread.sleep(AFTER_REFUSAL_MILLIS);
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Entry> take(SplittableRandom random, long begin) {
        int dice = random.nextInt(20);
        if (dice == 0) {
            ReservedBlock taken = ids.sequence(SEQUENCE).nextBlock(1 + random.nextInt(LARGEST_BLOCK));
            long end = System.nanoTime();
            return List.of(new Entry(
                    begin,
                    end,
                    taken.block().first(),
                    (int) taken.block().step(),
                    (int) taken.block().count(),
                    process));
        }
        long[] taken =
                dice < 4 ? ids.next(SEQUENCE, 2 + random.nextInt(LARGEST_BATCH)) : new long[] {ids.next(SEQUENCE)};
        return Runs.of(taken, counters, begin, System.nanoTime(), process);
    }

    private void noteUntilOver() {
        while (!isOver) {
            note();
            LockSupport.parkNanos(STATISTICS_MILLIS * 1_000_000L);
        }
    }

    private void note() {
        ids.statistics(SEQUENCE).flatMap(each -> each.blocks()).ifPresent(this::note);
    }

    private void note(BlockStatistics blocks) {
        board.set(Field.RESERVED, blocks.reserved());
        board.set(Field.RESERVE, blocks.reserve());
        board.set(Field.DROPPED, blocks.dropped());
    }
}
