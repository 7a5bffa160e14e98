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

    /** Never connects, and tells when it is interrupted. */
    private static final class Hanging {

        final CountDownLatch interrupted = new CountDownLatch(1);

        Link<String> connect(Duration timeout) throws SQLException {
            try {
                new CountDownLatch(1).await();
                throw new AssertionError(timeout);
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw new SQLException(e);
            }
        }
    }

    /** Cancels as soon as the thread has started, before its starter goes on. */
    private static final class CancelledAtOnce implements Platform {

        final AtomicReference<BoundedConnect<Link<String>>> connect = new AtomicReference<>();

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
        BoundedConnect<Link<String>> connect = new BoundedConnect<>("a server that hangs", server::connect, platform);
        platform.connect.set(connect);

        assertThatThrownBy(() -> connect.obtain(Duration.ofSeconds(30)))
                .isInstanceOf(SQLException.class)
                .hasMessage("Closed: a server that hangs");
        assertThat(server.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
