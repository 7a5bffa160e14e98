package io.distributedid.spring;

import io.distributedid.DistributedIds;
import io.distributedid.eclipselink.DistributedIdCustomizer;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;
import org.springframework.util.ClassUtils;

/**
 * Configures a Spring Boot application by its {@code distributedid.*} properties. Persistence units get these settings,
 * and there is a {@link DistributedIds} bean. With JPA the bean is that of the persistence unit; without JPA it belongs
 * to the context, and is closed with it.
 *
 * <p>Servers may be named by DataSource beans: {@code distributedid.ticket.servers=tickets1, tickets2}.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
public final class DistributedIdAutoConfiguration {

    private static final String IDS = "distributedIds";

    /** With JPA on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(AbstractEntityManagerFactoryBean.class)
    static class WithJpa {

        @Bean
        static PersistenceUnitSettings distributedIdPersistenceUnitSettings(
                ConfigurableEnvironment environment, ConfigurableListableBeanFactory beans) {
            return new PersistenceUnitSettings(environment, beans);
        }

        /** Lazy, since the persistence unit may start in the background. The persistence unit closes it. */
        @Bean(name = IDS, destroyMethod = "")
        @Lazy
        @ConditionalOnSingleCandidate(EntityManagerFactory.class)
        @ConditionalOnMissingBean
        DistributedIds distributedIds(EntityManagerFactory factory) {
            return isOfHibernate(factory)
                    ? DistributedIdService.of(factory).ids()
                    : DistributedIdCustomizer.ids(factory);
        }

        /** Hibernate may be on the class path of an application that uses EclipseLink, but need not be. */
        private static boolean isOfHibernate(EntityManagerFactory factory) {
            if (!ClassUtils.isPresent("org.hibernate.SessionFactory", null)) {
                return false;
            }
            try {
                factory.unwrap(SessionFactory.class);
                return true;
            } catch (PersistenceException e) {
                return false;
            }
        }
    }

    /** Matches if the environment has any of our settings. */
    static class OnSettings implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return context.getEnvironment() instanceof ConfigurableEnvironment environment
                    && !EnvironmentSettings.of(environment).isEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Conditional(OnSettings.class)
    static class Shown {

        @Bean
        DistributedIdProperties distributedIdProperties(ConfigurableEnvironment environment) {
            return new DistributedIdProperties(EnvironmentSettings.of(environment));
        }
    }

    /** Without a persistence unit. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnSettings.class)
    @ConditionalOnMissingBean(type = "jakarta.persistence.EntityManagerFactory")
    static class WithoutPersistenceUnit {

        /** Flyway refuses a schema that has a table of ours before its first migration. */
        @Bean(name = IDS, destroyMethod = "close")
        @ConditionalOnMissingBean
        @DependsOnDatabaseInitialization
        DistributedIds distributedIds(
                ConfigurableEnvironment environment,
                ConfigurableListableBeanFactory beans,
                ObjectProvider<DataSource> dataSources) {
            Map<String, Object> settings = new DataSourceBeans(beans, IDS).in(EnvironmentSettings.of(environment));
            DistributedIds.Builder builder = DistributedIds.builder().settings(settings);
            new ApplicationDatabase(beans, settings, dataSources).addTo(builder);
            return builder.build();
        }
    }
}
