package io.distributedid.internal.property;

import io.distributedid.IdConfigurationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A property that holds ids of a sequence.
 *
 * @param property its name in messages
 * @param width the largest id that it holds
 */
public record SequenceUse(String sequence, String property, Width width) {

    /**
     * Fails if two properties hold ids of the same sequence up to different limits: the wider one would use up the ids
     * of the narrower one, long after the start.
     */
    public static void requireOneWidth(List<SequenceUse> uses) {
        Map<String, SequenceUse> first = new HashMap<>();
        for (SequenceUse use : uses) {
            SequenceUse other = first.putIfAbsent(use.sequence, use);
            if (other != null && other.width.maxValue() != use.width.maxValue()) {
                boolean isNarrower = use.width.maxValue() < other.width.maxValue();
                throw twoWidths(isNarrower ? use : other, isNarrower ? other : use);
            }
        }
    }

    private static IdConfigurationException twoWidths(SequenceUse narrow, SequenceUse wide) {
        return new IdConfigurationException("All properties of a sequence must have the same width: seq="
                + narrow.sequence + " "
                + narrow.limits() + ", " + wide.limits() + ". Give them the same type, or separate sequences");
    }

    private String limits() {
        String limit = width.limit().isEmpty() ? "" : ", " + width.limit();
        return property + limit + " up to " + width.maxValue();
    }
}
