package io.distributedid.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.PatientSettings;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Which DataSource bean is the application's database, and which remember where ids come from, without JPA. */
@Tag("slow")
class ApplicationDatabaseTest {

    private static final String SERVERS = "distributedid.sequence_table.servers";

    private static final String KEYS_TABLE = "distributedid.create_tables";

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("ids1", "ids2", "app", "other");
    }

    @Test
    void anotherServerIsRefusedByTheDatabaseThatRemains() throws SQLException {
        register("ids1", false);
        register("app", true);
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
                    .hasMessageContaining("from a different place than before: seq=photos");
        }
    }

    @Test
    void besideAPrimaryServerOfIdsAnotherBeanRemembersToo() throws SQLException {
        register("ids1", true);
        register("app", false);

        try (DistributedIds ids = ids(SERVERS, "ids1")) {
            ids.next("photos");
        }

        assertThat(tokens("app")).hasSize(1).isEqualTo(tokens("ids1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "distributedid.keyed.row.server",
                "distributedid.seq.users.keyed.row.server",
                "distributedid.seq.users.sequence_table.servers"
            })
    void thePrimaryBeanStaysTheDefaultAlsoAsAServer(String setting) {
        register("app", true);
        register("other", false);
        try (DistributedIds ids = ids(KEYS_TABLE, "true")) {
            assertThat(ids.next("photos")).isEqualTo(1);
            assertThat(ids.keyed("messages").next(7)).isEqualTo(1);
        }

        try (DistributedIds ids = ids(KEYS_TABLE, "true", setting, "app")) {
            assertThat(ids.next("photos")).isGreaterThan(1);
            assertThat(ids.keyed("messages").next(7)).isEqualTo(2);
        }
    }

    @Test
    void workerNumbersOfTheApplicationStayToo() throws SQLException {
        register("app", true);
        register("other", false);
        String[] settings = {
            "distributedid.seq.photos.backend",
            "snowflake",
            "distributedid.snowflake.worker",
            "lease",
            "distributedid.snowflake.lease.server",
            "application",
            "distributedid.create_tables",
            "true",
            SERVERS,
            "app"
        };

        try (DistributedIds ids = ids(settings)) {
            ids.next("photos");
            ids.next("users");
        }

        assertThat(DatabaseRows.rows(url("app"), "SELECT name FROM distributedid WHERE name = '@worker/0'"))
                .hasSize(1);
    }

    @Test
    void whatThePrimaryBeanRemembersIsComparedAlsoOnceItIsAServer() throws SQLException {
        register("app", true);
        register("other", false);
        try (DistributedIds ids = ids()) {
            ids.next("photos");
        }

        try (DistributedIds ids = ids(SERVERS, "app", "distributedid.sequence_table.table", "another")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("from a different place than before: seq=photos")
                    .hasMessageContaining("the application's DataSource holds ids");
        }

        try (DistributedIds ids = ids(SERVERS, "app")) {
            assertThat(ids.next("photos"))
                    .as("the other bean has not stored what was refused")
                    .isGreaterThan(1);
        }
        assertThat(tokens("other")).hasSize(1).isEqualTo(tokens("app"));
    }

    @Test
    void withoutAPrimaryBeanNoneIsGuessedAsTheDefault() {
        register("ids1", false);
        register("app", false);

        try (DistributedIds ids = ids(SERVERS, url("ids1"), KEYS_TABLE, "true")) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("distributedid.keyed.row.server")
                    .hasMessageContaining("several DataSource beans of which none is primary");
        }
    }

    /** Else another sequence that uses the bean {@code app} would make this one forget its place. */
    @Test
    void withoutAPrimaryBeanNoneIsGuessedAsTheOneThatRemembers() {
        register("ids1", false);
        register("app", false);

        assertThatThrownBy(() -> ids(SERVERS, "ids1"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("Several DataSource beans are injected by type, and none is primary:"
                        + " distributedid.sequence_table.servers=ids1, others [app]. The bean of the application's own"
                        + " database must remember where ids come from. Otherwise, nothing notices another server that"
                        + " issues the same ids. Mark that bean @Primary, or name the servers of ids by JDBC URLs: all,"
                        + " if none of these beans is the application's own");
        assertThat(beans.containsSingleton("app")).isFalse();

        beans.getBeanDefinition("ids1").setAutowireCandidate(false);
        try (DistributedIds ids = ids(SERVERS, "ids1")) {
            assertThat(ids.next("photos")).isEqualTo(1);
        }
    }

    /** Each would be beside the servers of ids only until the other sequence uses it. */
    @Test
    void whatOtherSequencesUseMakesNoDifference() {
        register("ids1", false);
        register("app", false);

        assertThatThrownBy(() -> ids(
                        "distributedid.seq.photos.sequence_table.servers",
                        "ids1",
                        "distributedid.seq.users.sequence_table.servers",
                        "app"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("sequence_table.servers=");
    }

    @Test
    void serversThatAreNotInjectedByTypeMayStandBesideSeveralBeans() {
        register("ids1", false);
        beans.getBeanDefinition("ids1").setAutowireCandidate(false);
        register("app", false);
        register("other", false);

        try (DistributedIds ids = ids(SERVERS, "ids1")) {
            assertThat(ids.next("photos")).isEqualTo(1);
        }
    }

    @Test
    void beansOfAParentContextAreJudgedByTheirOwnDefinition() {
        register("ids1", false);
        register("other", false);
        for (String name : List.of("ids1", "other")) {
            beans.getBeanDefinition(name).setAutowireCandidate(false);
        }

        try (DistributedIds ids = ids(new DefaultListableBeanFactory(beans), SERVERS, "ids1")) {
            assertThat(ids.next("photos")).isEqualTo(1);
        }
    }

    @Test
    void aRefusalShowsNoPassword() {
        register("ids1", false);
        register("app", false);

        assertThatThrownBy(
                        () -> ids(SERVERS + "[0]", "ids1", SERVERS + "[1]", "jdbc:h2:mem:ids2;USER=sa;PASSWORD=s3cr3t"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("sequence_table.servers=ids1, jdbc:h2:mem:ids2, others [app]");
    }

    @Test
    void serversOfIdsNeedNoOtherBean() {
        register("ids1", false);
        register("ids2", false);

        try (DistributedIds ids = ids(SERVERS, "ids1, ids2")) {
            assertThat(ids.next("photos")).isPositive();
        }
    }

    @Test
    void aBeanThatIsNotNeededIsNotCreated() throws SQLException {
        register("app", true);
        beans.registerBeanDefinition(
                "broken",
                BeanDefinitionBuilder.genericBeanDefinition(DataSource.class, () -> {
                            throw new IllegalStateException("no driver");
                        })
                        .setLazyInit(true)
                        .getBeanDefinition());
        try (DistributedIds ids = ids()) {
            assertThat(ids.next("photos")).isEqualTo(1);
        }
        register("other", false);

        try (DistributedIds ids = ids(SERVERS, "app")) {
            assertThat(ids.next("photos")).isGreaterThan(1);
        }

        assertThat(beans.containsSingleton("other")).isFalse();
    }

    @Test
    void aBeanThatIsNotInjectedByTypeRemembersNothing() throws SQLException {
        register("ids1", true);
        register("app", false);
        register("other", false);
        beans.getBeanDefinition("other").setAutowireCandidate(false);

        try (DistributedIds ids = ids(SERVERS, "ids1")) {
            ids.next("photos");
        }

        assertThat(tokens("app")).hasSize(1);
        assertThat(beans.containsSingleton("other")).isFalse();
    }

    @Test
    void anAliasNamesTheSameServer() throws SQLException {
        register("ids1", true);
        beans.registerAlias("ids1", "first");
        register("app", false);

        try (DistributedIds ids = ids(SERVERS, "first")) {
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
                    .startsWith("The only or primary DataSource bean is a server of ids, and itself remembers where"
                            + " they come from: distributedid.sequence_table.servers=ids1. If another server takes its"
                            + " place, nothing notices, and both issue the same ids.");
            ids.next("photos");
        }
        assertThat(tokens("ids1")).as("so that another table there is noticed").hasSize(1);
    }

    @Test
    void aServerOfNumbersPerKeyMayBeTheDatabaseOfTheApplication() throws SQLException {
        register("app", false);
        try (LoggedWarnings warnings = LoggedWarnings.ofPackage(getClass().getPackage());
                DistributedIds ids = ids(SERVERS, url("ids1"), "distributedid.keyed.row.server", "app")) {
            ids.next("photos");
            assertThat(warnings.messages()).isEmpty();
        }
        assertThat(tokens("app")).hasSize(1);
    }

    private DistributedIds ids(String... settings) {
        return ids(beans, settings);
    }

    private static DistributedIds ids(DefaultListableBeanFactory beans, String... settings) {
        Map<String, Object> all = new HashMap<>();
        all.put("distributedid.backend", "sequence_table");
        all.put("distributedid.create_tables", "true");
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", PatientSettings.of(all)));
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
        return DatabaseRows.rows(
                url(database), "SELECT SUBSTRING(text, 7) FROM distributedid WHERE name = '@place/photos'");
    }
}
