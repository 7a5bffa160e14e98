package io.distributedid.internal.block;

/** A source of blocks whose servers reserve for several sources at once. */
public interface GroupedSource extends SharedSource {

    /** The same object for all sources of the group. */
    BlockGroup group();

    @Override
    default String serverLabels() {
        return group().label();
    }
}
