package io.distributedid.spring;

import io.distributedid.DistributedIds;
import io.distributedid.IdHealth;
import io.distributedid.micrometer.DistributedIdMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Meters and health of {@link DistributedIds} for Spring Boot's actuator, if that is on the class path.
 * {@code management.health.distributedid.enabled=false} switches the health off.
 *
 * <p>Spring does not know {@code DEGRADED} and would leave it out of the status of the application. So the default of
 * {@code management.endpoint.health.status.order} has it here, between {@code OUT_OF_SERVICE} and {@code UP}; an order
 * or a {@code StatusAggregator} of the application counts instead. It answers with 200. That is right: ids are
 * available, and a load balancer must not remove the application.
 */
@AutoConfiguration(
        after = DistributedIdAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration",
            "org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration"
        })
@ConditionalOnBean(DistributedIds.class)
public final class DistributedIdActuatorAutoConfiguration {

    /** The name of the bean. Without {@code HealthIndicator} it is the name of the health component. */
    private static final String HEALTH = "distributedIdHealthIndicator";

    private static final String HEALTH_ENABLED = "management.health.distributedid.enabled";

    /** Spring's own order, with our status between those that answer 503 and those that are good. */
    private static final String STATUS_ORDER = "DOWN, OUT_OF_SERVICE, " + IdHealth.Status.DEGRADED + ", UP, UNKNOWN";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = HEALTH_ENABLED, matchIfMissing = true)
    static class StatusOrder {

        @Bean
        static BeanFactoryPostProcessor distributedIdStatusOrder(ConfigurableEnvironment environment) {
            return beans -> environment
                    .getPropertySources()
                    .addLast(new MapPropertySource(
                            "distributedIdStatusOrder",
                            Map.of("management.endpoint.health.status.order", STATUS_ORDER)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {

        /** Gets the ids only when a registry binds the meters: the persistence unit may start in the background. */
        @Bean
        @ConditionalOnMissingBean(DistributedIdMetrics.class)
        MeterBinder distributedIdMeters(ObjectProvider<DistributedIds> ids) {
            return registry -> new DistributedIdMetrics(ids.getObject()).bindTo(registry);
        }
    }

    /** In Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.health.contributor.HealthIndicator.class)
    @Import(StatusOrder.class)
    static class Health {

        @Bean(name = HEALTH)
        @ConditionalOnMissingBean(name = HEALTH)
        @ConditionalOnProperty(name = HEALTH_ENABLED, matchIfMissing = true)
        org.springframework.boot.health.contributor.HealthIndicator distributedIdHealthIndicator(
                ObjectProvider<DistributedIds> ids) {
            return () -> {
                IdHealth health = ids.getObject().health();
                return org.springframework.boot.health.contributor.Health.status(
                                health.status().name())
                        .withDetails(health.details())
                        .build();
            };
        }
    }

    /** In Boot 3.5. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.actuate.health.HealthIndicator.class)
    @Import(StatusOrder.class)
    static class ActuatorHealth {

        @Bean(name = HEALTH)
        @ConditionalOnMissingBean(name = HEALTH)
        @ConditionalOnProperty(name = HEALTH_ENABLED, matchIfMissing = true)
        org.springframework.boot.actuate.health.HealthIndicator distributedIdHealthIndicator(
                ObjectProvider<DistributedIds> ids) {
            return () -> {
                IdHealth health = ids.getObject().health();
                return org.springframework.boot.actuate.health.Health.status(
                                health.status().name())
                        .withDetails(health.details())
                        .build();
            };
        }
    }
}
