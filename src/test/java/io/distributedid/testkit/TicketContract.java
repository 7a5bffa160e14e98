package io.distributedid.testkit;

import java.util.HashMap;
import java.util.Map;

/** The contract of a backend, for ticket servers: an odd and an even one. */
public abstract class TicketContract extends BackendContract {

    /** The URLs of the odd and the even server. */
    protected abstract String servers();

    /** Settings for servers of this kind. */
    protected Map<String, String> more() {
        return Map.of();
    }

    @Override
    protected Map<String, String> settings(int node) {
        Map<String, String> settings = new HashMap<>(more());
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", servers());
        settings.put("distributedid.create_tables", "true");
        // A machine may be busy, and a start is not tried again.
        settings.put("distributedid.timeout", "30s");
        return settings;
    }

    @Override
    protected int ascendingStreams() {
        return 2;
    }

    @Override
    protected boolean fitsInteger() {
        return true;
    }
}
