package benchmarks.persist;

import benchmarks.MySql;
import java.io.IOException;
import java.util.Map;

/** Where rows go, with a pair of ticket servers beside it. */
interface Database extends AutoCloseable {

    /** A schema of its own for each contender. */
    String url(String schema);

    Map<String, Object> ticketSettings();

    /** Of an issuing service, if one runs beside it. */
    default Map<String, Object> remoteSettings() {
        throw new IllegalStateException("No issuing service runs beside this database");
    }

    @Override
    void close();

    /** In memory, in this process: what is left is the work of Hibernate, the generator and H2 itself. */
    static Database h2() {
        return h2("");
    }

    /**
     * As above.
     *
     * @param service the address of an issuing service; empty if there is none
     */
    static Database h2(String service) {
        return new Database() {

            @Override
            public String url(String schema) {
                return "jdbc:h2:mem:" + schema + ";DB_CLOSE_DELAY=-1";
            }

            @Override
            public Map<String, Object> ticketSettings() {
                return Map.of(
                        "distributedid.backend",
                        "ticket",
                        "distributedid.ticket.servers",
                        url("tickets1") + "," + url("tickets2"),
                        "distributedid.ticket.numbering",
                        "client",
                        "distributedid.create_tables",
                        true);
            }

            @Override
            public Map<String, Object> remoteSettings() {
                // On a busy machine a server's first answer takes long.
                return Map.of(
                        "distributedid.backend",
                        "remote",
                        "distributedid.remote.servers",
                        service,
                        "distributedid.timeout",
                        "30s",
                        "distributedid.block.timeout",
                        "1m");
            }

            @Override
            public void close() {}
        };
    }

    /** MySQL 8 as durable as a production server; batches are rewritten to multi-row inserts, for every contender. */
    static Database mySql() throws IOException {
        MySql rows = MySql.start();
        MySql tickets1 = MySql.startOfPair(1);
        MySql tickets2 = MySql.startOfPair(2);
        return new Database() {

            @Override
            public String url(String schema) {
                return rows.url(schema);
            }

            @Override
            public Map<String, Object> ticketSettings() {
                return Map.of(
                        "distributedid.backend",
                        "ticket",
                        "distributedid.ticket.servers",
                        tickets1.url("tickets") + "," + tickets2.url("tickets"),
                        "distributedid.create_tables",
                        true);
            }

            @Override
            public void close() {
                rows.close();
                tickets1.close();
                tickets2.close();
            }
        };
    }
}
