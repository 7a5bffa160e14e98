package io.distributedid.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {

    /** A backend of somebody else's, whose secret has a name that does not say so. */
    public static final class VaultBackendProvider implements BackendProvider {

        public VaultBackendProvider() {}

        @Override
        public String name() {
            return "vault";
        }

        @Override
        public Collection<Setting<?>> settings() {
            return List.of(
                    Setting.password("distributedid.my.key", "For tests."),
                    Setting.text("distributedid.my.pass_through", "For tests.", "a text"),
                    Setting.text("distributedid.my.a", "For tests.", "anything"),
                    Setting.text("distributedid.my.b", "For tests.", "anything"),
                    Setting.text("distributedid.my.c", "For tests.", "anything"),
                    Setting.text("distributedid.my.d", "For tests.", "anything"),
                    Setting.text("distributedid.my.e", "For tests.", "anything"),
                    Setting.text("distributedid.my.f", "For tests.", "anything"),
                    Setting.servers("distributedid.my.servers", "For tests."));
        }

        @Override
        public Backend create(BackendContext context) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void aSecretIsWhatItsDeclarationSays() {
        assertThat(said(Map.of(
                        "distributedid.backend", "snowflake",
                        "distributedid.ticket.password", "s3cr3t",
                        "distributedid.seq.photos.backend", VaultBackendProvider.class.getName(),
                        "distributedid.seq.photos.my.key", "s3cr3t",
                        "distributedid.my.key", "s3cr3t",
                        "distributedid.my.pass_through", "yes",
                        "distributedid.my.kee", "s3cr3t")))
                .isEqualTo("backend=snowflake; my.kee=***; my.key=***; my.pass_through=yes; seq.photos.backend="
                        + VaultBackendProvider.class.getName()
                        + "; seq.photos.my.key=***; snowflake.layout=snowflake; ticket.password=***");
    }

    @Test
    void settingsAreSaidInOrderWithWhatIsTakenByDefault() {
        assertThat(said(Map.of(
                        "distributedid.backend", "ticket",
                        "distributedid.ticket.servers", "jdbc:mysql://t1/tickets, jdbc:mysql://t2/tickets?useSSL=false",
                        "distributedid.ticket.user", "clerk",
                        "distributedid.ticket.password", "s3cr3t",
                        "distributedid.seq.users.backend", "snowflake",
                        "distributedid.seq.users.snowflake.worker", 7)))
                .isEqualTo("backend=ticket; seq.users.backend=snowflake; seq.users.snowflake.layout=snowflake;"
                        + " seq.users.snowflake.worker=7; ticket.password=***;"
                        + " ticket.servers=jdbc:mysql://t1/tickets, jdbc:mysql://t2/tickets; ticket.table=Tickets64;"
                        + " ticket.user=***");
    }

    @Test
    void aLayoutIsSaidAsItWasWritten() {
        assertThat(said(Map.of(
                        "distributedid.backend", "snowflake",
                        "distributedid.snowflake.layout", "time(ms):41, worker:10, sequence:12",
                        "distributedid.snowflake.worker", "lease",
                        "distributedid.snowflake.lease.server", new JdbcDataSource())))
                .isEqualTo("backend=snowflake; snowflake.layout=time(ms):41, worker:10, sequence:12;"
                        + " snowflake.lease.server=data source; snowflake.worker=lease");
    }

    @Test
    void valuesOfAllKindsAreSaid() {
        ConnectionAccess access = new ConnectionAccess() {
            @Override
            public Connection obtain() {
                throw new UnsupportedOperationException();
            }

            @Override
            public String label() {
                return "the application's database";
            }
        };

        assertThat(said(Map.of(
                        "distributedid.backend",
                        VaultBackendProvider.class.getName(),
                        "distributedid.my.a",
                        true,
                        "distributedid.my.b",
                        TimeUnit.DAYS,
                        "distributedid.my.c",
                        Duration.ofSeconds(3),
                        "distributedid.my.d",
                        List.of(access, 7L),
                        "distributedid.my.e",
                        new StringBuilder("text"),
                        "distributedid.my.f",
                        new Object())))
                .endsWith("; my.a=true; my.b=DAYS; my.c=PT3S; my.d=the application's database, 7;"
                        + " my.e=text; my.f=java.lang.Object");
    }

    @Test
    void aSequenceWithoutABackendOfItsOwnHasTheDefaultsOfAll() {
        assertThat(said(Map.of("distributedid.backend", "ticket", "distributedid.seq.photos.block.max", "7")))
                .isEqualTo("backend=ticket; seq.photos.block.max=7; ticket.table=Tickets64");
    }

    @Test
    void otherDefaultsOfTheBackendsInUseAreKnown() {
        Map<String, String> defaults = InstalledBackends.installed()
                .configuration(Settings.of(Map.of(
                        "distributedid.backend", "memory",
                        "distributedid.block.max", "7",
                        "distributedid.seq.users.backend", "snowflake",
                        "distributedid.seq.users.snowflake.worker", 7)))
                .defaults();

        assertThat(defaults)
                .containsEntry("block.min", "16")
                .containsEntry("memory.start", "1000001")
                .containsEntry("snowflake.max_ahead", "100ms")
                .doesNotContainKeys("block.max", "ticket.table", "snowflake.lease.password");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:nosuch://clerk:s3cr3t@t1/tickets | jdbc:nosuch://t1/tickets",
                "jdbc:nosuch://clerk:p@s3cr3t@t1/tickets | jdbc:nosuch://t1/tickets",
                "jdbc:nosuch://clerk:s/s3cr3t@t1/tickets | jdbc:nosuch://t1/tickets",
                "jdbc:nosuch://t1/tickets?user=clerk&password=s3cr3t | jdbc:nosuch://t1/tickets",
                "jdbc:nosuch://address=(host=t1)(user=clerk)(password=s3cr3t)/tickets | jdbc:nosuch://t1/tickets",
                "jdbc:nosuch://(host=t1,user=clerk,password=s3cr3t)/tickets | jdbc:nosuch://t1/tickets",
                "jdbc:oracle:thin:clerk/s3cr3t@t1:1521/tickets | jdbc:oracle:thin:t1:1521/tickets",
                "mysql://clerk:s3cr3t@t1/tickets | mysql://t1/tickets",
                "https://clerk:s3cr3t@ids1:8443, https://ids2:8443 | https://ids1:8443, https://ids2:8443",
                "redis://:s3cr3t@t1:6379/0 | redis://t1:6379/0",
                "t1/tickets?user=clerk&password=s3cr3t | t1/tickets?user=***&password=***",
                "host=t1 user=clerk password=s3cr3t dbname=tickets | host=t1 user=*** password=*** dbname=tickets",
                "clerk:s3cr3t@t1 | t1",
                "jdbc:h2:mem:t1;USER=clerk;PASSWORD=s3cr3t, jdbc:h2:mem:t2;PASSWORD=s3cr3t | jdbc:h2:mem:t1,"
                        + " jdbc:h2:mem:t2"
            })
    void userAndPasswordOfAServerAreNotSaid(String server, String start) {
        assertThat(said(Map.of(
                        "distributedid.backend",
                        VaultBackendProvider.class.getName(),
                        "distributedid.my.servers",
                        server)))
                .endsWith("; my.servers=" + start)
                .doesNotContain("s3cr3t", "clerk");
    }

    @Test
    void theConfigurationIsLoggedOnce() {
        Logger logger = Logger.getLogger("io.distributedid");
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (Thread.currentThread().getName().equals("configuring")) {
                    lines.add(entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry));
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        String name = Thread.currentThread().getName();
        logger.addHandler(handler);
        Thread.currentThread().setName("configuring");
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "1017",
                "distributedid.snowflake.lease.password", "s3cr3t"))) {
            ids.next("photos");
            ids.next("users");
        } finally {
            logger.removeHandler(handler);
            Thread.currentThread().setName(name);
        }

        assertThat(lines)
                .filteredOn(line -> line.startsWith("INFO"))
                .containsExactly("INFO Ids are configured: backend=snowflake; snowflake.layout=snowflake;"
                        + " snowflake.lease.password=***; snowflake.worker=1017");
    }

    private static String said(Map<String, ?> settings) {
        return InstalledBackends.installed()
                .configuration(Settings.of(settings))
                .toString();
    }
}
