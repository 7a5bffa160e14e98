package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import java.util.Set;

/** A server whose record is missing, or contradicts those of other servers. */
final class RefusedServerException extends IdConfigurationException {

    private static final long serialVersionUID = 1;

    private final int server;

    private final transient Set<Integer> contradicting;

    /**
     * @param server from 0
     * @param contradicting the places, from 1, of servers that belong to different lists; empty if the record is
     *     missing
     */
    RefusedServerException(String message, int server, Set<Integer> contradicting) {
        super(message);
        this.server = server;
        this.contradicting = Set.copyOf(contradicting);
    }

    /** A record of another list, whatever the other servers say. */
    RefusedServerException(IdConfigurationException why, int server) {
        super(String.valueOf(why.getMessage()), why);
        this.server = server;
        this.contradicting = Set.of(server + 1);
    }

    int server() {
        return server;
    }

    boolean isContradiction() {
        return !contradicting.isEmpty();
    }

    Set<Integer> contradicting() {
        return contradicting;
    }
}
