package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.util.ClassUtils;

/** What the dependency does in applications of other kinds. */
class AutoConfigurationTest {

    private static final String[] SNOWFLAKE = {"distributedid.backend=snowflake", "distributedid.snowflake.worker=900"};

    private static final String[] TICKETS = {
        "distributedid.backend=ticket", "distributedid.ticket.numbering=client", "distributedid.create-tables=true"
    };

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ours()));

    @Test
    void withoutJpaTheIdsAreClosedWithTheContext() {
        AtomicReference<DistributedIds> ids = new AtomicReference<>();
        application
                .withClassLoader(new FilteredClassLoader(
                        EntityManagerFactory.class, SessionFactory.class, LocalContainerEntityManagerFactoryBean.class))
                .withPropertyValues(SNOWFLAKE)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    ids.set(context.getBean(DistributedIds.class));
                    assertThat(ids.get().next("photos")).isPositive();
                });
        assertThatThrownBy(() -> ids.get().next("photos"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The source of ids is closed: worker=900");
    }

    @Test
    void withJpaOnTheClassPathButNoPersistenceUnitToo() {
        application
                .withPropertyValues(SNOWFLAKE)
                .run(context -> assertThat(context.getBean(DistributedIds.class).next("photos"))
                        .isPositive());
    }

    @Test
    void withoutSettingsThereIsNoBean() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DistributedIds.class));
    }

    @Test
    void theBeanOfTheApplicationIsLeftAlone() {
        application
                .withPropertyValues(SNOWFLAKE)
                .withBean("mine", DistributedIds.class, () -> DistributedIds.create(Map.of()))
                .run(context -> assertThat(context.getBeanNamesForType(DistributedIds.class))
                        .containsExactly("mine"));
    }

    @Test
    void serversAreDataSourceBeans() {
        application
                .withUserConfiguration(Databases.class)
                .withPropertyValues(TICKETS)
                .withPropertyValues("distributedid.ticket.servers=tickets1,tickets2")
                .run(context -> {
                    DistributedIds ids = context.getBean(DistributedIds.class);
                    assertThat(ids.next("photos")).isPositive();
                    assertThat(ids.admin().counters("photos").lastIds()).containsOnlyKeys("tickets1", "tickets2");
                });
    }

    @Test
    void aListMayHoldBeansAndUrls() {
        application
                .withUserConfiguration(Databases.class)
                .withPropertyValues(TICKETS)
                .withPropertyValues(
                        "distributedid.seq.photos.ticket.servers[0]=tickets1",
                        "distributedid.seq.photos.ticket.servers[1]=jdbc:h2:mem:byurl;DB_CLOSE_DELAY=-1")
                .run(context -> {
                    DistributedIds ids = context.getBean(DistributedIds.class);
                    assertThat(ids.next("photos")).isPositive();
                    assertThat(ids.admin().counters("photos").lastIds())
                            .containsOnlyKeys("tickets1", "jdbc:h2:mem:byurl");
                });
    }

    @Test
    void theApplicationsOwnDatabaseIsItsPrimaryDataSource() {
        application
                .withUserConfiguration(Databases.class)
                .withPropertyValues("distributedid.backend=sequence_table", "distributedid.create-tables=true")
                .run(context -> assertThat(context.getBean(DistributedIds.class).next("photos"))
                        .isEqualTo(1));
    }

    @Test
    void aNameThatIsNoBeanIsRefusedWithTheBeansThatThereAre() {
        application
                .withUserConfiguration(Databases.class)
                .withPropertyValues(TICKETS)
                .withPropertyValues("distributedid.ticket.servers=tickets1, tickets3")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("A setting names a bean that is not a DataSource:"
                                + " distributedid.ticket.servers=tickets3, allowed: the beans [main, tickets1,"
                                + " tickets2], JDBC URLs (jdbc:...) or JNDI names (java:...). Tests need no"
                                + " server with distributedid.backend=memory"));
    }

    @Test
    void aUrlInAWrongFormIsRefusedWithoutItsPassword() {
        application
                .withPropertyValues(TICKETS)
                .withPropertyValues("distributedid.ticket.servers=mysql://clerk:top-secret@tickets1/tickets")
                .run(context -> {
                    Throwable failure = catchThrowable(
                            () -> context.getBean(DistributedIds.class).next("photos"));
                    assertThat(failure).hasStackTraceContaining("distributedid.ticket.servers=mysql://tickets1");
                    for (Throwable each = failure; each != null; each = each.getCause()) {
                        assertThat(each).message().doesNotContain("top-secret");
                    }
                });
    }

    @Test
    void numbersPerKeyComeFromADataSourceBean() {
        application
                .withUserConfiguration(Databases.class)
                .withPropertyValues("distributedid.keyed.row.server=tickets1", "distributedid.create_tables=true")
                .run(context -> assertThat(context.getBean(DistributedIds.class)
                                .keyed("messages")
                                .next(1))
                        .isEqualTo(1));
    }

    @Test
    void degradedHasAPlaceInTheOrderOfStatusesUnlessTheApplicationSetsOne() {
        String order = "management.endpoint.health.status.order";
        ApplicationContextRunner snowflake = application.withPropertyValues(SNOWFLAKE);
        snowflake.run(context -> assertThat(context.getEnvironment().getProperty(order))
                .isEqualTo("DOWN, OUT_OF_SERVICE, DEGRADED, UP, UNKNOWN"));
        snowflake
                .withPropertyValues(order + "=DOWN,UP")
                .run(context ->
                        assertThat(context.getEnvironment().getProperty(order)).isEqualTo("DOWN,UP"));
        snowflake
                .withPropertyValues("management.health.distributedid.enabled=false")
                .run(context ->
                        assertThat(context.getEnvironment().getProperty(order)).isNull());
    }

    @Test
    void aMisspeltSettingFailsTheStart() {
        application
                .withPropertyValues(SNOWFLAKE)
                .withPropertyValues("distributedid.tiket.table=t")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("There is no such setting: distributedid.tiket.table. Did you mean"
                                + " distributedid.ticket.table?"));
    }

    /** As Spring Boot finds them. */
    private static Class<?>[] ours() {
        return ImportCandidates.load(AutoConfiguration.class, AutoConfigurationTest.class.getClassLoader())
                .getCandidates()
                .stream()
                .filter(name -> name.startsWith("io.distributedid."))
                .map(name -> ClassUtils.resolveClassName(name, null))
                .toArray(Class<?>[]::new);
    }

    @Configuration(proxyBeanMethods = false)
    static class Databases {

        @Bean
        @Primary
        DataSource main() {
            return database("main");
        }

        @Bean
        DataSource tickets1() {
            return database("tickets1");
        }

        @Bean
        DataSource tickets2() {
            return database("tickets2");
        }

        private static DataSource database(String name) {
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setURL("jdbc:h2:mem:" + name + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
            return dataSource;
        }
    }
}
