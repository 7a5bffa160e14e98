package benchmarks.keyed;

/** The keys that there are. */
enum KeyShape {
    /** Numbers that follow each other. */
    DENSE {
        @Override
        long key(int index) {
            return index;
        }
    },
    /** Snowflake ids: 41 bits of milliseconds, 10 of a worker, 12 of a sequence that begins anywhere. */
    SNOWFLAKE {
        @Override
        long key(int index) {
            long mixed = (index + 1) * 0x9E3779B97F4A7C15L;
            return FIRST_MILLI + index << 22 | mixed >>> 42;
        }
    };

    private static final long FIRST_MILLI = 1L << 40;

    /** The key of an index; each has its own. */
    abstract long key(int index);
}
