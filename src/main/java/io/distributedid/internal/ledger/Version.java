package io.distributedid.internal.ledger;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a row: {@code 17-a01f93c2}. A row that has a lower count than was seen before has lost changes. The
 * same count with another random part is another history, such as that of a restored copy. A store compares versions
 * for equality only.
 *
 * @param count of the changes of the row, its creation included
 * @param random is that of no other change
 */
public record Version(long count, String random) {

    /** The length of the longest text. */
    static final int LENGTH = 40;

    private static final int RANDOM = 16;

    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,17})-([0-9A-Za-z]{1," + RANDOM + "})");

    /** The version of a new row. */
    public static Version first(String token) {
        return new Version(1, shortened(token));
    }

    /**
     * The version of the next change.
     *
     * @param token a random text that is used nowhere else; its first 16 letters and digits are the random part
     */
    public Version next(String token) {
        return new Version(count + 1, shortened(token));
    }

    /** 60 random bits of a UUID: short, since each change writes them to the server's log. */
    private static String shortened(String token) {
        String plain = token.replace("-", "");
        return plain.substring(0, Math.min(RANDOM, plain.length()));
    }

    /** Empty if the text is of no version. */
    static Optional<Version> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new Version(Long.parseLong(parts.group(1)), parts.group(2)))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return count + "-" + random;
    }
}
