package io.distributedid.redis;

import io.distributedid.testkit.BackendContract;
import java.util.Map;

/** The contract of a backend, for one server of the list. */
abstract class OneRedisContract extends BackendContract {

    abstract String url();

    @Override
    protected final Map<String, String> settings(int node) {
        return RedisServers.settings(url());
    }

    @Override
    protected final int ascendingStreams() {
        return 1;
    }

    @Override
    protected final boolean fitsInteger() {
        return true;
    }
}
