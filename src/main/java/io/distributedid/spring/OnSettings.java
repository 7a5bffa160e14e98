package io.distributedid.spring;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the environment has any of our settings: without, there is nothing to take ids from. */
final class OnSettings implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return context.getEnvironment() instanceof ConfigurableEnvironment environment
                && !EnvironmentSettings.of(environment).isEmpty();
    }
}
