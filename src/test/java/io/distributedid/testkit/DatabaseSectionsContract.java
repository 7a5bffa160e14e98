package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@link SectionsContract} on a database, with what concerns its tables. */
public abstract class DatabaseSectionsContract extends SectionsContract {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** The URL of a database, which is empty at the first call with its name. */
    protected abstract String url(String name) throws SQLException;

    private String newUrl() throws SQLException {
        return url("sections_" + DATABASES.incrementAndGet());
    }

    @Override
    protected SectionPlace newPlace() throws SQLException {
        return new DatabaseSectionPlace(newUrl());
    }

    @Test
    void refusesNumbersInTransactions() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = open(new DatabaseSectionPlace(url), "a");
                Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> ids.keyed("messages").next(7, connection))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("distributedid.keyed.backend=section")
                    .hasMessageContaining("Leave out the connection, or use another sequence");
        }
    }

    @Test
    void refusesASequenceThatCountsByRows() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = DistributedIds.create(
                Map.of("distributedid.keyed.row.servers", url, "distributedid.keyed.row.create_table", "true"))) {
            ids.keyed("messages").next(7);
        }
        try (DistributedIds ids = open(new DatabaseSectionPlace(url), "a")) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("seq=messages has rows of keys already, table=keyed_sequence."
                            + " Set distributedid.keyed.backend=row, or use another sequence");
            assertThat(ids.keyed("others").next(7)).isEqualTo(1);
        }
    }
}
