package io.distributedid.recipes;

import java.util.Locale;

/** Ids as texts in Crockford's base 32. The page {@code recipes.md} quotes the class. */
public final class ShortId {

    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private ShortId() {}

    public static String of(long id) {
        if (id < 1) {
            throw new IllegalArgumentException("An id is positive: " + id);
        }
        StringBuilder text = new StringBuilder();
        for (long rest = id; rest > 0; rest >>= 5) {
            text.append(DIGITS.charAt((int) (rest & 31)));
        }
        return text.reverse().toString();
    }

    public static long parse(String text) {
        String digits = text.toUpperCase(Locale.ROOT)
                .replace('O', '0')
                .replace('I', '1')
                .replace('L', '1');
        long id = 0;
        for (char each : digits.toCharArray()) {
            int digit = DIGITS.indexOf(each);
            if (digit < 0 || id > Long.MAX_VALUE >> 5) {
                throw new IllegalArgumentException("No id: " + text);
            }
            id = id << 5 | digit;
        }
        if (id == 0) {
            throw new IllegalArgumentException("No id: " + text);
        }
        return id;
    }
}
