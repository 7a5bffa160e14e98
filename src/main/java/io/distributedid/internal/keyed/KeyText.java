package io.distributedid.internal.keyed;

import java.text.Normalizer;

/**
 * The rules for keys. All ways of storing numbers know a key by one text: that of a number is its decimal form.
 * Databases disagree on texts that this class refuses: whether white space at the end counts, whether two forms of a
 * letter are equal, and whether a control character can be stored.
 */
final class KeyText {

    static final int MOST_CHARACTERS = 150;

    static final int MOST_NUMBERS = 10_000;

    private KeyText() {}

    static String of(String sequence, String key) {
        if (key.isEmpty() || key.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException("A key must have 1 to " + MOST_CHARACTERS + " characters: seq="
                    + sequence + " length=" + key.length() + ". Use a shorter key, for example its hash");
        }
        requireCharacters(sequence, key);
        if (isWhite(key.codePointAt(0)) || isWhite(key.codePointBefore(key.length()))) {
            throw new IllegalArgumentException(
                    "A key must not begin or end with white space: seq=" + sequence + " key='" + key + "'. Strip it");
        }
        if (!Normalizer.isNormalized(key, Normalizer.Form.NFC)) {
            throw new IllegalArgumentException("A key must be in Unicode's form NFC: seq=" + sequence + " key=" + key
                    + ". Normalise it: Normalizer.normalize(key, Normalizer.Form.NFC)");
        }
        if (isNegativeNumber(key)) {
            throw new IllegalArgumentException("A key that is a number must not be negative: seq=" + sequence + " key="
                    + key + ", allowed: 0 to " + Long.MAX_VALUE + ", or another text");
        }
        return key;
    }

    private static boolean isNegativeNumber(String key) {
        return key.length() > 1
                && key.charAt(0) == '-'
                && key.charAt(1) != '0'
                && key.chars().skip(1).allMatch(each -> each >= '0' && each <= '9');
    }

    private static void requireCharacters(String sequence, String key) {
        for (int i = 0; i < key.length(); i += Character.charCount(key.codePointAt(i))) {
            int character = key.codePointAt(i);
            if (Character.isISOControl(character)) {
                throw character(sequence, "a control character", character, i);
            }
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                throw character(sequence, "an unpaired surrogate", character, i);
            }
        }
    }

    /** The key is not printed: such a character would garble the log. */
    private static IllegalArgumentException character(String sequence, String what, int character, int index) {
        return new IllegalArgumentException("A key must not contain " + what + ": seq=" + sequence + " character=U+"
                + String.format("%04X", character) + " index=" + index + ". Remove it");
    }

    private static boolean isWhite(int character) {
        return Character.isWhitespace(character) || Character.isSpaceChar(character);
    }

    static void requireCount(String sequence, int count) {
        if (count < 1 || count > MOST_NUMBERS) {
            throw new IllegalArgumentException("The count of numbers must be from 1 to " + MOST_NUMBERS + ": seq="
                    + sequence + " count=" + count + ". Call several times for more");
        }
    }
}
