package io.distributedid.testkit;

import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.LongStream;

/** Ids in a mapped file, which the kernel keeps whatever becomes of the process that writes them. */
final class MappedIds {

    private final LongBuffer ids;

    private final int most;

    private int known;

    private MappedIds(LongBuffer ids, int most) {
        this.ids = ids;
        this.most = most;
    }

    /** Ids of a file that exists; new ones are 0. */
    static MappedIds of(Path file, int most) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new MappedIds(
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) most * Long.BYTES)
                            .asLongBuffer(),
                    most);
        }
    }

    void put(int index, long id) {
        ids.put(index, id);
    }

    /** How many were written. */
    int count() {
        while (known < most && ids.get(known) != 0) {
            known++;
        }
        return known;
    }

    /** Those that were written until now. */
    LongStream all() {
        return LongStream.range(0, count()).map(index -> ids.get((int) index));
    }
}
