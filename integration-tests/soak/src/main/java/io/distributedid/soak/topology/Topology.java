package io.distributedid.soak.topology;

import io.distributedid.soak.fault.Fault;
import io.distributedid.soak.fault.Incidents.Group;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Servers, and how applications are configured to get ids from them. At most four servers run at a time. */
public interface Topology extends AutoCloseable {

    /** What only some topologies know. */
    interface Special {

        /**
         * Lets it happen, and ends when the servers are well again.
         *
         * @param lastsMillis how long it lasts, if it lasts
         * @return where it happened, for people
         */
        String happen(int lastsMillis, SplittableRandom random) throws Exception;

        /** Names of the servers that can't answer meanwhile. */
        Set<String> down();
    }

    /** All servers, with a proxy each. */
    List<Node> nodes();

    /** Which of them must answer for ids to be available. */
    List<Group> groups();

    /** Of an application. */
    Map<String, String> settings();

    /** Of an application that has other sizes, ages and timeouts, and may run beside the others. */
    Map<String, String> differentSettings();

    /** Of an application that would give ids twice beside the others; empty if there is none such. */
    default List<Map<String, String>> wrongSettings() {
        return List.of();
    }

    /** The {@link #settings}, with a list of servers that has one more. */
    default Map<String, String> withMore(String servers, String one) {
        return with(servers, settings().get(servers) + ", " + one);
    }

    /** Another address of a server. */
    static String alias(String url) {
        return url.replace("127.0.0.1", "localhost");
    }

    /** The {@link #settings}, with some in place of others. */
    default Map<String, String> with(String... namesAndValues) {
        Map<String, String> changed = new HashMap<>(settings());
        for (int i = 0; i < namesAndValues.length; i += 2) {
            changed.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return changed;
    }

    /** How many servers count for themselves: ids of one are in order. */
    default int counters() {
        return 1;
    }

    /** Whether ids are counted, so that numbers between them are missing. */
    boolean isCounted();

    /** How late an id may be, see {@link io.distributedid.soak.ledger.OrderAudit}. */
    Duration bound();

    /** How long servers need after a fault until all applications use them again. */
    Duration grace();

    /** A part of a statement after which answers may get lost, in capitals; empty if there is none. */
    default Optional<String> statement() {
        return Optional.empty();
    }

    /** Whether a server that was killed or stood still works again once it runs. */
    default boolean restartsServers() {
        return true;
    }

    /** Whether an older copy of a server's data may be put in its place. */
    default boolean restoresBackups() {
        return false;
    }

    /** What else can happen here. */
    default Map<Fault, Special> specials() {
        return Map.of();
    }

    /**
     * What an operator has to do once an older copy of the data was put in place.
     *
     * @param largest the largest id that anybody has got
     */
    default void repair(long largest) {}

    @Override
    default void close() {
        nodes().forEach(Node::close);
    }
}
