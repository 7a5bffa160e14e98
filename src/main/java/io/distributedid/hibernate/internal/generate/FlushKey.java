package io.distributedid.hibernate.internal.generate;

import java.util.Comparator;

/** A key of a sequence. In the order in which all flushes lock keys. */
record FlushKey(String sequence, String key) implements Comparable<FlushKey> {

    private static final Comparator<FlushKey> ORDER =
            Comparator.comparing(FlushKey::sequence).thenComparing(FlushKey::key);

    @Override
    public int compareTo(FlushKey other) {
        return ORDER.compare(this, other);
    }
}
