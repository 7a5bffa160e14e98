package io.distributedid.postgresql;

import io.distributedid.testkit.SequenceTableContract;

class SequenceTableContractTest extends SequenceTableContract {

    @Override
    protected String server() {
        return Postgres.url();
    }
}
