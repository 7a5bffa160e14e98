package io.distributedid.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

class DataSourceBeansTest {

    private static final String TICKET_SERVERS = "distributedid.ticket.servers";

    private static final String KEYED_SERVERS = "distributedid.keyed.row.server";

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    DataSourceBeansTest() {
        beans.registerSingleton("tickets1", database());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://clerk:top-secret@tickets1/tickets",
                "r2dbc:mysql://clerk:top-secret@tickets1/tickets",
                "tickets1, mysql://clerk:top-secret@tickets1/tickets",
                "jdbc/mysql://clerk:top-secret@tickets1/tickets",
                "java:mysql://clerk:top-secret@tickets1/tickets",
            })
    void aUrlInAWrongFormIsNoBeanNameAndIsReportedWithoutItsPassword(String url) {
        Map<String, Object> settings = in(Map.of("distributedid.backend", "ticket", TICKET_SERVERS, url));

        assertThat(settings).containsEntry(TICKET_SERVERS, url);
        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThatThrownBy(() -> ids.next("photos")).satisfies(failure -> {
                for (Throwable each = failure; each != null; each = each.getCause()) {
                    assertThat(each).message().doesNotContain("top-secret");
                }
            });
        }
    }

    @Test
    void aNameThatIsNoBeanIsReportedWithoutWhatMayBeAPassword() {
        assertThatThrownBy(() -> in(Map.of("distributedid.backend", "ticket", TICKET_SERVERS, "top-secret@tickets1")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting names a bean that is not a DataSource:"
                        + " distributedid.ticket.servers=tickets1, allowed: the beans [tickets1], ");
    }

    @ParameterizedTest
    @CsvSource({
        "distributedid.keyed.row.server, distributedid.keyed.backend, row",
        "distributedid.keyed.section.store, distributedid.keyed.backend, section",
        "distributedid.seq.messages.keyed.row.server, distributedid.backend, memory",
        "distributedid.snowflake.lease.server, distributedid.backend, snowflake",
    })
    void everySettingWithServersTakesBeans(String setting, String place, String value) {
        assertThat(in(Map.of(setting, "tickets1", place, value)).get(setting))
                .asInstanceOf(InstanceOfAssertFactories.list(ConnectionAccess.class))
                .extracting(ConnectionAccess::label)
                .containsExactly("tickets1");
    }

    @Test
    void numbersPerKeyComeFromABean() {
        Map<String, Object> settings = in(Map.of(
                KEYED_SERVERS,
                "tickets1",
                "distributedid.create_tables",
                "true",
                "distributedid.timeout",
                "1m",
                "distributedid.block.timeout",
                "1m"));

        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThat(ids.keyed("messages").next(1)).isEqualTo(1);
        }
    }

    @Test
    void aMissingBeanOfNumbersPerKeyIsRefused() {
        assertThatThrownBy(() -> in(Map.of(KEYED_SERVERS, "tickets3")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting names a bean that is not a DataSource: distributedid.keyed.row.server=tickets3,"
                        + " allowed: the beans [tickets1], JDBC URLs (jdbc:...) or JNDI names (java:...). Tests need no"
                        + " server with distributedid.backend=memory");
    }

    @Test
    void withTheBackendForTestsNoBeanMustBeThere() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", "memory");
        settings.put(TICKET_SERVERS, "tickets3");
        settings.put(KEYED_SERVERS, "tickets3");

        assertThat(in(settings)).isEqualTo(settings);
    }

    @ParameterizedTest
    @CsvSource({
        "distributedid.snowflake.lease.server, application, distributedid.backend, snowflake",
        "distributedid.keyed.section.store, tickets3, distributedid.keyed.backend, row",
        "distributedid.keyed.row.server, tickets3, distributedid.keyed.backend, remote",
    })
    void wordsOfASettingAndServersThatNothingUsesAreNoBeanNames(
            String setting, String value, String place, String placeValue) {
        Map<String, Object> settings = Map.of(setting, value, place, placeValue);

        assertThat(in(settings)).isEqualTo(settings);
    }

    private Map<String, Object> in(Map<String, Object> settings) {
        return new DataSourceBeans(beans, "ids").in(settings);
    }

    private static DataSource database() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:beans" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }
}
