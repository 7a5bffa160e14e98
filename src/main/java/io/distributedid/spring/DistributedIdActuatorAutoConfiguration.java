package io.distributedid.spring;

import io.distributedid.DistributedIds;
import io.distributedid.IdHealth;
import io.distributedid.micrometer.DistributedIdMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Meters and health of {@link DistributedIds} for Spring Boot's actuator, if that is on the class path.
 * {@code management.health.distributedid.enabled=false} switches the health off. {@code DEGRADED} is shown as it is.
 * Since Spring does not know this status, it answers with 200. That is right: ids are available, and a load balancer
 * must not remove the application.
 */
@AutoConfiguration(after = DistributedIdAutoConfiguration.class)
@ConditionalOnBean(DistributedIds.class)
public final class DistributedIdActuatorAutoConfiguration {

    /** The name of the bean. Without {@code HealthIndicator} it is the name of the health component. */
    private static final String HEALTH = "distributedIdHealthIndicator";

    private static final String HEALTH_ENABLED = "management.health.distributedid.enabled";

    private static Map<String, Object> details(IdHealth health) {
        Map<String, Object> details = new LinkedHashMap<>();
        health.sequences()
                .forEach(each -> details.put(
                        each.sequence(), each.status() + (each.reason().isEmpty() ? "" : ": " + each.reason())));
        return details;
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
                        .withDetails(details(health))
                        .build();
            };
        }
    }

    /** In Boot 3.5. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.boot.actuate.health.HealthIndicator.class)
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
                        .withDetails(details(health))
                        .build();
            };
        }
    }
}
