package io.distributedid.postgresql;

import io.distributedid.testkit.CrashContract;

class CrashTest extends CrashContract {

    @Override
    protected String server() {
        return Postgres.url();
    }
}
