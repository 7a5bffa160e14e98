package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BoundedConnectTest {

    /** Never has a connection, and tells when it is interrupted. */
    private static final class Hanging implements BoundedConnect.Lender<String> {

        final CountDownLatch interrupted = new CountDownLatch(1);

        @Override
        public String label() {
            return "a server that hangs";
        }

        @Override
        public String obtain(Duration timeout) throws SQLException {
            try {
                new CountDownLatch(1).await();
                return "";
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw new SQLException(e);
            }
        }

        @Override
        public void release(String connection) {
            throw new AssertionError(connection);
        }
    }

    /** Cancels as soon as the thread has started, before its starter goes on. */
    private static final class CancelledAtOnce implements Platform {

        final AtomicReference<BoundedConnect<String>> connect = new AtomicReference<>();

        @Override
        public long nanoTime() {
            return JVM.nanoTime();
        }

        @Override
        public Thread start(String name, Runnable task) {
            Thread thread = JVM.start(name, task);
            connect.get().cancel();
            return thread;
        }
    }

    @Test
    void aCancelInterruptsAThreadThatHasJustStarted() throws InterruptedException {
        Hanging server = new Hanging();
        CancelledAtOnce platform = new CancelledAtOnce();
        BoundedConnect<String> connect = new BoundedConnect<>(server, platform);
        platform.connect.set(connect);

        assertThatThrownBy(() -> connect.obtain(Duration.ofSeconds(30)))
                .isInstanceOf(SQLException.class)
                .hasMessage("Closed: a server that hangs");
        assertThat(server.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
