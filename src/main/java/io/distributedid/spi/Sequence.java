package io.distributedid.spi;

import io.distributedid.IdConfigurationException;
import java.util.regex.Pattern;

/**
 * A named, independent stream of ids. Immutable.
 *
 * @param name a letter, then up to 49 letters, digits, {@code _} or {@code -}
 * @param maxValue the largest id that its users can store: 2^63-1, or 2^31-1 for an {@code Integer} property
 * @param usedBy its first user, for messages: {@code com.example.Photo.id}
 * @param settings of this sequence
 */
public record Sequence(String name, long maxValue, String usedBy, Settings settings) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,49}");

    /** @throws IdConfigurationException if the name is not allowed */
    public Sequence {
        if (!isName(name)) {
            throw new IdConfigurationException(
                    "A sequence's name must be a letter, then up to 49 letters, digits, '_' or '-': seq=" + name + " ("
                            + usedBy + "). Name it with @DistributedId(seq = \"...\")");
        }
    }

    /** Whether a text may be the name of a sequence. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Returns the name and its user. Omits the settings, which may hold secrets. */
    @Override
    public String toString() {
        return "sequence '" + name + "' (" + usedBy + ")";
    }
}
