package io.distributedid.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the tests of a class have started, for {@link StartedServers}. Apart from it, since programs have no JUnit. */
final class ServerScope {

    private static final InheritableThreadLocal<ServerScope> CURRENT = new InheritableThreadLocal<>();

    /** What was started for all tests, and then what was started for one. */
    private final List<AutoCloseable> started = new ArrayList<>();

    private int ofAllTests = -1;

    /** The one of this thread, or of the thread that started it; empty in a program. */
    static Optional<ServerScope> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    static void open() {
        CURRENT.set(new ServerScope());
    }

    static <T extends AutoCloseable> T add(T server) {
        current().ifPresent(scope -> scope.hold(server));
        return server;
    }

    private synchronized void hold(AutoCloseable server) {
        started.add(server);
    }

    /** Forgets a server. */
    synchronized void release(AutoCloseable server) {
        started.removeIf(each -> each == server);
    }

    /** What is started from now on belongs to one test. */
    synchronized void beginTests() {
        if (ofAllTests < 0) {
            ofAllTests = started.size();
        }
    }

    void closeOfTest() throws Exception {
        close(ofAllTests);
    }

    void closeAll() throws Exception {
        CURRENT.remove();
        close(0);
    }

    private synchronized void close(int rest) throws Exception {
        Exception first = null;
        while (started.size() > rest) {
            try {
                started.remove(started.size() - 1).close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
