package io.distributedid.backend.remote;

import java.util.Optional;

/** A server of a strictly ordered sequence is well, but another one is active. */
final class StandbyException extends RemoteException {

    private static final long serialVersionUID = 1;

    private final String active;

    /** @param active the address of the active server, as that server says it; empty if it is unknown */
    StandbyException(String message, String active) {
        super(message);
        this.active = active;
    }

    /** The address of the active server; empty if this server does not know it. */
    Optional<String> active() {
        return Optional.of(active).filter(address -> !address.isEmpty());
    }
}
