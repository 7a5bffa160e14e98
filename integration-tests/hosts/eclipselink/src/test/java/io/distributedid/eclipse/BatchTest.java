package io.distributedid.eclipse;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ids are known before the INSERT, so EclipseLink writes in batches. */
class BatchTest {

    private static final int ROWS = 1_000;

    @Test
    void aThousandRowsAreTenBatches() {
        Application application = new Application("photos");
        ObservedDataSource pool = new ObservedDataSource(application.url());
        application
                .with("jakarta.persistence.nonJtaDataSource", pool.dataSource())
                .with("eclipselink.jdbc.batch-writing", "JDBC")
                .with("eclipselink.jdbc.batch-writing.size", "100");
        try (EntityManagerFactory factory = application.start()) {
            List<Photo> photos = Application.persist(factory, ROWS);

            assertThat(pool.calls)
                    .containsEntry("addBatch INSERT INTO PHOTO", ROWS)
                    .containsEntry("executeBatch INSERT INTO PHOTO", ROWS / 100)
                    .doesNotContainKey("executeUpdate INSERT INTO PHOTO");
            assertThat(application.query("SELECT id FROM Photo"))
                    .containsExactlyInAnyOrderElementsOf(
                            photos.stream().map(photo -> photo.id.toString()).toList());
            assertThat(application.query("SELECT DISTINCT number FROM Photo")).hasSize(ROWS);
        }
        assertThat(pool.open).as("connections after the close").hasValue(0);
    }
}
