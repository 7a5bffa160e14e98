package quickstart;

import java.util.Map;

/** Where ids come from: what it takes beside the settings in persistence.xml. */
interface Backend extends AutoCloseable {

    String name();

    /** Override those in persistence.xml. */
    Map<String, Object> settings(int shard);

    /** How its servers are, for people. */
    String state();

    /** Happens when half of the photos are stored. */
    default void halfway(Report report) {}

    @Override
    default void close() {}
}
