package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As {@link KeyedEntityContract}, on a server that processes reach. */
public abstract class KeyedEntityCrashContract extends KeyedEntityContract {

    private static final String ROWS = "SELECT COUNT(*) FROM Invoice";

    @TempDir
    Path folder;

    @Test
    void killedProcessesAndRollbacksLeaveNoGap() throws Exception {
        String url = url("keyed_entity_crash");
        try (SessionFactory factory = start(url)) {
            List<KeyedEntityNode> nodes = new ArrayList<>();
            try {
                nodes.add(KeyedEntityNode.start(folder, url, 3));
                nodes.add(KeyedEntityNode.start(folder, url, 3));
                awaitRows(nodes, url, DatabaseRows.number(url, ROWS) + 200);
                nodes.get(0).kill();
                awaitRows(nodes.subList(1, 2), url, DatabaseRows.number(url, ROWS) + 50);
                nodes.get(1).kill();
            } finally {
                nodes.forEach(KeyedEntityNode::close);
            }
            List<Object[]> customers = factory.fromTransaction(session -> session.createQuery(
                            "select max(i.number), count(*), count(distinct i.number) from Invoice i"
                                    + " group by i.customer",
                            Object[].class)
                    .getResultList());
            assertThat(customers)
                    .hasSize(3)
                    .allSatisfy(customer ->
                            assertThat(customer[0]).isEqualTo(customer[1]).isEqualTo(customer[2]));
        }
    }

    private static void awaitRows(List<KeyedEntityNode> nodes, String url, long count) {
        KeyedEntityNode last = nodes.get(nodes.size() - 1);
        Await.until(
                count + " rows are inserted",
                () -> {
                    last.requireAlive();
                    return rows(url) >= count;
                },
                last::log);
    }

    private static long rows(String url) {
        try {
            return DatabaseRows.number(url, ROWS);
        } catch (SQLException e) {
            throw new AssertionError("The rows can't be counted", e);
        }
    }
}
