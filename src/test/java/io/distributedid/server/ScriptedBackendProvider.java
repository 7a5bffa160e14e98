package io.distributedid.server;

import io.distributedid.DecodedId;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Block;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that come when the test lets them: {@code distributedid.backend} is the name of this class. Each test uses
 * sequences of its own.
 */
public final class ScriptedBackendProvider implements BackendProvider {

    static final String NAME = ScriptedBackendProvider.class.getName();

    private static final Map<String, Script> SCRIPTS = new ConcurrentHashMap<>();

    /** What a test does with a sequence. */
    static final class Script implements IdSource {

        private final AtomicLong last = new AtomicLong();

        /** One for each id that a waiting call may return. */
        final Semaphore permits = new Semaphore(0);

        /** The most ids of a block for which a call has waited. */
        volatile long largestBlock = 1;

        /** Ids in memory. */
        final AtomicInteger memory = new AtomicInteger();

        /** One for each id that may be decoded. */
        final Semaphore decodings = new Semaphore(1_000);

        /** One for each comparison with existing ids that may end. */
        final Semaphore comparisons = new Semaphore(1_000);

        /** The comparisons that have begun and not ended. */
        final AtomicInteger comparing = new AtomicInteger();

        /** The calls that wait now. */
        final AtomicInteger waiting = new AtomicInteger();

        /** All calls that had to wait. */
        final AtomicInteger calls = new AtomicInteger();

        /** Thrown by a call that has a permit. */
        volatile RuntimeException failure;

        /** As well. */
        volatile Error error;

        /** Thrown where nothing fails as a rule: by ids in memory, decoding and comparing. */
        volatile Error fault;

        /** Thrown when the sequence is opened. */
        volatile RuntimeException refusal;

        /** Thrown when its backend is closed. */
        volatile RuntimeException closeFailure;

        @Override
        public long next() {
            waiting.incrementAndGet();
            calls.incrementAndGet();
            try {
                permits.acquire();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IdUnavailableException("Interrupted", e);
            } finally {
                waiting.decrementAndGet();
            }
            if (failure != null) {
                throw failure;
            }
            if (error != null) {
                throw error;
            }
            return last.incrementAndGet();
        }

        @Override
        public ReservedBlock nextBlock(long count) {
            long first = next();
            long size = Math.min(count, largestBlock);
            last.addAndGet(size - 1);
            return new ReservedBlock(new Block(first, 1, size), Duration.ZERO);
        }

        @Override
        public long tryNext() {
            throwFault();
            return memory.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? last.incrementAndGet() : 0;
        }

        @Override
        public Optional<ReservedBlock> tryNextBlock(long count) {
            throwFault();
            int taken = (int) Math.min(count, memory.get());
            memory.addAndGet(-taken);
            return taken == 0
                    ? Optional.empty()
                    : Optional.of(new ReservedBlock(new Block(last.getAndAdd(taken) + 1, 1, taken), Duration.ZERO));
        }

        void throwFault() {
            if (fault != null) {
                throw fault;
            }
        }
    }

    /** The script of a sequence, whether it is open or not. */
    static Script script(String sequence) {
        return SCRIPTS.computeIfAbsent(sequence, name -> new Script());
    }

    /** For {@code distributedid.backend}. */
    public ScriptedBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Collection<Setting<?>> settings() {
        return List.of();
    }

    @Override
    public Backend create(BackendContext context) {
        final class Scripted implements Backend, Maintenance {

            private final Set<Script> opened = ConcurrentHashMap.newKeySet();

            @Override
            public IdSource open(Sequence sequence) {
                Script script = script(sequence.name());
                opened.add(script);
                if (script.refusal != null) {
                    throw script.refusal;
                }
                return script;
            }

            @Override
            public DecodedId decode(Sequence sequence, long id) {
                Script script = script(sequence.name());
                script.throwFault();
                script.decodings.acquireUninterruptibly();
                return new DecodedId(id, null, Map.of());
            }

            @Override
            public Map<String, Long> counters(Sequence sequence) {
                script(sequence.name()).throwFault();
                return Map.of();
            }

            @Override
            public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
                Script script = script(sequence.name());
                script.throwFault();
                if (!existing.isEmpty()) {
                    script.comparing.incrementAndGet();
                    script.comparisons.acquireUninterruptibly();
                    script.comparing.decrementAndGet();
                }
            }

            /** As a real one does, ends waits with an error. */
            @Override
            public void close() {
                SCRIPTS.values().forEach(script -> {
                    if (script.waiting.get() > 0) {
                        script.failure = new IdUnavailableException("The source of ids is closed");
                        script.permits.release(1_000);
                    }
                });
                for (Script script : opened) {
                    if (script.closeFailure != null) {
                        throw script.closeFailure;
                    }
                }
            }
        }
        return new Scripted();
    }
}
