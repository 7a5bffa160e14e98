package io.distributedid.simulation;

import io.distributedid.internal.lease.LeaseInternals;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The stores and processes of one run with leases, and what all parts of it share. */
final class LeaseScene {

    private static final long BEGIN = 1_700_000_000_000L;

    private static final long PATIENCE = 10_000_000_000L;

    private static final String OPERATOR = "operator";

    private final World world;

    private final LeaseSetup setup;

    private final boolean isPeaceful;

    private final Network network;

    private final LeaseJudge judge;

    private final LeaseEvidence evidence;

    private final Host wire;

    private final List<LeaseServer> stores;

    private final LeaseServer empty;

    private final LeaseServer foreign;

    /** By number: the last one. */
    private final Map<Integer, LeaseProcess> processes = new HashMap<>();

    private final List<LeaseProcess> running = new ArrayList<>();

    /** What the application's database remembers. */
    private String token = "thetoken";

    private int store;

    private int commands;

    private int lives;

    private boolean isAnySuspended;

    private boolean isWell;

    private boolean mayRightsEnd;

    private BooleanSupplier unfinished = () -> true;

    LeaseScene(World world, LeaseScenario scenario) {
        this.world = world;
        this.setup = scenario.setup();
        this.isPeaceful = scenario.isPeaceful();
        this.network = new Network(world, setup.troubleOneIn());
        this.judge = new LeaseJudge(this);
        this.evidence = new LeaseEvidence(this);
        this.wire = new Host(world, "network");
        this.stores = List.of(new LeaseServer(this, "A", evidence), new LeaseServer(this, "B", evidence));
        this.empty = new LeaseServer(this, "empty", evidence);
        this.foreign = new LeaseServer(this, "foreign", evidence);
        if (setup.troubleOneIn() > 0) {
            judge.allow(LeaseRule.AWAY, LeaseRule.CLOCK);
        }
        begin(stores.get(0), token);
        begin(foreign, "foreigntoken");
    }

    private void begin(LeaseServer server, String of) {
        Change header = LeaseInternals.begin(of, server.identity(), setup.terms(), world.token());
        server.become(Map.of(header.name(), header.next()));
    }

    World world() {
        return world;
    }

    LeaseSetup setup() {
        return setup;
    }

    boolean isPeaceful() {
        return isPeaceful;
    }

    Network network() {
        return network;
    }

    LeaseJudge judge() {
        return judge;
    }

    LeaseEvidence evidence() {
        return evidence;
    }

    Host wire() {
        return wire;
    }

    /** The right time, in milliseconds since 1970. */
    long time() {
        return BEGIN + world.now() / 1_000_000;
    }

    /** The one that all should use. */
    LeaseServer store() {
        return stores.get(store);
    }

    /** Where the leases would move. */
    LeaseServer otherStore() {
        return stores.get(1 - store);
    }

    List<LeaseServer> stores() {
        return stores;
    }

    LeaseServer empty() {
        return empty;
    }

    LeaseServer foreign() {
        return foreign;
    }

    boolean isCounterfeit(LeaseServer server) {
        return server == empty || server == foreign;
    }

    boolean isOperator(String by) {
        return by.equals(OPERATOR);
    }

    LeaseLink operatorLink(LeaseServer server) {
        return new LeaseLink(this, OPERATOR, server);
    }

    /** The leases have moved, and all are told. */
    void moved(String to) {
        store = 1 - store;
        token = to;
    }

    /** A store was begun anew, and all are told. */
    void begun(String as) {
        token = as;
        evidence.begun();
    }

    String token() {
        return token;
    }

    int nextLife() {
        lives++;
        return lives;
    }

    void started(int number, LeaseProcess process) {
        processes.put(number, process);
        running.add(process);
    }

    void ended(LeaseProcess process) {
        running.remove(process);
    }

    List<LeaseProcess> running() {
        return running;
    }

    /** Those that run with this number; a copy has the same. */
    List<LeaseProcess> running(int number) {
        return running.stream().filter(each -> each.number() == number).toList();
    }

    void kill(LeaseProcess process) {
        world.log(() -> "kills " + process);
        process.host().kill();
        ended(process);
    }

    /** From now on, nothing goes wrong. */
    void allIsWell() {
        isWell = true;
        network.end();
    }

    boolean isSlow() {
        return setup.troubleOneIn() > 0 && !isWell;
    }

    /** From now on, a row may be another's while its process holds it. */
    void rightsMayEnd() {
        mayRightsEnd = true;
    }

    boolean mayRightsEnd() {
        return mayRightsEnd;
    }

    void suspended() {
        isAnySuspended = true;
    }

    boolean isAnySuspended() {
        return isAnySuspended;
    }

    void beginCommand(BooleanSupplier repeated) {
        unfinished = repeated;
        commands++;
    }

    void endCommand() {
        commands--;
    }

    /** Repeats a command that may have been cut off. */
    boolean finish() {
        return unfinished.getAsBoolean();
    }

    /** Waits until no command is under way. */
    boolean mayHarm() {
        return commands == 0 || world.await(() -> commands == 0, PATIENCE, false);
    }

    static String told(Map<String, Row> rows) {
        return rows.values().stream().map(LeaseScene::told).collect(Collectors.joining("; "));
    }

    static String told(Collection<Change> changes) {
        return changes.stream()
                .map(each -> each.expected() + " -> " + told(each.next()))
                .collect(Collectors.joining("; "));
    }

    private static String told(Row row) {
        return row.name() + " " + row.version() + " " + (row.number() > BEGIN ? row.number() - BEGIN : row.number())
                + " " + row.state() + " " + row.text();
    }
}
