package io.distributedid.soak.fault;

/** What can happen. Faults of servers and faults of applications come side by side, one at a time each. */
public enum Fault {
    SERVER_KILLED("a server is killed (kill -9) and started again", true),
    SERVER_STOPPED("a server stands still (SIGSTOP)", true),
    ALL_SERVERS_KILLED("all servers are killed and started again", true),
    LINK_SLOW("each packet to and from a server is late", true),
    LINK_CUT("nothing passes between a server and the applications, and connections stay open", true),
    CONNECTIONS_BROKEN("all connections to a server break", true),
    ANSWER_LOST("a connection breaks once a server has done what it was told", true),
    SERVERS_RESTARTED("the servers are restarted one after the other", true),
    BACKUP_RESTORED("a server gets an older copy of its data", true),
    DISK_FULL("the file system of a server is full", true),
    REPLICA_PROMOTED("the primary is killed, and a replica that lags takes its place", true),
    PRIMARY_MOVED("the group elects another primary", true),
    APPLICATION_KILLED("an application is killed (kill -9) and started again", false),
    APPLICATION_STOPPED("an application stands still (SIGSTOP)", false),
    APPLICATIONS_RESTARTED("the applications are restarted one after the other", false),
    DIFFERENT_SETTINGS(
            "a rolling deploy brings other sizes, ages and timeouts, and another one takes them back", false),
    DIFFERENT_LIBRARY("a rolling deploy brings another version of the library, and another one takes it back", false),
    WRONG_SETTINGS("a deploy brings settings that would give ids twice, beside the others", false),
    CLOCK_STEPPED("the clock of an application is set forward or back", false),
    SNAPSHOT_RESUMED("an application stands still, and is told that it was resumed from a snapshot (beginAnew)", false),
    STARVED("the machine gave an application no processor for more than 0.3 s; not the run's doing", false);

    private final String text;

    private final boolean isOfServers;

    Fault(String text, boolean isOfServers) {
        this.text = text;
        this.isOfServers = isOfServers;
    }

    /** What happens, for the report. */
    public String text() {
        return text;
    }

    public boolean isOfServers() {
        return isOfServers;
    }
}
