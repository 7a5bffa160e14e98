package io.distributedid.spring;

import io.distributedid.DistributedIds;
import io.distributedid.IdHealth;
import io.distributedid.micrometer.DistributedIdMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Meters and health of {@link DistributedIds} for Spring Boot's actuator, if that is on the class path.
 * {@code management.health.distributedid.enabled=false} switches the health off.
 *
 * <p>Spring does not know {@code DEGRADED} and would leave it out of the status of the application. So the order of
 * statuses here has it between {@code OUT_OF_SERVICE} and {@code UP}, unless the application sets an order or a
 * {@code StatusAggregator} of its own. It answers with 200. That is right: ids are available, and a load balancer must
 * not remove the application.
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
    private static final List<String> STATUS_ORDER =
            List.of("DOWN", "OUT_OF_SERVICE", IdHealth.Status.DEGRADED.name(), "UP", "UNKNOWN");

    /** Boot 4 deprecates its own aggregator of an order, and the replacement is not in every Boot 4. */
    private static <S> S worst(Set<S> statuses, Function<S, String> code, S unknown) {
        return STATUS_ORDER.stream()
                .flatMap(each ->
                        statuses.stream().filter(status -> code.apply(status).equals(each)))
                .findFirst()
                .orElse(unknown);
    }

    /** Matches unless the application sets the order of statuses. */
    static class WithoutStatusOrder implements Condition {

        private static final String ORDER = "management.endpoint.health.status.order";

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            return !environment.containsProperty(ORDER) && !environment.containsProperty(ORDER + "[0]");
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
    static class Health {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnProperty(name = HEALTH_ENABLED, matchIfMissing = true)
        @Conditional(WithoutStatusOrder.class)
        org.springframework.boot.health.actuate.endpoint.StatusAggregator distributedIdStatusAggregator() {
            return statuses -> worst(
                    statuses,
                    org.springframework.boot.health.contributor.Status::getCode,
                    org.springframework.boot.health.contributor.Status.UNKNOWN);
        }

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
    static class ActuatorHealth {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnProperty(name = HEALTH_ENABLED, matchIfMissing = true)
        @Conditional(WithoutStatusOrder.class)
        org.springframework.boot.actuate.health.StatusAggregator distributedIdStatusAggregator() {
            return statuses -> worst(
                    statuses,
                    org.springframework.boot.actuate.health.Status::getCode,
                    org.springframework.boot.actuate.health.Status.UNKNOWN);
        }

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
