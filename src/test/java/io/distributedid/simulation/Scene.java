package io.distributedid.simulation;

import io.distributedid.internal.counter.Numbering;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The servers and processes of one run, and what all parts of it share. */
final class Scene {

    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();

    private final World world;

    private final Setup setup;

    private final Network network;

    private final Judge judge;

    private final Promises promises;

    private final Evidence evidence;

    private final Host wire;

    private final Settings settings;

    /** Those that all clients list, then spare ones. */
    private final List<MemoryServer> servers = new ArrayList<>();

    private final List<Host> hosts = new ArrayList<>();

    private final List<Application> applications = new ArrayList<>();

    private final Map<Side, Places> places = new EnumMap<>(Side.class);

    private int losses;

    private int holds;

    private BooleanSupplier unfinished = () -> true;

    private boolean isCutOff;

    /** Of an operator, and of new processes. */
    private Side side = Side.FIRST;

    private boolean isEnded;

    /** The list that all should have, by number. */
    private List<Integer> current;

    /**
     * {@code spares} are servers that nobody lists at first; with numberings of their own, they have the last offset.
     */
    Scene(World world, Scenario scenario) {
        Setup setup = scenario.setup();
        int spares = scenario.spares();
        this.world = world;
        this.setup = setup;
        this.judge = new Judge(world, setup, scenario.isPeaceful());
        this.network = new Network(world, setup.troubleOneIn());
        this.promises = new Promises(world);
        this.evidence = new Evidence(this);
        Stream.of(Side.values()).forEach(side -> places.put(side, new Places(setup)));
        places.put(Side.FIRST_MERGED, places());
        places.put(Side.OTHER_MERGED, places(Side.OTHER));
        this.wire = new Host(world, "network");
        this.current = IntStream.range(0, setup.servers()).boxed().toList();
        this.settings = Settings.of(setup.settings());
        for (int i = 1; i <= setup.servers(); i++) {
            servers.add(new MemoryServer("server" + i, setup.increment(), i, LedgerContent.EMPTY));
        }
        for (int i = 1; i <= spares; i++) {
            servers.add(new MemoryServer("spare" + i, setup.increment(), setup.servers() + 1L, LedgerContent.EMPTY));
        }
    }

    World world() {
        return world;
    }

    Setup setup() {
        return setup;
    }

    Network network() {
        return network;
    }

    Judge judge() {
        return judge;
    }

    Evidence evidence() {
        return evidence;
    }

    Promises promises() {
        return promises;
    }

    Settings settings() {
        return settings;
    }

    List<MemoryServer> servers() {
        return servers;
    }

    MemoryServer server(int number) {
        return servers.get(number % servers.size());
    }

    /** Of a server that all clients list in the same place. */
    long offset(MemoryServer server) {
        return setup.isNumberedByServer() ? server.offset() : listed().indexOf(server) + 1L;
    }

    /** The distance between two ids of one server. */
    long increment() {
        return setup.isNumberedByServer() ? setup.increment() : current.size();
    }

    List<Address> addresses(Host client, List<MemoryServer> listed) {
        List<Address> addresses = new ArrayList<>();
        for (MemoryServer each : listed) {
            addresses.add(new Address(
                    client, wire, network, setup, new Numbering(listed.size(), addresses.size() + 1L), each));
        }
        return addresses;
    }

    List<MemoryServer> listed(List<Integer> numbers) {
        return numbers.stream().map(this::server).toList();
    }

    /** The list that all should have. */
    List<MemoryServer> listed() {
        return listed(current);
    }

    List<Integer> current() {
        return current;
    }

    /** An operator moves the counters to another list. */
    void moveTo(List<Integer> list) {
        current = list;
    }

    /** An operator merges the counters of both sides. Then new processes of the first side use the merged ones. */
    void merged() {
        setup.names().forEach(judge::merged);
        side = Side.FIRST_MERGED;
    }

    /** No server gives ids any more. */
    void ended() {
        isEnded = true;
    }

    boolean isEnded() {
        return isEnded;
    }

    /** The process with a number. One that was killed is followed by another. */
    Host host(int number) {
        while (hosts.size() <= number) {
            hosts.add(new Host(world, "process " + hosts.size()));
        }
        if (hosts.get(number).isKilled()) {
            hosts.set(number, new Host(world, "process " + number + " again"));
        }
        return hosts.get(number);
    }

    void kill(int number) {
        Host host = host(number);
        host.kill();
        applications.removeIf(each -> each.host() == host);
    }

    void opened(Application application) {
        if (!applications.contains(application)) {
            applications.add(application);
        }
    }

    void closed(Application application) {
        applications.remove(application);
    }

    /** Those that run. */
    List<Application> applications() {
        return applications;
    }

    /** What the application's database remembers. */
    Places places() {
        return places(Side.FIRST);
    }

    /** What the database of a side remembers. */
    Places places(Side side) {
        return Objects.requireNonNull(places.get(side));
    }

    /** Waits until a process may start: not while only those that run know of a loss. */
    void awaitStart() {
        await(() -> holds == 0);
    }

    /**
     * Begins something that may harm a server, unless ids are being lost: who shall notice that must get answers.
     *
     * @return whether it may be done
     */
    boolean mayHarm() {
        return await(() -> losses == 0);
    }

    private boolean await(BooleanSupplier condition) {
        return condition.getAsBoolean() || world.await(condition, PATIENCE, false);
    }

    /** Whether all servers answer, and no operator's command is under way or was cut off. */
    boolean isInOrder() {
        return servers.stream().allMatch(MemoryServer::isWell)
                && listed().stream().allMatch(each -> each.content().isInOrder())
                && losses == 0;
    }

    /** Whether all servers have all counters: an address that leads to an empty one before makes two lists of one. */
    boolean isUsedEverywhere() {
        return listed().stream().allMatch(each -> setup.keys().stream().allMatch(each.content()::hasRow));
    }

    /** @param repeated a command that may be cut off */
    void isUnfinished(BooleanSupplier repeated) {
        unfinished = repeated;
    }

    /** A command is cut off. */
    void cutOff() {
        isCutOff = true;
    }

    /** Whether a command was cut off, or is under way. */
    boolean isCutOff() {
        return listed().stream().anyMatch(each -> each.content().isCutOff())
                || (isCutOff && servers.stream().anyMatch(each -> each.content().isLeft()));
    }

    /** Whether the last command could be repeated after all. */
    boolean finish() {
        return unfinished.getAsBoolean();
    }

    void beginLoss(boolean holdsStarts) {
        losses++;
        holds += holdsStarts ? 1 : 0;
        calmNetwork();
    }

    void endLoss(boolean heldStarts) {
        losses--;
        holds -= heldStarts ? 1 : 0;
        calmNetwork();
    }

    /** Whoever shall notice a loss sees all servers. */
    private void calmNetwork() {
        network.calmWhile(() -> losses > 0 || evidence.isAnyOpen());
    }

    /** An application of an operator, or a new one, with the list that all should have. */
    Application application(Host host) {
        return new Application(this, host, listed(), side);
    }

    Host operator(String name) {
        return new Host(world, Objects.requireNonNull(name));
    }
}
