package io.distributedid.postgresql;

import io.distributedid.testkit.SqlLeaseStoreContract;

class LeaseStoreTest extends SqlLeaseStoreContract {

    @Override
    protected String url() {
        return Postgres.url();
    }
}
