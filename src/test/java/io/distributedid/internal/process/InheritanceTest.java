package io.distributedid.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.block.FetchThreads;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.spi.ConnectionAccess;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A library thread inherits nothing from the thread that starts it: no security context, no transaction, no class
 * loader.
 */
class InheritanceTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** What a thread sees. */
    private record Seen(Thread thread, @Nullable String user, ClassLoader loader) {}

    private final InheritableThreadLocal<String> user = new InheritableThreadLocal<>();

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    private final URLClassLoader application = new URLClassLoader(new URL[0], before);

    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();

    @BeforeEach
    void beACaller() {
        user.set("alice");
        Thread.currentThread().setContextClassLoader(application);
    }

    @AfterEach
    void beNobody() throws Exception {
        Thread.currentThread().setContextClassLoader(before);
        user.remove();
        application.close();
    }

    private void look() {
        Thread thread = Thread.currentThread();
        seen.add(new Seen(thread, user.get(), thread.getContextClassLoader()));
    }

    private void assertInheritsNothing(String name) throws InterruptedException {
        Seen found = seen.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(found).as(name).isNotNull();
        assertThat(found.thread().getName()).startsWith(name);
        assertThat(found.thread().isDaemon()).isTrue();
        assertThat(found.user()).isNull();
        assertThat(found.loader()).isSameAs(LibraryThread.class.getClassLoader());
    }

    @Test
    void theThreadOfACall() throws Exception {
        LibraryThread.<@Nullable Object>call(() -> {
            look();
            return null;
        });

        assertInheritsNothing("distributedid-call");
    }

    @Test
    void theThreadOfWhatMustBeDone() throws Exception {
        LibraryThread.finish(this::look);

        assertInheritsNothing("distributedid-call");
    }

    @Test
    void theThreadThatConnectsAndThatOfACallAndOfItsEnd() throws Exception {
        try (DedicatedConnection<DedicatedConnection.Session> database =
                new DedicatedConnection<>(new Access(), TIMEOUT, connection -> new Idle())) {
            database.call(session -> {
                look();
                return true;
            });
        }

        assertInheritsNothing("distributedid-connect");
        assertInheritsNothing("distributedid-call");
        assertInheritsNothing("distributedid-call");
    }

    @Test
    void theThreadsThatFetchAndTheTimer() throws Exception {
        try (FetchThreads threads = new FetchThreads()) {
            threads.execute(this::look);
            assertInheritsNothing("distributedid-fetch");
            threads.executeAfter(Duration.ofMillis(1), this::look);
            assertInheritsNothing("distributedid-fetch");
            threads.every(Duration.ofMillis(1), this::look);
            assertInheritsNothing("distributedid-timer");
        }
    }

    @Test
    void aThreadOfANameOfItsOwn() throws Exception {
        Thread thread = LibraryThread.named("distributedid-lease", this::look);
        thread.start();
        thread.join();

        assertInheritsNothing("distributedid-lease");
    }

    private record Idle() implements DedicatedConnection.Session {}

    private final class Access implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            look();
            return DriverManager.getConnection("jdbc:h2:mem:inheritance", new Properties());
        }

        @Override
        public void release(Connection connection) throws SQLException {
            look();
            connection.close();
        }

        @Override
        public String label() {
            return "inheritance";
        }
    }
}
