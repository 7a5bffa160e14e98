package io.distributedid.backend.sequencetable;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SequenceTableMoveContract;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class H2SequenceTableMoveTest extends SequenceTableMoveContract {

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("move1", "move2", "move3", "move4");
    }

    @Override
    protected boolean tellsServersApart() {
        return false;
    }

    @Override
    protected String patience() {
        return "20ms";
    }

    @Override
    protected List<DataSource> servers() {
        return Stream.of("move1", "move2", "move3", "move4")
                .<DataSource>map(name -> {
                    JdbcDataSource server = new JdbcDataSource();
                    server.setUrl("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
                    return server;
                })
                .toList();
    }
}
