package io.distributedid.postgresql;

import io.distributedid.testkit.IdFunctionsContract;
import java.util.Map;

class IdFunctionsTest extends IdFunctionsContract {

    @Override
    protected Map<String, String> database() {
        return Map.of("hibernate.connection.url", Postgres.url());
    }
}
