package io.distributedid.testkit;

/**
 * A set of texts, of which it keeps 128 bits each, as the model checker TLC keeps 64. Millions of texts would fill the
 * memory, and cost more time than all that makes them. Two of 10 million texts are taken for one with a probability of
 * less than 10<sup>-24</sup>.
 */
final class Fingerprints {

    private static final long FIRST = 0x9E3779B97F4A7C15L;

    private static final long SECOND = 0xC2B2AE3D27D4EB4FL;

    /** Two numbers for each text, side by side; a free place has two zeros. */
    private long[] table = new long[2 << 10];

    private int size;

    /** Returns whether the text is new. */
    boolean add(String text) {
        long a = FIRST;
        long b = SECOND;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            a = (a ^ c) * SECOND;
            a ^= a >>> 29;
            b = Long.rotateLeft(b + c, 23) * FIRST;
        }
        a = mixed(a + b);
        b = mixed(b ^ text.length()) | 1;
        if (!put(table, a, b)) {
            return false;
        }
        size++;
        if (size > table.length / 3) {
            grow();
        }
        return true;
    }

    /** Every bit of the result depends on every bit of the number: the last steps of MurmurHash3. */
    private static long mixed(long number) {
        long mixed = (number ^ (number >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }

    private static boolean put(long[] table, long a, long b) {
        int mask = table.length - 2;
        int place = (int) a << 1 & mask;
        while (table[place + 1] != 0) {
            if (table[place] == a && table[place + 1] == b) {
                return false;
            }
            place = place + 2 & mask;
        }
        table[place] = a;
        table[place + 1] = b;
        return true;
    }

    private void grow() {
        long[] larger = new long[2 * table.length];
        for (int i = 0; i < table.length; i += 2) {
            if (table[i + 1] != 0) {
                put(larger, table[i], table[i + 1]);
            }
        }
        table = larger;
    }
}
