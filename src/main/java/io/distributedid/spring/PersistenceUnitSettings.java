package io.distributedid.spring;

import io.distributedid.spi.Setting;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Gives {@code distributedid.*} to every persistence unit before it starts. The unit's own properties win, for example
 * {@code spring.jpa.properties.distributedid.*}.
 */
final class PersistenceUnitSettings implements BeanPostProcessor {

    private static final Logger LOG = System.getLogger(PersistenceUnitSettings.class.getName());

    /** The beans by which Boot replaces the database of a test, unless {@code spring.test.database.replace} is NONE. */
    private static final List<String> REPLACING =
            List.of("nonTestEmbeddedDataSourceBeanFactoryPostProcessor", "embeddedDataSourceBeanFactoryPostProcessor");

    private final ConfigurableEnvironment environment;

    private final ConfigurableListableBeanFactory beans;

    PersistenceUnitSettings(ConfigurableEnvironment environment, ConfigurableListableBeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof AbstractEntityManagerFactoryBean unit) {
            warnIfTestKeeps(unit.getDataSource());
            Map<String, Object> properties = unit.getJpaPropertyMap();
            Map<String, Object> settings = new TreeMap<>(EnvironmentSettings.of(environment));
            properties.forEach((key, value) -> {
                if (key.startsWith(Setting.PREFIX)) {
                    settings.put(key, value);
                }
            });
            properties.putAll(new DataSourceBeans(beans, name).in(settings));
        }
        return bean;
    }

    /** Follows the rule of Boot's TestDatabaseAutoConfiguration, whose own warning does not mention the tables. */
    private void warnIfTestKeeps(@Nullable DataSource database) {
        List<String> all = List.of(beans.getBeanNamesForType(DataSource.class, true, false));
        if (database != null
                && REPLACING.stream().anyMatch(beans::containsBean)
                && all.size() > 1
                && all.stream()
                        .noneMatch(each -> beans.getMergedBeanDefinition(each).isPrimary())
                && !EmbeddedDatabaseConnection.isEmbedded(database)) {
            LOG.log(
                    Level.WARNING,
                    "This test runs on the configured database, whose tables Hibernate may drop, because Spring Boot"
                            + " replaces only a single or primary DataSource bean: beans=" + all + ". Name the servers"
                            + " of ids by JDBC URLs, or mark the application's own bean @Primary. If the test needs"
                            + " that database, set spring.test.database.replace=NONE");
        }
    }
}
