package io.distributedid.soak.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code -Dledger.entries=100000000} sorts as many as the longest runs have; that takes minutes, and 10 GB of disk. */
class SortedEntriesTest {

    private static final int EACH = Integer.getInteger("ledger.entries", 15_000) / 3;

    private static final int IN_MEMORY = Math.max(1_000, Math.min(EACH / 10, Ledger.IN_MEMORY));

    @TempDir
    Path folder;

    private void write(int process, List<Entry> entries) throws IOException {
        try (EntryWriter writer = new EntryWriter(Ledger.file(folder, process, 0))) {
            for (Entry entry : entries) {
                writer.write(List.of(entry));
            }
        }
    }

    @Test
    void entriesOfAllFilesAreSortedOutsideOfMemory() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        for (int process = 1; process <= 3; process++) {
            try (EntryWriter writer = new EntryWriter(Ledger.file(folder, process, 0))) {
                for (int i = 0; i < EACH; i++) {
                    writer.write(List.of(new Entry(i, i + 1, 1 + random.nextLong(1_000_000), 2, 3, process)));
                }
            }
        }

        try (SortedEntries sorted = new Ledger(folder).sorted(IN_MEMORY)) {
            assertThat(sorted.runs()).isGreaterThanOrEqualTo(3 * EACH / IN_MEMORY);
            int count = 0;
            long last = 0;
            while (sorted.hasNext()) {
                Entry entry = sorted.next();
                if (entry.first() < last || entry.step() != 2) {
                    fail("Not sorted: " + entry + " after " + last);
                }
                last = entry.first();
                count++;
            }
            assertThat(count).isEqualTo(3 * EACH);
        }
        try (var left = Files.list(folder)) {
            assertThat(left).as("files of the ledger alone").hasSize(3);
        }
    }

    @Test
    void anEntryThatWasBegunAndNotEndedIsLeftOut() throws IOException {
        Entry whole = new Entry(1, 2, 3, 1, 1, 1);
        write(1, List.of(whole, new Entry(2, 3, 4, 1, 1, 1)));
        Path file = Ledger.file(folder, 1, 0);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1), StandardOpenOption.TRUNCATE_EXISTING);

        List<Entry> read = new ArrayList<>();
        new Ledger(folder).forEach(read::add);

        assertThat(read).containsExactly(whole);
    }

    @Test
    void refusedCallsAreInTheLedgerAndNotAmongItsIds() throws IOException {
        Entry refused = Entry.refused(1, 2, 7, 1);
        write(1, List.of(refused));

        List<Entry> read = new ArrayList<>();
        new Ledger(folder).forEach(read::add);

        assertThat(read).containsExactly(refused);
        assertThat(refused.isRefused()).isTrue();
        try (SortedEntries sorted = new Ledger(folder).sorted(10)) {
            assertThat(sorted.hasNext()).isFalse();
        }
    }
}
