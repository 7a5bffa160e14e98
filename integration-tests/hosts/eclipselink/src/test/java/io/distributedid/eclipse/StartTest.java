package io.distributedid.eclipse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.eclipselink.DistributedIdCustomizer;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** Settings in {@code persistence.xml}, tables, and what a start refuses. */
class StartTest {

    private final Application application = Application.onUrl();

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(Application refused) {
        return assertThatThrownBy(() -> refused.start().close()).rootCause();
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("distributedid"))
                .toList();
    }

    @Test
    void theSchemaHasOurTablesAndNoneOfEclipseLinksSequences() {
        try (EntityManagerFactory factory = application.start()) {
            assertThat(Application.persist(factory, 3))
                    .extracting(photo -> photo.id)
                    .containsExactly(1L, 2L, 3L);
            Album album = new Album();
            Application.inTransaction(factory, manager -> {
                manager.persist(album);
                return album;
            });

            assertThat(album.id).isEqualTo(1);
            assertThat(application.tables()).containsExactly("ALBUM", "DISTRIBUTEDID", "PHOTO", "SEQUENCE");
            assertThat(application.query("SELECT name FROM sequence ORDER BY name"))
                    .containsExactly("albums", "numbers", "photos");
            assertThat(application.query("SELECT sequence_name FROM information_schema.sequences"))
                    .isEmpty();
        }
    }

    @Test
    void dropAndCreateKeepsTheCounters() {
        try (EntityManagerFactory factory = application.start()) {
            Application.persist(factory, 3);
        }
        application.with(Application.ACTION, "drop-and-create");
        try (EntityManagerFactory factory = application.start()) {
            assertThat(application.query("SELECT id FROM Photo")).isEmpty();
            assertThat(Application.persist(factory, 1).get(0).id).isGreaterThan(3);
        }
    }

    @Test
    void eclipseLinksOwnSettingCreatesOurTablesToo() {
        application.with(Application.ACTION, "none").with("eclipselink.ddl-generation", "create-or-extend-tables");
        try (EntityManagerFactory factory = application.start()) {
            assertThat(Application.persist(factory, 1).get(0).id).isEqualTo(1);
        }
    }

    @Test
    void withoutSchemaGenerationTheFirstClientMayCreateTheTable() {
        application.start().close();
        application.execute("DROP TABLE sequence");
        application.execute("DROP TABLE distributedid");
        application.with(Application.ACTION, "none").with("distributedid.create_tables", "true");
        try (EntityManagerFactory factory = application.start()) {
            assertThat(Application.persist(factory, 1).get(0).id).isEqualTo(1);
        }
    }

    @Test
    void aMissingTableIsRefused() {
        application.execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY, number BIGINT, title VARCHAR(255))");
        application.with(Application.ACTION, "none");
        assertThatThrownBy(() -> application.start().close())
                .hasStackTraceContaining("Album.id (seq=albums): ")
                .hasStackTraceContaining("distributedid.create_tables=true");
    }

    @Test
    void aConnectionThatFailedGoesBackAsItCame() {
        List<Boolean> returned = new CopyOnWriteArrayList<>();
        Application pooled = new Application("photos");
        pooled.with("jakarta.persistence.nonJtaDataSource", withoutAutoCommit(pooled.url(), returned))
                .with("distributedid.sequence_table.table", "nowhere.sequence");

        assertThatThrownBy(() -> pooled.start().close()).hasStackTraceContaining("Schema \"NOWHERE\" not found");

        assertThat(returned).isNotEmpty().containsOnly(false);
    }

    /** Adds whether a connection commits by itself when a thread of ours gives it back. */
    private static DataSource withoutAutoCommit(String url, List<Boolean> returned) {
        ClassLoader loader = StartTest.class.getClassLoader();
        return (DataSource) Proxy.newProxyInstance(loader, new Class<?>[] {DataSource.class}, (pool, get, none) -> {
            Connection connection = DriverManager.getConnection(url);
            connection.setAutoCommit(false);
            return Proxy.newProxyInstance(loader, new Class<?>[] {Connection.class}, (borrowed, method, arguments) -> {
                if (method.getName().equals("close")
                        && Thread.currentThread().getName().startsWith("distributedid")) {
                    returned.add(connection.getAutoCommit());
                }
                try {
                    return method.invoke(connection, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
        });
    }

    @Test
    void aCounterBelowExistingIdsIsRefused() {
        application.start().close();
        application.execute("INSERT INTO Photo (id, number) VALUES (500, 1)");
        assertThatThrownBy(() -> application.start().close())
                .hasStackTraceContaining("Photo (seq=photos): ")
                .hasStackTraceContaining("500");
    }

    @Test
    void aCounterIsRaised() {
        application.start().close();
        application.execute("INSERT INTO Photo (id, number) VALUES (500, 500)");
        application.with("distributedid.existing_ids", "raise");
        try (EntityManagerFactory factory = application.start()) {
            assertThat(Application.persist(factory, 1).get(0).id).isEqualTo(501);
        }
    }

    @Test
    void aMisspeltSettingIsRefused() {
        refused(application.with("distributedid.sequence_table.create_tabel", "true"))
                .hasMessageContaining("distributedid.sequence_table.create_tabel")
                .hasMessageContaining("distributedid.create_tables");
    }

    @Test
    void aSequenceOfNoEntityIsRefusedIfAsked() {
        refused(application
                        .with("distributedid.unused_sequences", "refuse")
                        .with("distributedid.seq.photo.block.max", "10"))
                .hasMessageContaining("seq=photo (did you mean photos?)");
    }

    @Test
    void aNumberPerKeyIsRefused() {
        Application keyed = new Application("misplaced");
        refused(keyed.with("jakarta.persistence.jdbc.url", keyed.url()))
                .hasMessage("A @DistributedValue has no effect here: Keyed.number, because numbers per key are for"
                        + " Hibernate. Take them from DistributedIds.keyed");
    }

    @Test
    void idsThatHoldTheShardOfTheRowAreRefused() {
        refused(application
                        .with("distributedid.backend", "snowflake")
                        .with("distributedid.snowflake.layout", "sharded")
                        .with("distributedid.snowflake.epoch", "2024-01-01T00:00:00Z")
                        .with("distributedid.snowflake.worker", "1")
                        .with("distributedid.shard.count", "8")
                        .with("distributedid.shard.from", "caller"))
                .hasMessageContaining("With EclipseLink, a sequence must need nothing from the row: seq=albums")
                .hasMessageContaining("its ids hold the shard of the row (shard.from)");
    }

    @Test
    void theStartCanBeRepeatedAfterARefusal() {
        application.with("distributedid.backend", "nonsense");
        assertThatThrownBy(() -> application.start().close()).hasStackTraceContaining("nonsense");
        application.with("distributedid.backend", "sequence_table");
        try (EntityManagerFactory factory = application.start()) {
            assertThat(Application.persist(factory, 1)).hasSize(1);
        }
    }

    /** EclipseLink takes the session for started, and would go on. */
    @Test
    void aLaterManagerGetsNoIdsAfterARefusal() {
        application.start().close();
        application.execute("INSERT INTO Photo (id, number) VALUES (500, 500)");
        application.with("eclipselink.deploy-on-startup", "false");
        try (EntityManagerFactory factory = application.start()) {
            assertThatThrownBy(factory::createEntityManager).hasStackTraceContaining("Photo (seq=photos): ");
            assertThatThrownBy(() -> Application.persist(factory, 1)).hasStackTraceContaining("Photo (seq=photos): ");
            assertThat(application.query("SELECT id FROM Photo")).containsExactly("500");
        }
    }

    @Test
    void closingTheFactoryEndsThreadsAndIds() throws InterruptedException {
        EntityManagerFactory factory = application.start();
        Application.persist(factory, 10);
        List<Thread> threads = threads();
        assertThat(threads).isNotEmpty().allMatch(Thread::isDaemon);
        DistributedIds ids = DistributedIdCustomizer.ids(factory);

        factory.close();

        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
        assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdUnavailableException.class);
    }
}
