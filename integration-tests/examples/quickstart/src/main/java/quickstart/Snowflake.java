package quickstart;

import java.util.Map;

/** No server at all: ids are composed of the time, a worker number and a count. */
record Snowflake() implements Backend {

    @Override
    public String name() {
        return "snowflake";
    }

    /**
     * Whatever makes ids at the same time as another, be it a process or a persistence unit, needs a number of its own.
     */
    @Override
    public Map<String, Object> settings(int shard) {
        return Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", shard + 1);
    }

    @Override
    public String state() {
        return "no server needed";
    }
}
