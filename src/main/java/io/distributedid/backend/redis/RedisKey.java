package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CounterKey;

/**
 * The keys of a sequence: {@code distributedid:{photos}} counts, and {@code distributedid:{photos}:record} is a hash
 * with what the server knows of the counter. In a cluster, the part in braces decides on the slot, so a script may use
 * both.
 *
 * @param prefix of all keys
 * @param sequence the sequence's name
 */
record RedisKey(String prefix, String sequence) implements CounterKey {

    String counter() {
        return prefix + ":{" + sequence.replace("%", "%25").replace("{", "%7B").replace("}", "%7D") + "}";
    }

    String record() {
        return counter() + ":record";
    }

    @Override
    public String table() {
        return counter();
    }

    @Override
    public String rowName() {
        return sequence;
    }

    /** One connection reaches all of them. */
    @Override
    public String group() {
        return prefix;
    }

    @Override
    public boolean isAloneInItsTable() {
        return true;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "key=" + counter();
    }
}
