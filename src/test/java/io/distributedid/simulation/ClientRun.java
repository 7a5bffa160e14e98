package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import io.distributedid.backend.remote.MemoryRemote;
import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.block.BlockBuffers;
import io.distributedid.internal.keyed.remote.MemoryKeys;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.MemoryWire;
import io.distributedid.internal.service.ServiceSettings;
import io.distributedid.simulation.ClientScenario.ClientPart;
import io.distributedid.simulation.ClientScenario.ClientPart.Fails;
import io.distributedid.simulation.ClientScenario.ClientPart.GoesBack;
import io.distributedid.simulation.ClientScenario.ClientPart.Lives;
import io.distributedid.simulation.ClientScenario.ClientPart.Resumes;
import io.distributedid.simulation.ClientScenario.ClientPart.Stands;
import io.distributedid.simulation.ClientScenario.ClientPart.TakesOver;
import io.distributedid.simulation.ClientScenario.Wrong;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plays a {@link ClientScenario}. At the end one server is good, and each process must have ids and numbers in time.
 */
final class ClientRun {

    private static final ServiceSettings KEYED = new ServiceSettings(
            Setting.list("distributedid.keyed.remote.servers", "For tests.", ServiceSettings.ADDRESSES),
            Setting.password("distributedid.keyed.remote.token", "For tests."),
            Setting.text("distributedid.keyed.remote.trust", "For tests.", ServiceSettings.CERTIFICATES));

    /** Of a call. */
    private static final Duration LIMIT = Duration.ofMillis(1_500);

    /** A thread may stand still for a moment. */
    private static final long LAG = Duration.ofMillis(100).toNanos();

    /** Of a request. Longer, so that a call must not wait for a server that hangs. */
    private static final Duration TIMEOUT = Duration.ofMillis(2_000);

    private static final long LONGEST = Duration.ofMinutes(1).toNanos();

    private static final long QUIET = Duration.ofSeconds(4).toNanos();

    private static final int KEYS = 3;

    private final ClientScenario scenario;

    private final World world;

    private final Network network;

    private final ClientServices services;

    /** Of keys, and of strict order as one key more. */
    private final KeyJudge judge = new KeyJudge();

    private final Set<Long> ofBlocks = new HashSet<>();

    /** In the order of their start; those that have ended are null. */
    private final List<@Nullable Process> processes = new ArrayList<>();

    private ClientRun(ClientScenario scenario, boolean isLogged) {
        this.scenario = scenario;
        world = new World(scenario.seed(), scenario.setup().switchOneIn(), isLogged);
        network = new Network(world, scenario.setup().troubleOneIn());
        services = new ClientServices(world, network, scenario.setup());
    }

    static Script.Outcome of(ClientScenario scenario, boolean isLogged) {
        ClientRun run = new ClientRun(scenario, isLogged);
        return Script.Outcome.of(run.world, run::play, () -> {}, () -> run.judge.count() + run.ofBlocks.size());
    }

    /** A process with the library's code. */
    private final class Process implements MemoryWire.Outside, Platform, BackendContext {

        private final Host host;

        private final KeyedSource keys;

        private final List<BlockBuffer> buffers = new ArrayList<>();

        private @Nullable Backend backend;

        private @Nullable Backend former;

        private @Nullable IdSource blocks;

        private @Nullable IdSource strict;

        private boolean isOver;

        Process(int number) {
            host = new Host(world, "process " + number);
            ServiceSettings.Service service =
                    new ServiceSettings.Service(services.addresses(), Optional.empty(), Optional.empty(), TIMEOUT);
            keys = MemoryKeys.of(MemoryWire.pool(KEYED, service, this, this));
        }

        /**
         * Opens all, unless it is of another place or kind: the application remembers its token, and knows its kinds.
         */
        private boolean open() {
            Backend made = MemoryRemote.backend(this, this, this);
            try {
                IdSource first = made.open(sequence(ClientServices.BLOCKS));
                IdSource second = made.open(sequence(ClientServices.STRICT));
                boolean isRight = first instanceof BlockBuffer
                        && !(second instanceof BlockBuffer)
                        && List.of(ClientServices.BLOCKS, ClientServices.STRICT).stream()
                                .allMatch(each -> Maintenance.of(made)
                                        .token(sequence(each))
                                        .equals(Optional.of(ClientServices.TOKEN)));
                if (isRight) {
                    blocks = first;
                    strict = second;
                    backend = made;
                    return true;
                }
            } catch (DistributedIdException e) {
                world.log(() -> "can't open: " + e.getMessage());
            }
            close(made);
            return false;
        }

        private void close(Backend which) {
            List<BlockBuffer> open = List.copyOf(buffers);
            buffers.clear();
            BlockBuffers.close(open);
            which.close();
        }

        /** Opens, after a pause if that fails. */
        void start() {
            while (!isOver && !open()) {
                world.sleep(100_000_000);
            }
        }

        void resume() {
            if (backend != null && !isOver) {
                world.log(() -> host + " resumes");
                former = backend;
                blocks = null;
                strict = null;
                close(backend);
                start();
            }
        }

        void work() {
            while (!isOver) {
                boolean unused = take(world.random(3));
                world.sleep(world.random(0, 120_000_000));
            }
        }

        /** Returns whether there was an id or a number. */
        boolean take(int kind) {
            long began = world.now();
            long paused = host.pausedFor();
            long moment = judge.begin();
            boolean isGiven;
            try {
                isGiven =
                        kind == 0 ? takeOfBlocks() : kind == 1 ? takeStrict(began, moment) : takeNumbers(began, moment);
            } catch (DistributedIdException e) {
                world.log(() -> "gets nothing: " + e.getMessage());
                isGiven = false;
            }
            long time = world.now() - began - (host.pausedFor() - paused);
            if (time > LIMIT.toNanos() + LAG) {
                throw new Judge.Verdict("A call takes too long: " + time / 1_000_000 + " ms, kind=" + kind);
            }
            return isGiven;
        }

        private boolean takeOfBlocks() {
            IdSource source = blocks;
            if (source == null) {
                return false;
            }
            long id = source.next();
            world.log(() -> "gives " + ClientServices.BLOCKS + " " + id);
            requireOwn(id);
            if (!ofBlocks.add(id)) {
                throw new Judge.Verdict("An id was given twice: " + id + " by " + host);
            }
            return true;
        }

        private boolean takeStrict(long began, long moment) {
            IdSource source = strict;
            if (source == null) {
                return false;
            }
            long id = source.next();
            world.log(() -> "gives " + ClientServices.STRICT + " " + id);
            requireOwn(id);
            requireSent(ClientServices.STRICT, id, began);
            judge.given(host, -1, id, 1, moment);
            return true;
        }

        private boolean takeNumbers(long began, long moment) {
            int key = world.random(KEYS);
            int count = world.once(4) ? 1 + world.random(20) : 1;
            long last = keys.ask(ClientServices.KEYED, Integer.toString(key), count, began, LIMIT)
                    .await(this, LIMIT.toNanos(), "a number");
            world.log(() -> "gives " + count + " numbers of " + key + " up to " + last);
            requireSent("key " + key, last, began);
            judge.given(host, key, last, count, moment);
            return true;
        }

        private void requireOwn(long id) {
            if (id >= ClientServices.STRANGE) {
                throw new Judge.Verdict("An id comes from another place or in another way: " + id);
            }
        }

        private void requireSent(String of, long id, long began) {
            if (services.sentAt(of, id) < began) {
                throw new Judge.Verdict("A call gets what was asked for before it began: " + of + " " + id);
            }
        }

        void end(boolean isKilled) {
            world.log(() -> host + (isKilled ? " is killed" : " stops"));
            isOver = true;
            processes.set(processes.indexOf(this), null);
            if (isKilled) {
                host.kill();
                return;
            }
            keys.close();
            if (backend != null) {
                close(backend);
            }
        }

        private Sequence sequence(String name) {
            String servers = services.addresses().stream().map(URI::toString).collect(Collectors.joining(","));
            return new Sequence(
                    name,
                    Long.MAX_VALUE,
                    "Entity.id",
                    Settings.of(Map.of(
                            "distributedid.remote.servers",
                            servers,
                            "distributedid.timeout",
                            TIMEOUT.toMillis() + "ms",
                            "distributedid.block.min",
                            1,
                            "distributedid.block.max",
                            30,
                            "distributedid.block.max_age",
                            "3s",
                            "distributedid.block.timeout",
                            LIMIT.toMillis() + "ms")));
        }

        @Override
        public IdSource buffer(Sequence sequence, BlockSource source) {
            BlockBuffer buffer = new BlockBuffers(host, opened -> {}, host).buffer(sequence, source);
            buffers.add(buffer);
            return buffer;
        }

        @Override
        public Optional<Backend> former() {
            return Optional.ofNullable(former);
        }

        @Override
        public InstantSource clock() {
            throw new UnsupportedOperationException("A client of a service needs none");
        }

        @Override
        public Optional<ConnectionAccess> applicationDatabase() {
            return Optional.empty();
        }

        @Override
        public void send(URI address, String method, String id, Consumer<MemoryWire.Answer> answer) {
            services.send(host, address, method, id, answer);
        }

        @Override
        public void after(Duration time, Runnable action) {
            world.startAfter(Math.max(0, time.toNanos()), host, "timer", action);
        }

        /** Not a step, since the client looks at the clock while it holds locks. */
        @Override
        public long nanoTime() {
            return world.now();
        }

        @Override
        public <T> T await(Future<T> result, long nanos)
                throws InterruptedException, ExecutionException, TimeoutException {
            return host.await(result, nanos);
        }

        @Override
        public long random(long least, long bound) {
            return world.random(least, bound);
        }

        @Override
        public String token() {
            return world.token();
        }
    }

    private void play() {
        world.play(scenario.parts(), ClientPart::at, this::play, LONGEST);
        end();
    }

    private void play(ClientPart part) {
        if (part instanceof Lives lives) {
            live(lives);
        } else if (part instanceof Fails fails) {
            services.become(fails.server(), fails.wrong());
            world.sleep(fails.millis() * 1_000_000L);
            services.become(fails.server(), null);
        } else if (part instanceof TakesOver takesOver) {
            services.activate(takesOver.server());
        } else if (part instanceof GoesBack back) {
            services.goBack(back.ids());
        } else if (part instanceof Stands stands) {
            find(stands.process()).ifPresent(each -> each.host.pause(Duration.ofMillis(stands.millis())));
        } else if (part instanceof Resumes resumes) {
            find(resumes.process()).ifPresent(each -> {
                World.Task unused = world.start(each.host, "resumes", each::resume);
            });
        }
    }

    private Optional<Process> find(int number) {
        return number < processes.size() ? Optional.ofNullable(processes.get(number)) : Optional.empty();
    }

    private Process start() {
        Process process = new Process(processes.size());
        processes.add(process);
        World.Task unused = world.start(process.host, "start", () -> {
            process.start();
            for (int i = 0; i < 3; i++) {
                World.Task alsoUnused = world.start(process.host, "caller", process::work);
            }
        });
        return process;
    }

    private void live(Lives lives) {
        Process process = start();
        if (lives.millis() < Integer.MAX_VALUE) {
            world.sleep(lives.millis() * 1_000_000L);
            World.Task unused = world.start(process.host, "end", () -> process.end(lives.isKilled()));
        }
    }

    private void end() {
        network.end();
        services.repair();
        int good = world.random(services.size());
        boolean isAnyStrange = false;
        for (int i = 0; i < services.size(); i++) {
            Wrong wrong = i == good || world.once(3) ? null : Wrong.values()[world.random(Wrong.values().length)];
            isAnyStrange |= wrong == Wrong.IS_OF_ANOTHER_PLACE || wrong == Wrong.IS_OF_ANOTHER_KIND;
            services.become(i, wrong);
        }
        services.activate(good);
        if (!isAnyStrange) {
            // Otherwise its start may be refused.
            Process unused = start();
        }
        world.sleep(QUIET);
        int next = world.random(services.size());
        if (next != good) {
            services.become(next, Wrong.HANGS);
        }
        int[] open = {0};
        for (Process each : processes) {
            if (each != null && (each.strict != null || !isAnyStrange)) {
                for (int kind = 0; kind < 3; kind++) {
                    int which = kind;
                    open[0]++;
                    World.Task unused = world.start(each.host, "last call", () -> {
                        if (!each.take(which)) {
                            throw new Judge.Verdict(
                                    "A server is good, but a call gets nothing: kind=" + which + " " + each.host);
                        }
                        open[0]--;
                    });
                }
            }
        }
        world.require(() -> open[0] == 0, LONGEST, "A call does not end");
    }
}
