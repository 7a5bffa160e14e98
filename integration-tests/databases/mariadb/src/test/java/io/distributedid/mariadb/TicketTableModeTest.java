package io.distributedid.mariadb;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.TicketTableModeContract;
import java.util.List;

@Needs(Need.MARIADB)
class TicketTableModeTest extends TicketTableModeContract {

    @Override
    protected DatabaseServer server() {
        return MariaDbServers.odd();
    }

    @Override
    protected List<String> modes() {
        return List.of("", "ANSI", "NO_BACKSLASH_ESCAPES,ANSI_QUOTES,ORACLE", "ORACLE,EMPTY_STRING_IS_NULL");
    }
}
