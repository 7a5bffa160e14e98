package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.WorkerStoreContract;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several users of one state file at once, without the lock. */
class FileWorkerStoreTest extends WorkerStoreContract {

    private static final String REMEDY =
            ". Restore it, or give this process another worker number and state file. If the"
                    + " clock is right, and no process of this worker number was ahead of it, stop them all and"
                    + " delete all of ";

    @TempDir
    Path temporary;

    @Override
    protected Map<String, ?> settings(int test) {
        return Map.of();
    }

    @Override
    protected WorkerStore another(int test) {
        return store(new LocalFolder(path()));
    }

    @Override
    protected boolean renewsInOneStep() {
        return false;
    }

    @Override
    protected boolean hasManyNumbers() {
        return false;
    }

    private Path path() {
        return temporary.resolve("state");
    }

    private FileWorkerStore store(Folder folder) {
        CheckedClock clock = new CheckedClock(InstantSource.system(), System::nanoTime, Thread::onSpinWait, "a test");
        return new FileWorkerStore(path(), "worker=7", folder, clock, () -> {});
    }

    private static WorkerRow row(long until) {
        return new WorkerRow(7, "app1 pid 17", until, "token" + until);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return List.copyOf(new TreeSet<>(
                    files.map(file -> file.getFileName().toString()).toList()));
        }
    }

    @Test
    void ofWhatWasReplacedTwoFilesAreKept() throws Exception {
        WorkerStore store = store(new LocalFolder(path()));
        assertThat(store.compareAndSet(null, row(1))).isTrue();
        for (int i = 1; i < 20; i++) {
            assertThat(store.compareAndSet(row(i), row(i + 1))).isTrue();
        }

        assertThat(names())
                .hasSize(4)
                .contains("state.19", "state.20", "state.before")
                .element(2)
                .asString()
                .startsWith("state.20.");
    }

    @Test
    void whoWasSlowerLeavesNoFile() throws Exception {
        LocalFolder folder = new LocalFolder(path());
        List<String> ofTheFaster = new ArrayList<>();
        Folder slow = (Folder) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Folder.class}, (proxy, method, args) -> {
                    if (method.getName().equals("create")) {
                        assertThat(store(folder).compareAndSet(null, row(1))).isTrue();
                        ofTheFaster.addAll(names());
                    }
                    return method.invoke(folder, args);
                });

        assertThat(store(slow).compareAndSet(null, row(2))).isFalse();
        assertThat(names()).isNotEmpty().isEqualTo(ofTheFaster);
    }

    /** Processes of a busy machine were refused, because their clocks seemed to be ahead of the file's. */
    @Test
    void aSlowReadHasTheTimeOfItsEnd() throws Exception {
        AtomicLong millis = new AtomicLong(1_763_733_600_000L);
        LocalFolder folder = new LocalFolder(path());
        Folder slow = (Folder) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Folder.class}, (proxy, method, args) -> {
                    millis.addAndGet(310);
                    return method.invoke(folder, args);
                });
        CheckedClock clock = new CheckedClock(
                () -> Instant.ofEpochMilli(millis.get()), () -> millis.get() * 1_000_000, () -> {}, "a test");
        FileWorkerStore store = new FileWorkerStore(path(), "worker=7", slow, clock, () -> {});
        store.compareAndSet(null, row(1));
        long before = millis.get();

        assertThat(store.read(7, 7).storeTime()).isGreaterThan(before).isEqualTo(millis.get());
    }

    @Test
    void everyValueOfARowAndOfRecordsIsKept() throws Exception {
        WorkerStore store = store(new LocalFolder(path()));
        WorkerRow before = null;
        for (WorkerRow row : List.of(
                new WorkerRow(7, "app-1.example.org pid 17 since 2026-11-21T08:00:00Z", Long.MAX_VALUE, "a"),
                new WorkerRow(7, "", 0, "b"),
                new WorkerRow(7, "a = b\\n\n\r\\", 1_763_733_600_123L, "c"))) {
            assertThat(store.compareAndSet(before, row)).isTrue();
            assertThat(store.read(7, 7).rows()).containsExactly(row);
            before = row;
        }
        assertThat(store.compareAndSetRecord("a=b\n\\c", null, "d=e\n\\f")).isTrue();

        assertThat(store.record("a=b\n\\c")).contains("d=e\n\\f");
        assertThat(store.read(7, 7).rows()).containsExactly(before);
    }

    @Test
    void whicheverAccessFailsTheRowIsTheOldOrTheNewOneAndTheNextWriteSucceeds() throws Exception {
        FailingFolder folder = new FailingFolder(new LocalFolder(path()));
        FileWorkerStore store = store(folder);
        WorkerRow held = row(1);
        store.compareAndSet(null, held);
        long until = 1;
        for (boolean done : new boolean[] {false, true}) {
            for (int access = 0; ; access++) {
                WorkerRow next = row(++until);
                folder.failAfter(access, done);
                boolean unharmed = false;
                try {
                    unharmed = store.compareAndSet(held, next) && folder.isUnharmed();
                } catch (WorkerStoreException e) {
                    assertThat(e)
                            .hasMessage("The state file can't be written: " + path()
                                    + ": java.io.IOException: No space left on device");
                }
                folder.failAfter(Integer.MAX_VALUE, false);
                WorkerRow found = store(new LocalFolder(path())).read(7, 7).row(7);
                assertThat(found).isIn(held, next);
                held = row(++until);
                assertThat(store.compareAndSet(found, held))
                        .as("after " + access + " accesses")
                        .isTrue();
                if (unharmed) {
                    break;
                }
            }
        }
        assertThat(until).as("accesses that failed").isGreaterThan(2 * 10 * 2);
    }

    @Test
    void aRowIsShownOnlyWhenItsNameIsForcedToTheDisk() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        FileWorkerStore store = store(new LocalFolder(
                path(),
                folder -> {
                    if (fails.get()) {
                        throw new FileSystemException(folder.toString(), null, "Too many open files");
                    }
                    return FileChannel.open(folder);
                },
                true));
        String why = ": " + path() + ": java.nio.file.FileSystemException: " + temporary + ": Too many open files";
        store.compareAndSet(null, row(1));
        for (int i = 1; i <= 2; i++) {
            WorkerRow held = row(i);
            WorkerRow next = row(i + 1);

            fails.set(true);
            assertThatThrownBy(() -> store.compareAndSet(held, next))
                    .isInstanceOf(WorkerStoreException.class)
                    .hasMessage("The state file can't be written" + why);
            assertThatThrownBy(() -> store.read(7, 7))
                    .isInstanceOf(WorkerStoreException.class)
                    .hasMessage("The state file can't be read" + why);
            fails.set(false);

            assertThat(store.read(7, 7).rows()).containsExactly(next);
        }
    }

    @Test
    void aNewUserForcesWhatAKilledOneHasLinked() throws Exception {
        store(new LocalFolder(path())).compareAndSet(null, row(1));
        FileWorkerStore store = store(new LocalFolder(
                path(),
                folder -> {
                    throw new FileSystemException(folder.toString(), null, "Too many open files");
                },
                true));

        assertThatThrownBy(() -> store.read(7, 7))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageStartingWith("The state file can't be read")
                .hasMessageEndingWith("Too many open files");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyWhereNoFolderCanBeOpenedNamesAreNotForced(boolean isPosix) throws Exception {
        AtomicInteger opened = new AtomicInteger();
        LocalFolder folder = new LocalFolder(
                path(),
                path -> {
                    opened.incrementAndGet();
                    throw new AccessDeniedException(path.toString());
                },
                isPosix);

        for (int i = 1; i <= 2; i++) {
            if (isPosix) {
                assertThatThrownBy(folder::force).isInstanceOf(AccessDeniedException.class);
            } else {
                folder.force();
            }
        }

        assertThat(opened.get()).isEqualTo(isPosix ? 2 : 1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileThatDoesNotFitOnTheDiskIsNotLeft() throws Exception {
        LocalFolder folder = new LocalFolder(path());
        Files.createSymbolicLink(folder.path("1.a"), Path.of("/dev/full"));

        assertThatThrownBy(() -> folder.create("1.a", new byte[1]))
                .isInstanceOf(IOException.class)
                .hasMessage("No space left on device");
        assertThat(names()).isEmpty();
    }

    @Test
    void aFileThatCanNotBeLinkedIsNotLeft() throws Exception {
        LocalFolder folder = new LocalFolder(path());
        store(folder).compareAndSet(null, row(1));
        List<String> before = names();
        Folder full = (Folder) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Folder.class}, (proxy, method, args) -> {
                    if (method.getName().equals("link")) {
                        throw new IOException("No space left on device");
                    }
                    return method.invoke(folder, args);
                });

        assertThatThrownBy(() -> store(full).compareAndSet(row(1), row(2)))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageEndingWith("No space left on device");
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void whatKilledProcessesHaveLeftIsDeletedAtTheNextStart() throws Exception {
        FailingFolder folder = new FailingFolder(new LocalFolder(path()));
        WorkerStore store = store(folder);
        store.compareAndSet(null, row(1));
        for (int access = 0; access < 12; access++) {
            WorkerRow found = store.read(7, 7).row(7);
            folder.failAfter(access, false);
            try {
                store.compareAndSet(found, row(access + 2));
            } catch (WorkerStoreException e) {
                folder.failAfter(Integer.MAX_VALUE, false);
            }
        }
        for (int i = 0; i < 2; i++) {
            WorkerRow found = store.read(7, 7).row(7);
            store.compareAndSet(found, row(100 + i));
        }
        WorkerRow last = store.read(7, 7).row(7);

        try (FileWorkerStore opened = FileWorkerStore.open(path(), "worker=7", InstantSource.system())) {
            assertThat(opened.read(7, 7).row(7)).isEqualTo(last);
        }
        assertThat(names()).hasSize(4).contains("state.before", "state.lock");
    }

    @Test
    void aDamagedFileIsRefused() throws Exception {
        FileWorkerStore store = store(new LocalFolder(path()));
        store.compareAndSet(null, row(1));
        Path file = temporary.resolve("state.1");
        Files.writeString(file, Files.readString(file).replace("1970", "2070"));

        assertThatThrownBy(() -> FileWorkerStore.open(path(), "worker=7", InstantSource.system())
                        .read(7, 7))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The state file can't be read: distributedid.snowflake.state_file=" + path() + ", damaged: "
                        + file + REMEDY + path() + ".*");
    }

    @Test
    void aFileThatWasRemovedIsRefused() throws Exception {
        FileWorkerStore store = store(new LocalFolder(path()));
        store.compareAndSet(null, row(1));
        store.compareAndSet(row(1), row(2));
        Path before = temporary.resolve("state.before");
        Path aside = Files.move(before, temporary.resolve("aside"));

        Files.delete(temporary.resolve("state.1"));
        assertThatThrownBy(() -> FileWorkerStore.open(path(), "worker=7", InstantSource.system()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(removed("before"));
        Files.move(aside, before);
        Files.delete(temporary.resolve("state.2"));
        assertThatThrownBy(() -> store.read(7, 7))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessage(removed("2"));
    }

    private String removed(String name) {
        return "A file beside the state file was removed: distributedid.snowflake.state_file=" + path() + ", missing: "
                + path() + "." + name + REMEDY + path() + ".*";
    }

    @Test
    void aFileThatIsSetBackWhileItIsUsedIsRefused() throws Exception {
        FileWorkerStore store = store(new LocalFolder(path()));
        store.compareAndSet(null, row(1));
        store.compareAndSet(row(1), row(2));
        for (String name : names()) {
            Files.delete(temporary.resolve(name));
        }

        assertThatThrownBy(() -> store.read(7, 7))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessage("The state file was removed, or set back to an earlier one, while it was used:"
                        + " distributedid.snowflake.state_file=" + path() + ", was at " + path() + ".2, is at " + path()
                        + ".0. Restore it, and start this process again");
    }

    @Test
    void withoutHardLinksItIsRefused() {
        FailingFolder folder = new FailingFolder(new LocalFolder(path()));
        folder.withoutLinks();

        assertThatThrownBy(() -> FileSystemCheck.requireLinks(folder, path()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A state file must be on a file system with hard links: distributedid.snowflake.state_file="
                        + path() + ": java.lang.UnsupportedOperationException: no links. Put it elsewhere, or lease"
                        + " numbers from a database: distributedid.snowflake.worker=lease");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "cifs", "smb2", "smb3", "9p", "fuse.sshfs", "ceph", "virtiofs", "NFS"})
    void onAnotherMachinesDiskItIsRefused(String type) {
        assertThatThrownBy(() -> FileSystemCheck.requireLocal(path(), type))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A state file must be on a disk of this machine: distributedid.snowflake.state_file=" + path()
                                + ", file system=" + type + ". Put it elsewhere, or lease numbers from a database:"
                                + " distributedid.snowflake.worker=lease");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs", "zfs", "overlay", "tmpfs", "apfs", "NTFS", "fuseblk"})
    void onADiskOfThisMachineItIsNot(String type) {
        assertThatCode(() -> FileSystemCheck.requireLocal(path(), type)).doesNotThrowAnyException();
    }
}
