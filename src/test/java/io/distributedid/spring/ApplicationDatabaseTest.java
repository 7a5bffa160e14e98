package io.distributedid.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Which DataSource bean remembers where ids come from, without JPA. */
class ApplicationDatabaseTest {

    private static final String SERVERS = "distributedid.sequence_table.servers";

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("ids1", "ids2", "app", "other");
    }

    @Test
    void anotherServerIsRefusedByTheDatabaseThatRemains() throws SQLException {
        register("ids1", false);
        register("app", false);
        try (LoggedWarnings warnings = LoggedWarnings.ofPackage(getClass().getPackage());
                DistributedIds ids = ids(SERVERS, "ids1")) {
            assertThat(ids.next("photos")).isEqualTo(1);
            assertThat(warnings.messages()).isEmpty();
        }
        assertThat(tokens("app")).hasSize(1);
        beans.destroySingletons();
        beans.removeBeanDefinition("ids1");
        register("ids2", false);

        try (DistributedIds ids = ids(SERVERS, "ids2")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("from another place than before: seq=photos");
        }
    }

    @Test
    void aPrimaryServerOfIdsIsLeftOutToo() throws SQLException {
        register("ids1", true);
        register("app", false);

        try (DistributedIds ids = ids(SERVERS, "ids1")) {
            ids.next("photos");
        }

        assertThat(tokens("app")).hasSize(1);
    }

    @Test
    void thePrimaryOneOfSeveralThatRemainIsTaken() throws SQLException {
        register("ids1", false);
        register("app", true);
        register("other", false);

        try (DistributedIds ids = ids(SERVERS, "ids1")) {
            ids.next("photos");
        }

        assertThat(tokens("app")).hasSize(1);
    }

    @Test
    void aServerOfIdsThatIsTheOnlyOneIsWarnedOf() throws SQLException {
        register("ids1", false);
        try (LoggedWarnings warnings = LoggedWarnings.ofPackage(getClass().getPackage());
                DistributedIds ids = ids(SERVERS, "ids1")) {
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .startsWith("The only or primary DataSource bean is a server of ids, and stores itself where they"
                            + " come from: distributedid.sequence_table.servers=ids1. If another server takes its"
                            + " place, nothing notices, and both give the same ids.");
            ids.next("photos");
        }
        assertThat(tokens("ids1")).as("so that another table there is noticed").hasSize(1);
    }

    @Test
    void aServerOfNumbersPerKeyMayBeTheDatabaseOfTheApplication() throws SQLException {
        register("app", false);
        try (LoggedWarnings warnings = LoggedWarnings.ofPackage(getClass().getPackage());
                DistributedIds ids = ids(SERVERS, url("ids1"), "distributedid.keyed.row.servers", "app")) {
            ids.next("photos");
            assertThat(warnings.messages()).isEmpty();
        }
        assertThat(tokens("app")).hasSize(1);
    }

    private DistributedIds ids(String... settings) {
        Map<String, Object> all = new HashMap<>();
        all.put("distributedid.backend", "sequence_table");
        all.put("distributedid.sequence_table.create_table", "true");
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", all));
        return new DistributedIdAutoConfiguration.WithoutPersistenceUnit()
                .distributedIds(environment, beans, beans.getBeanProvider(DataSource.class));
    }

    private void register(String name, boolean isPrimary) {
        beans.registerBeanDefinition(
                name,
                BeanDefinitionBuilder.genericBeanDefinition(DataSource.class, () -> database(name))
                        .setPrimary(isPrimary)
                        .getBeanDefinition());
    }

    private static DataSource database(String name) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url(name));
        return dataSource;
    }

    private static String url(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    private static List<String> tokens(String database) throws SQLException {
        return DatabaseRows.rows(url(database), "SELECT token FROM distributedid_record WHERE counter = '@photos'");
    }
}
