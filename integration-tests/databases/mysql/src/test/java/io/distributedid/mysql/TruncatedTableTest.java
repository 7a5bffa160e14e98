package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A truncated ticket table, and two clients of which one has had many ids and the other few. Neither may move the
 * truncated counter on, which would take it past the ids of the second and hide from it that they are the first's.
 */
@Needs(Need.MYSQL)
class TruncatedTableTest {

    private final GivenIds given = new GivenIds();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TRUNCATE TABLE Tickets64",
                "CREATE TABLE Renewed LIKE Tickets64; DROP TABLE Tickets64; RENAME TABLE Renewed TO Tickets64"
            })
    void aClientThatHadNoIdOfTheTableDoesNotGetThoseOfAnother(String loss) throws Exception {
        FaultPair pair = FaultPair.empty();
        try (DistributedIds few = create(pair, 10)) {
            given.take(few, 1);
            int unused = sideWithoutIds(pair);
            try (DistributedIds many = create(pair, 10_000)) {
                given.take(many, 100_000);
            }
            execute(pair.sides().get(unused), loss);

            given.take(few, 100);
        }
        given.assertNoneTwice();
    }

    /** The side that has given no id yet; its row is there, with 0. */
    private static int sideWithoutIds(FaultPair pair) throws SQLException {
        for (int side = 0; side < 2; side++) {
            try (Connection connection = pair.sides().get(side).server().connect(FaultPair.SCHEMA);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT id FROM Tickets64")) {
                if (row.next() && row.getLong(1) == 0) {
                    return side;
                }
            }
        }
        throw new AssertionError("Both sides gave ids");
    }

    private static void execute(FaultServer side, String statements) throws SQLException {
        try (Connection connection = side.server().connect(FaultPair.SCHEMA);
                Statement statement = connection.createStatement()) {
            for (String each : statements.split("; ")) {
                statement.execute(each);
            }
        }
    }

    @Test
    void clientsWithFewIdsDoNotGetThoseOfClientsWithMany() throws Exception {
        FaultPair pair = FaultPair.empty();
        try (DistributedIds few = create(pair, 10);
                DistributedIds many = create(pair, 10_000)) {
            given.take(few, 100);
            given.take(many, 100_000);
            execute(pair.sides().get(0), "TRUNCATE TABLE Tickets64");
            pair.sides().get(1).server().kill9();

            for (DistributedIds each : List.of(many, few)) {
                assertThat(given.takeUntilRefused(each, 100_000))
                        .hasMessageContaining("A counter went back and may give ids again: table=Tickets64");
            }

            pair.sides().get(1).server().restart();
            takeOnceGiven(many, 50_000);
            takeOnceGiven(few, 500);
        }
        given.assertNoneTwice();
    }

    private void takeOnceGiven(DistributedIds ids, int count) {
        AtomicReference<RuntimeException> refusal = new AtomicReference<>();
        Await.until(
                "ids are given again",
                () -> {
                    refusal.set(given.tryToTake(ids, count));
                    return refusal.get() == null;
                },
                refusal::get);
    }

    private static DistributedIds create(FaultPair pair, int block) {
        return GivenIds.tickets(pair.urls(), "block.max_age", "off", "block.min", block, "block.max", block);
    }
}
