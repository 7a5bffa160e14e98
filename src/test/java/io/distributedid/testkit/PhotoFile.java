package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file of rows that a database loads by itself. The page {@code recipes.md} quotes the method. */
public final class PhotoFile {

    private PhotoFile() {}

    public static void write(Path file, List<String> titles, DistributedIds ids) throws IOException {
        long[] taken = ids.next("photos", titles.size());
        try (BufferedWriter csv = Files.newBufferedWriter(file)) {
            for (int row = 0; row < taken.length; row++) {
                csv.write(taken[row] + ",\"" + titles.get(row).replace("\"", "\"\"") + "\"\n");
            }
        }
    }
}
