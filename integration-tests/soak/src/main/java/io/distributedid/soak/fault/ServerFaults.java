package io.distributedid.soak.fault;

import io.distributedid.IdUnavailableException;
import io.distributedid.soak.application.Applications;
import io.distributedid.soak.topology.Node;
import io.distributedid.soak.topology.Topology;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.CuttingProxy.Way;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** Lets faults of servers and links happen, one after the other. Each ends with servers that are well again. */
final class ServerFaults {

    private static final String NO_STATEMENT = "\0";

    private static final int LEAST_DELAY_MILLIS = 5;

    private static final int MOST_DELAY_MILLIS = 80;

    private static final int CUT_PATIENCE_SECONDS = 10;

    private final Topology topology;

    private final Applications applications;

    private final Incidents incidents;

    ServerFaults(Topology topology, Applications applications, Incidents incidents) {
        this.topology = topology;
        this.applications = applications;
        this.incidents = incidents;
    }

    /** Those that can happen to a topology. */
    static Set<Fault> of(Topology topology) {
        Set<Fault> faults = EnumSet.of(Fault.LINK_SLOW, Fault.LINK_CUT, Fault.CONNECTIONS_BROKEN);
        if (topology.restartsServers()) {
            faults.addAll(EnumSet.of(Fault.SERVER_KILLED, Fault.SERVER_STOPPED, Fault.SERVERS_RESTARTED));
            if (topology.nodes().size() > 1) {
                faults.add(Fault.ALL_SERVERS_KILLED);
            }
        }
        if (topology.statement().isPresent()) {
            faults.add(Fault.ANSWER_LOST);
        }
        if (topology.restoresBackups()) {
            faults.add(Fault.BACKUP_RESTORED);
        }
        faults.addAll(topology.specials().keySet());
        return faults;
    }

    void inflict(Step step) throws Exception {
        SplittableRandom random = step.random();
        List<Node> nodes = topology.nodes();
        Node node = nodes.get(random.nextInt(nodes.size()));
        long begin = System.nanoTime();
        Set<String> down = Set.of(node.name());
        String detail = node.name();
        switch (step.fault()) {
            case SERVER_KILLED -> {
                node.server().kill9();
                Thread.sleep(step.lastsMillis());
                node.restart();
            }
            case SERVER_STOPPED -> {
                node.pause();
                Thread.sleep(step.lastsMillis());
                node.resume();
            }
            case ALL_SERVERS_KILLED -> {
                down = names(nodes);
                detail = "all " + nodes.size();
                killAll(nodes, step.lastsMillis());
            }
            case LINK_SLOW -> {
                down = Set.of();
                int millis = random.nextInt(LEAST_DELAY_MILLIS, MOST_DELAY_MILLIS);
                detail = node + ", " + millis + " ms";
                node.proxy().delay(Duration.ofMillis(millis));
                Thread.sleep(step.lastsMillis());
                node.proxy().delay(Duration.ZERO);
            }
            case LINK_CUT -> {
                Set<Way> ways = EnumSet.allOf(Way.class);
                if (random.nextBoolean()) {
                    ways = EnumSet.of(random.nextBoolean() ? Way.TO_CLIENT : Way.TO_SERVER);
                }
                detail = node + " " + ways;
                node.proxy().hold(ways);
                Thread.sleep(step.lastsMillis());
                node.proxy().letPass();
            }
            case CONNECTIONS_BROKEN -> node.proxy().breakAll();
            case ANSWER_LOST -> loseAnswer(node);
            case SERVERS_RESTARTED -> {
                restartAll(nodes);
                return;
            }
            case BACKUP_RESTORED -> {
                restore(node, step.lastsMillis());
                return;
            }
            default -> {
                Topology.Special special = topology.specials().get(step.fault());
                down = special.down();
                detail = special.happen(step.lastsMillis(), random);
            }
        }
        incidents.add(new Incident(begin, System.nanoTime(), step.fault(), detail, down));
    }

    private static Set<String> names(List<Node> nodes) {
        return nodes.stream().map(Node::name).collect(Collectors.toSet());
    }

    private static void killAll(List<Node> nodes, int millis) throws Exception {
        for (Node each : nodes) {
            each.server().kill9();
        }
        Thread.sleep(millis);
        for (Node each : nodes) {
            each.restart();
        }
    }

    private void loseAnswer(Node node) throws Exception {
        Future<Boolean> cut = node.proxy().cutAtAnswerTo(topology.statement().orElseThrow());
        try {
            cut.get(CUT_PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            // No client asked this server. No connection may break later, outside of this fault.
            node.proxy().cutAtAnswerTo(NO_STATEMENT);
        }
    }

    private void restartAll(List<Node> nodes) throws Exception {
        for (Node each : nodes) {
            long begin = System.nanoTime();
            each.restart();
            incidents.add(
                    new Incident(begin, System.nanoTime(), Fault.SERVERS_RESTARTED, each.name(), Set.of(each.name())));
            Thread.sleep(topology.grace().toMillis());
        }
    }

    /** Puts back a copy that lacks the last ids. Where no other server knows them, an operator repairs the counter. */
    private void restore(Node node, int millis) throws Exception {
        long begin = System.nanoTime();
        node.whileUnreachable(node.server()::saveData);
        incidents.add(
                new Incident(begin, System.nanoTime(), Fault.BACKUP_RESTORED, node + " is saved", Set.of(node.name())));
        Thread.sleep(topology.grace().toMillis() + millis);
        begin = System.nanoTime();
        node.whileUnreachable(() -> {
            node.server().restoreData();
            repair();
        });
        incidents.add(new Incident(
                begin, System.nanoTime(), Fault.BACKUP_RESTORED, node + " is restored", Set.of(node.name())));
    }

    /** Repeats it while the server only starts. */
    private void repair() {
        AtomicReference<String> refusal = new AtomicReference<>("nothing");
        Await.until(
                "the counter is repaired",
                () -> {
                    try {
                        topology.repair(applications.largest());
                        return true;
                    } catch (IdUnavailableException e) {
                        refusal.set(e.getMessage());
                        return false;
                    }
                },
                refusal::get);
    }
}
