package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.hibernate.SessionFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** JDBC batching stays on, which IDENTITY switches off. */
class BatchingTest {

    @ParameterizedTest
    @EnumSource
    void hundredPersistsPrepareOneStatement(BackendSettings backend) {
        try (SessionFactory factory = Unit.of(backend, Photo.class)
                .with("hibernate.jdbc.batch_size", "50")
                .with("hibernate.generate_statistics", "true")
                .start()) {
            factory.getStatistics().clear();
            factory.inTransaction(session -> {
                for (int i = 0; i < 100; i++) {
                    session.persist(new Photo());
                }
            });

            assertThat(factory.getStatistics().getEntityInsertCount()).isEqualTo(100);
            assertThat(factory.getStatistics().getPrepareStatementCount()).isEqualTo(1);
        }
    }
}
