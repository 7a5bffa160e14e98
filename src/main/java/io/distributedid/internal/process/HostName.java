package io.distributedid.internal.process;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** The name of this machine or container. */
public final class HostName {

    private HostName() {}

    /**
     * As Kubernetes sets it, else as the network knows it.
     *
     * @return empty if it has none
     */
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
