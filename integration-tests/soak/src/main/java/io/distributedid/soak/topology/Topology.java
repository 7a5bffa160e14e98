package io.distributedid.soak.topology;

import io.distributedid.soak.fault.Fault;
import io.distributedid.soak.fault.Incidents.Group;
import java.time.Duration;
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
    List<Map<String, String>> wrongSettings();

    /** How many servers count for themselves: ids of one are in order. */
    int counters();

    /** Whether ids are counted, so that numbers between them are missing. */
    boolean isCounted();

    /** How late an id may be, see {@link io.distributedid.soak.ledger.OrderAudit}. */
    Duration bound();

    /** How long servers need after a fault until all applications use them again. */
    Duration grace();

    /** A part of a statement after which answers may get lost, in capitals; empty if there is none. */
    Optional<String> statement();

    /** Whether a server that was killed or stood still works again once it runs. */
    boolean restartsServers();

    /** Whether an older copy of a server's data may be put in its place. */
    boolean restoresBackups();

    /** What else can happen here. */
    Map<Fault, Special> specials();

    /**
     * What an operator has to do once an older copy of the data was put in place.
     *
     * @param largest the largest id that anybody has got
     */
    default void repair(long largest) {}

    @Override
    void close();
}
