package io.distributedid.hibernate.internal.schema;

import io.distributedid.testkit.ExistingRowsContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class ExistingRowsTest extends ExistingRowsContract {

    /** No test here: H2 makes no reader wait. */
    @Override
    protected void aTableThatDoesNotAnswerInTimeDoesNotFailTheStart() {}

    @Override
    protected String url(String schema) {
        return "jdbc:h2:mem:" + schema + ";DB_CLOSE_DELAY=-1";
    }
}
