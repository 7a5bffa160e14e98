package io.distributedid.mariadb;

import io.distributedid.testkit.MySqlSequenceTableMoveContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

@Needs(Need.MARIADB)
class SequenceTableMoveTest extends MySqlSequenceTableMoveContract {

    @Override
    protected DataSource server(String schema) {
        try {
            return new MariaDbDataSource(MariaDbServers.odd().jdbcUrl(schema));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
