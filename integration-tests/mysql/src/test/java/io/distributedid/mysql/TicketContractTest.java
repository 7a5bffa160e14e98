package io.distributedid.mysql;

import io.distributedid.DistributedIdSettings;
import io.distributedid.testkit.BackendContract;
import java.util.Map;

class TicketContractTest extends BackendContract {

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                DistributedIdSettings.BACKEND, "ticket",
                DistributedIdSettings.TICKET_SERVERS,
                        MySqlServers.odd().jdbcUrl("contract") + ", "
                                + MySqlServers.even().jdbcUrl("contract"),
                DistributedIdSettings.TICKET_CREATE_TABLE, "true");
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
