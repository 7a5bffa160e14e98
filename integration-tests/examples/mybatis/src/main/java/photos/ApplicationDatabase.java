package photos;

import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The database of the photos, which also holds the sequence table. */
public record ApplicationDatabase(DataSource dataSource) implements ConnectionAccess {

    @Override
    public Connection obtain() throws SQLException {
        return dataSource.getConnection();
    }

    @Override
    public String label() {
        return "the database of the photos";
    }
}
