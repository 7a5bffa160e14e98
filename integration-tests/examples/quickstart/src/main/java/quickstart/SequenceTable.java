package quickstart;

import java.util.Map;

/** One table, with a row for each sequence, in a database that both shards share. */
record SequenceTable() implements Backend {

    @Override
    public String name() {
        return "sequence_table";
    }

    /** Without a server named, each shard would count in its own database, and both would give the same ids. */
    @Override
    public Map<String, Object> settings(int shard) {
        return Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", "jdbc:h2:mem:central;DB_CLOSE_DELAY=-1",
                "distributedid.create_tables", "true");
    }

    @Override
    public String state() {
        return "one server";
    }
}
