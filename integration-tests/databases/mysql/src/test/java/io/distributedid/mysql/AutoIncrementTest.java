package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/**
 * After the cut-over an instance that still inserts rows without ids takes ids of the sequence, until the column is
 * altered.
 */
@Needs(Need.MYSQL)
class AutoIncrementTest {

    private static final String SCHEMA = "auto_increment";

    private static final Logger LOGGER =
            Logger.getLogger("io.distributedid.hibernate.internal.schema.ExistingIdsCheck");

    @Entity(name = "Picture")
    @Table(name = "Picture")
    static class Picture {
        @Id
        @DistributedId(seq = "pictures")
        Long id;
    }

    @Test
    void theStartNamesTheStatementThatEndsIt() throws SQLException {
        execute("CREATE TABLE Picture (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY)");
        execute("CREATE TABLE Comment (picture BIGINT UNSIGNED, FOREIGN KEY (picture) REFERENCES Picture (id))");
        execute("INSERT INTO Picture VALUES (4711)");
        execute("INSERT INTO Comment VALUES (4711)");
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler handler = handler(warnings);
        LOGGER.addHandler(handler);
        try {
            try (SessionFactory factory = start()) {
                long id = persist(factory);
                execute("INSERT INTO Picture VALUES ()");
                assertThatThrownBy(() -> persist(factory))
                        .as("the database took the sequence's next id, after %s", id)
                        .hasStackTraceContaining("Duplicate entry '" + (id + 1) + "'");
            }
            String alter = "ALTER TABLE Picture MODIFY id bigint unsigned NOT NULL";
            assertThat(warnings)
                    .containsExactly(Picture.class.getName() + " (seq=pictures): The database still numbers the rows by"
                            + " itself: table=Picture column=id AUTO_INCREMENT. An INSERT without id, for example by an"
                            + " instance from before the cut-over, takes an id that the sequence issues too. To stop"
                            + " it: " + alter
                            + " (where foreign keys refer to the column, SET foreign_key_checks = 0 in the"
                            + " same session first)"
                            + Pages.onCall("still-numbered"));
            warnings.clear();

            assertThatThrownBy(() -> execute(alter)).hasMessageContaining("used in a foreign key constraint");
            execute("SET foreign_key_checks = 0", alter);
            assertThatThrownBy(() -> execute("INSERT INTO Picture VALUES ()"))
                    .hasMessageContaining("doesn't have a default value");
            try (SessionFactory factory = start()) {
                assertThat(persist(factory)).isGreaterThan(4711);
            }
            assertThat(warnings).isEmpty();
        } finally {
            LOGGER.removeHandler(handler);
        }
    }

    private static Handler handler(List<String> warnings) {
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                warnings.add(new SimpleFormatter().formatMessage(entry));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    private static SessionFactory start() {
        return new Configuration()
                .addAnnotatedClass(Picture.class)
                .setProperty("hibernate.connection.url", MySqlServers.shard(0).jdbcUrl(SCHEMA))
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.block.max", "1")
                .setProperty("distributedid.existing_ids", "raise")
                .buildSessionFactory();
    }

    private static long persist(SessionFactory factory) {
        Picture picture = new Picture();
        factory.inTransaction(session -> session.persist(picture));
        return picture.id;
    }

    private static void execute(String... statements) throws SQLException {
        try (Connection connection = MySqlServers.shard(0).connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
