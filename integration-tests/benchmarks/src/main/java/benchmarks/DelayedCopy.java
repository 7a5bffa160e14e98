package benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * One direction of a connection: each byte arrives a fixed time after it was sent, and all in their order. One thread
 * reads while another waits, so that a long answer is not slower than a short one.
 */
final class DelayedCopy {

    private static final int LARGEST_PIECE = 1 << 16;

    private record Piece(byte[] bytes, long due) {}

    /** Ends the queue. */
    private static final Piece END = new Piece(new byte[0], 0);

    private final BlockingQueue<Piece> onTheWay = new LinkedBlockingQueue<>();

    private final Socket from;

    private final Socket to;

    private final long nanos;

    private final Runnable onSent;

    private final Runnable onArrival;

    /**
     * Copies nothing yet.
     *
     * @param distance the time that a byte takes
     * @param onSent runs when bytes have been read
     * @param onArrival runs just before they are written
     */
    DelayedCopy(Socket from, Socket to, Duration distance, Runnable onSent, Runnable onArrival) {
        this.from = from;
        this.to = to;
        nanos = distance.toNanos();
        this.onSent = onSent;
        this.onArrival = onArrival;
    }

    /** Copies until a side closes its connection; then closes both. */
    void start() {
        daemon(this::read);
        daemon(this::write);
    }

    /** Starts a thread that does not keep the process alive. */
    static void daemon(Runnable task) {
        Thread thread = new Thread(task, "round-trips");
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        byte[] buffer = new byte[LARGEST_PIECE];
        try {
            InputStream in = from.getInputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                onSent.run();
                onTheWay.add(new Piece(Arrays.copyOf(buffer, length), System.nanoTime() + nanos));
            }
        } catch (IOException e) {
            // One side has closed the connection.
        }
        onTheWay.add(END);
    }

    private void write() {
        try (from;
                to) {
            OutputStream out = to.getOutputStream();
            for (Piece piece = onTheWay.take(); piece != END; piece = onTheWay.take()) {
                awaitNanos(piece.due);
                onArrival.run();
                out.write(piece.bytes);
            }
        } catch (IOException e) {
            // One side has closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitNanos(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
