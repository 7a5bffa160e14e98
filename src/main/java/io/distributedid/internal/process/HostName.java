package io.distributedid.internal.process;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** The name of this machine or container. */
public final class HostName {

    private HostName() {}

    /** The variable HOSTNAME, which Kubernetes sets; otherwise the name on the network; empty if there is none. */
    public static Optional<String> find() {
        String variable = System.getenv("HOSTNAME");
        if (variable != null && !variable.isBlank()) {
            return Optional.of(variable.strip());
        }
        try {
            return Optional.of(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
