package shards;

import java.util.Locale;

/**
 * A logical shard: a schema that lies on one server as a whole, and moves as a whole.
 *
 * @param number 0 to {@link #COUNT} - 1; stands in every key
 */
record Shard(int number) {

    /**
     * Fixed for ever, since keys that exist say where their rows lie. Large enough to be spread over all servers there
     * will be.
     */
    static final int COUNT = 16;

    static Shard ofUser(long userId) {
        return new Shard((int) (userId % COUNT));
    }

    String schema() {
        return String.format(Locale.ROOT, "shard_%04d", number);
    }
}
