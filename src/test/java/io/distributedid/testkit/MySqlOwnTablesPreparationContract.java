package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ticket tables of other kinds among those that a start prepares together, on MySQL and MariaDB. */
public abstract class MySqlOwnTablesPreparationContract extends OwnTablesPreparationContract {

    /** A server takes its time for each. */
    @Override
    protected int many() {
        return 40;
    }

    @Test
    void whereStatementsDoNotShareTripsATableTakesFive() throws SQLException {
        List<String> urls = urls("plain").stream()
                .map(each -> each.replace("&allowMultiQueries=true", ""))
                .toList();
        int few = tripsOfASecondStart(urls, 5);
        assertThat(tripsOfASecondStart(urls, 15)).isEqualTo(few + 50);
    }

    @Test
    void aTableOnMyIsamIsNoMatterOfTheOthers() throws SQLException {
        assertUsed(prepared("myisam", name -> List.of("ALTER TABLE " + name + " ENGINE=MyISAM")));
    }

    @Test
    void aTableOfNarrowIdsIsNoMatterOfTheOthers() throws SQLException {
        assertUsed(prepared(
                "narrow", name -> List.of("ALTER TABLE " + name + " MODIFY id INT UNSIGNED NOT NULL AUTO_INCREMENT")));
    }

    @Test
    void aTableOfManyRowsIsNoMatterOfTheOthers() throws SQLException {
        assertUsed(
                prepared(
                        "inserted",
                        name -> List.of(
                                "ALTER TABLE " + name + " DROP PRIMARY KEY, DROP KEY id, ADD PRIMARY KEY (id)")),
                odd("ticket.style"),
                "insert");
    }

    @Test
    void aTableOfAnotherEngineIsNoMatterOfTheOthers() throws SQLException {
        assertRefused(
                prepared("memory", name -> List.of("ALTER TABLE " + name + " ENGINE=MEMORY")),
                "A ticket table must keep its counter: table=T_s1008 on ");
    }

    @Test
    void aTableWithoutItsKeyIsNoMatterOfTheOthers() throws SQLException {
        assertRefused(
                prepared("keyless", name -> List.of("ALTER TABLE " + name + " DROP PRIMARY KEY")),
                "REPLACE needs a unique key on stub");
    }

    @Test
    void aTableWithoutIdsIsNoMatterOfTheOthers() throws SQLException {
        assertRefused(
                prepared("unnumbered", name -> List.of("ALTER TABLE " + name + " MODIFY id BIGINT NOT NULL")),
                "A ticket table must number its rows");
    }

    @Test
    void aViewIsNoMatterOfTheOthers() throws SQLException {
        assertRefused(
                prepared(
                        "view",
                        name -> List.of(
                                "RENAME TABLE " + name + " TO kept", "CREATE VIEW " + name + " AS SELECT * FROM kept")),
                "A ticket table must number its rows");
    }
}
