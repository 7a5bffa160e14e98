package io.distributedid.internal.property;

import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import java.util.Optional;

/**
 * Says that each key has numbers of its own.
 *
 * @param path from the entity to the property with the key
 * @param gapless whether numbers are taken in the transaction that inserts the row
 */
public record PerKey(String path, boolean gapless) {

    static Optional<PerKey> of(DistributedValue annotation) {
        if (!annotation.per().isEmpty()) {
            return Optional.of(new PerKey(annotation.per(), annotation.gapless()));
        }
        if (annotation.gapless()) {
            throw new IdConfigurationException("Numbers without gaps are counted per key: @DistributedValue(seq = "
                    + annotation.seq() + ", gapless = true) has no per. Name the property with the key, for example"
                    + " per = \"customer\"; if all rows are to share one count, a property that is the same in all");
        }
        return Optional.empty();
    }
}
