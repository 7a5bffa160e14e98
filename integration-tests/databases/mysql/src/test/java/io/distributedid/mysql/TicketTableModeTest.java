package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.TicketTableModeContract;
import java.util.List;

@Needs(Need.MYSQL)
class TicketTableModeTest extends TicketTableModeContract {

    @Override
    protected DatabaseServer server() {
        return MySqlServers.shard(0);
    }

    @Override
    protected List<String> modes() {
        return List.of("", "ANSI", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES");
    }
}
