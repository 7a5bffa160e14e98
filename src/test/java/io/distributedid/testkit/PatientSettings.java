package io.distributedid.testkit;

import java.util.HashMap;
import java.util.Map;

/**
 * Settings under which a busy machine fails no test: on a disk that is written to all the time, a server needs seconds
 * to create a table, and a commit may take as long. For tests that are not about time.
 */
public final class PatientSettings {

    private static final Map<String, String> TIMEOUTS =
            Map.of("distributedid.block.timeout", "2m", "distributedid.timeout", "30s");

    private PatientSettings() {}

    /** The same with long timeouts where none are given. */
    public static <V> Map<String, Object> of(Map<String, V> settings) {
        Map<String, Object> patient = new HashMap<>(TIMEOUTS);
        patient.putAll(settings);
        return patient;
    }
}
