package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.SequenceListener;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Block;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.Await;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FailingCloseTest {

    private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();

    private static final Queue<Thread> FETCHERS = new ConcurrentLinkedQueue<>();

    /** A backend of somebody else's, which fails whatever ends it. */
    public static final class FailingBackendProvider implements BackendProvider {

        public FailingBackendProvider() {}

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public Collection<Setting<?>> settings() {
            return List.of();
        }

        @Override
        public Backend create(BackendContext context) {
            return new EndedBackend(context) {
                @Override
                public void stopWaiting() {
                    throw new IllegalStateException("stopWaiting");
                }

                @Override
                public void abandon() {
                    throw new IllegalStateException("abandon");
                }

                @Override
                public void close() {
                    throw new AssertionError("close");
                }
            };
        }
    }

    /** Another one. */
    public static final class OrderlyBackendProvider implements BackendProvider {

        public OrderlyBackendProvider() {}

        @Override
        public String name() {
            return "orderly";
        }

        @Override
        public Collection<Setting<?>> settings() {
            return List.of();
        }

        @Override
        public Backend create(BackendContext context) {
            return new EndedBackend(context);
        }
    }

    private static class EndedBackend implements Backend {

        private final BackendContext context;

        EndedBackend(BackendContext context) {
            this.context = context;
        }

        @Override
        public IdSource open(Sequence sequence) {
            return context.buffer(sequence, wanted -> {
                FETCHERS.add(Thread.currentThread());
                return new Block(1, 1, wanted);
            });
        }

        @Override
        public DecodedId decode(Sequence sequence, long id) {
            return new DecodedId(id, null, Map.of());
        }

        @Override
        public void stopWaiting() {
            EVENTS.add("stops waiting");
        }

        @Override
        public void abandon() {
            EVENTS.add("abandoned");
        }

        @Override
        public void close() {
            EVENTS.add("closed");
        }
    }

    private final DistributedIds ids = DistributedIds.create(Map.of(
            "distributedid.seq.photos.backend", FailingBackendProvider.class.getName(),
            "distributedid.seq.users.backend", OrderlyBackendProvider.class.getName()));

    @BeforeEach
    void open() {
        EVENTS.clear();
        FETCHERS.clear();
        ids.next("photos");
        ids.next("users");
        ids.addListener(new SequenceListener() {
            @Override
            public void opened(String sequence) {}

            @Override
            public void closed() {
                EVENTS.add("told");
            }
        });
    }

    @Test
    void theOthersAreClosedAndListenersAreToldBeforeTheFirstFailureIsThrown() {
        Throwable failure = catchThrowable(ids::close);

        assertThat(EVENTS).containsExactly("stops waiting", "closed", "told");
        assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessage("stopWaiting");
        assertThat(failure.getSuppressed())
                .singleElement()
                .satisfies(other -> assertThat(other)
                        .hasMessage("Could not end: java.lang.AssertionError: close")
                        .hasCauseInstanceOf(AssertionError.class));
        assertThat(FETCHERS).isNotEmpty();
        Await.until("no thread is left", () -> FETCHERS.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void theOthersAreAbandonedAndResumed() {
        Throwable failure = catchThrowable(ids::suspend);

        assertThat(EVENTS).containsExactly("stops waiting", "abandoned");
        assertThat(failure).hasMessage("stopWaiting");
        assertThat(failure.getSuppressed())
                .singleElement()
                .satisfies(other -> assertThat(other).hasMessage("abandon"));
        ids.resume();
        assertThat(ids.next("users")).isEqualTo(1);
        catchThrowable(ids::close);
    }
}
