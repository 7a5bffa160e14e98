package io.distributedid.spring;

import io.distributedid.DistributedIdSettings;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Gives {@code distributedid.*} to every persistence unit before it starts. The unit's own properties win, for example
 * {@code spring.jpa.properties.distributedid.*}.
 */
final class PersistenceUnitSettings implements BeanPostProcessor {

    private final ConfigurableEnvironment environment;

    private final ConfigurableListableBeanFactory beans;

    PersistenceUnitSettings(ConfigurableEnvironment environment, ConfigurableListableBeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof AbstractEntityManagerFactoryBean unit) {
            Map<String, Object> properties = unit.getJpaPropertyMap();
            Map<String, Object> settings = new TreeMap<>(EnvironmentSettings.of(environment));
            properties.forEach((key, value) -> {
                if (key.startsWith(DistributedIdSettings.PREFIX)) {
                    settings.put(key, value);
                }
            });
            properties.putAll(new DataSourceBeans(beans, name).in(settings));
        }
        return bean;
    }
}
