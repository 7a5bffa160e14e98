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
     * @param contradicting the places of the servers, from 1, whose records contradict each other; empty if none do
     */
    RefusedServerException(String message, int server, Set<Integer> contradicting) {
        super(message);
        this.server = server;
        this.contradicting = Set.copyOf(contradicting);
    }

    int server() {
        return server;
    }

    Set<Integer> contradicting() {
        return contradicting;
    }
}
