package io.distributedid.spring.data;

import io.distributedid.DistributedIds;
import io.distributedid.spi.Settings;
import io.distributedid.spring.DistributedIdAutoConfiguration;
import io.distributedid.spring.EnvironmentSettings;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.util.ClassUtils;

/**
 * Gives ids to aggregates of Spring Data JDBC and Spring Data R2DBC, if these are on the class path. The ids come from
 * the {@link DistributedIds} bean of {@link DistributedIdAutoConfiguration}, or from that of the application.
 *
 * <p>The conditions have names of classes, since a class literal of a missing class takes its annotation with it where
 * the configuration is read by reflection.
 */
@AutoConfiguration(after = DistributedIdAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.data.relational.core.mapping.RelationalMappingContext")
public final class DistributedIdDataAutoConfiguration {

    private static final String PERSISTENCE_UNIT = "jakarta.persistence.EntityManagerFactory";

    @Bean
    Aggregates distributedIdAggregates(
            ObjectProvider<RelationalMappingContext> contexts,
            ObjectProvider<DistributedIds> ids,
            ConfigurableEnvironment environment,
            ListableBeanFactory beans) {
        return new Aggregates(
                contexts, ids, () -> Settings.of(EnvironmentSettings.of(environment)), hasPersistenceUnit(beans));
    }

    private static boolean hasPersistenceUnit(ListableBeanFactory beans) {
        return ClassUtils.isPresent(PERSISTENCE_UNIT, null)
                && beans.getBeanNamesForType(ClassUtils.resolveClassName(PERSISTENCE_UNIT, null), true, false).length
                        > 0;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.data.jdbc.core.JdbcAggregateTemplate")
    static class Jdbc {

        @Bean
        JdbcIdCallback distributedIdJdbcCallback(Aggregates aggregates) {
            return new JdbcIdCallback(aggregates);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback")
    static class R2dbc {

        @Bean
        R2dbcIdCallback distributedIdR2dbcCallback(Aggregates aggregates) {
            return new R2dbcIdCallback(aggregates);
        }
    }
}
