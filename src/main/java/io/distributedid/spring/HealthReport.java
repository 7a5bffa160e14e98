package io.distributedid.spring;

import io.distributedid.IdHealth;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An {@link IdHealth} as Spring Boot shows it. {@code DEGRADED} is no status of Spring's, so it is shown and answered with 200: ids are
 * given, and a balancer must not take the application out.
 *
 * @param status {@code UP}, {@code DEGRADED} or {@code DOWN}
 * @param details a line for each sequence
 */
record HealthReport(String status, Map<String, Object> details) {

    static HealthReport of(IdHealth health) {
        Map<String, Object> details = new LinkedHashMap<>();
        health.sequences()
                .forEach(each -> details.put(
                        each.sequence(), each.status() + (each.reason().isEmpty() ? "" : ": " + each.reason())));
        return new HealthReport(health.status().name(), details);
    }
}
