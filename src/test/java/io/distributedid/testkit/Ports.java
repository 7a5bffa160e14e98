package io.distributedid.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of servers. They lie below the range of outgoing connections, and belong to this JVM until it ends: each is a
 * lock on a file that all builds of a user share. So nobody takes the port of a server that is down for a moment, and
 * no two builds choose the same one.
 */
public final class Ports {

    private static final int LOWEST = 20_000;

    private static final int HIGHEST = 32_000;

    /** The locks are held as long as the channels are reachable. */
    private static final Map<Integer, FileChannel> TAKEN = new HashMap<>();

    private Ports() {}

    /** Returns a port that nobody listens at. */
    public static int take() {
        return take(0);
    }

    /** Returns a free port; the port at this distance above it is free too. */
    public static synchronized int take(int distance) {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - distance);
            if (isTaken(port) && (distance == 0 || isTaken(port + distance))) {
                return port;
            }
        }
        throw new IllegalStateException("No free port in " + LOWEST + " to " + HIGHEST);
    }

    private static boolean isTaken(int port) {
        return !TAKEN.containsKey(port) && locks(port) && isFree(port);
    }

    /** Not for a port of ours: to open and close its file would end the lock. */
    private static boolean locks(int port) {
        try {
            Path folder = Files.createDirectories(
                    Path.of(System.getProperty("java.io.tmpdir"), "testkit-ports-" + System.getProperty("user.name")));
            FileChannel channel = FileChannel.open(
                    folder.resolve(Integer.toString(port)), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                channel.close();
                return false;
            }
            TAKEN.put(port, channel);
            return true;
        } catch (IOException e) {
            throw new IllegalStateException("No port can be locked: " + e.getMessage(), e);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
