package io.distributedid.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.testkit.JavaProcess;
import io.distributedid.testkit.LedgerContract;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileLedgerTest extends LedgerContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private FileLedger held;

    /** One user has the file; the clients of the contract share it. */
    private record Shared(Ledger ledger) implements Ledger {

        @Override
        public Page read(Collection<String> names, boolean isSynchronised) throws SQLException {
            synchronized (ledger) {
                return ledger.read(names, isSynchronised);
            }
        }

        @Override
        public Set<String> write(List<Change> changes) throws SQLException {
            synchronized (ledger) {
                return ledger.write(changes);
            }
        }
    }

    @BeforeEach
    void lock() throws SQLException {
        held = another();
        assertThat(held.open()).isSameAs(held);
    }

    @AfterEach
    void release() {
        held.close();
    }

    private Path path() {
        return folder.resolve("state");
    }

    private String label() {
        return "distributedid.snowflake.state_file=" + path();
    }

    private FileLedger.Source source() {
        return new FileLedger.Source(path(), label(), InstantSource.system());
    }

    /** Another user of the file, who does not have the lock unless it is opened. */
    private FileLedger another() {
        return source().connect(TIMEOUT);
    }

    @Override
    protected Ledger client() {
        return new Shared(held);
    }

    @Override
    protected void delete(String name) {
        try {
            String lines = Files.readAllLines(path()).stream()
                    .filter(line -> !line.startsWith(name + " ") && !line.startsWith("check="))
                    .map(line -> line + "\n")
                    .collect(Collectors.joining());
            Files.writeString(path(), lines + "check=" + Integer.toHexString(lines.hashCode()) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return List.copyOf(new TreeSet<>(
                    files.map(file -> file.getFileName().toString()).toList()));
        }
    }

    @Test
    void theFileShowsItsRowsInLines() throws Exception {
        Change store = Change.replace(
                read(held, "@store"),
                "7f3a",
                64,
                Row.State.OPEN,
                Fields.NONE.with("token", "7f3a").with("format", 1));
        Change other = Change.create("a name", "01", -5, Row.State.NONE, Fields.NONE);

        assertThat(held.write(List.of(other, store))).hasSize(2);

        String lines = "@store 2-7f3a 64 OPEN token=7f3a format=1\na%20name 1-01 -5 NONE -\n";
        assertThat(path()).hasContent(lines + "check=" + Integer.toHexString(lines.hashCode()) + "\n");
        assertThat(names()).containsExactly("state", "state.lock");
    }

    @Test
    void aFileThatIsInUseIsRefusedUntilItIsClosed() throws Exception {
        FileLedger second = another();
        assertThatThrownBy(second::open)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The state file is in use: " + label() + ". No two processes, or persistence units, may"
                        + " have the same worker number, and each has a file of its own" + Pages.onCall("state-file"));
        second.close();
        assertThatThrownBy(another()::open).as("still").hasMessageStartingWith("The state file is in use");

        held.close();
        held.close();
        held = another();
        assertThat(held.open().read(List.of()).rows()).isEmpty();
    }

    @Test
    void aFileThatAnotherProcessHasIsRefusedUntilItIsKilled() throws Exception {
        held.close();
        Process process =
                JavaProcess.of("32m", FileLedgerTest.class, Map.of(), path()).start();
        try {
            BufferedReader said =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            assertThat(said.readLine()).isEqualTo("locked");
            assertThatThrownBy(() -> {
                        try (FileLedger second = another()) {
                            second.open();
                        }
                    })
                    .hasMessageStartingWith("The state file is in use");
        } finally {
            process.destroyForcibly().waitFor();
        }

        assertThat(held.open().read(List.of()).rows()).isEmpty();
    }

    /** The other process. */
    public static void main(String[] args) throws Exception {
        new FileLedger.Source(Path.of(args[1]), args[1], InstantSource.system())
                .connect(TIMEOUT)
                .open();
        System.out.println("locked");
        System.in.read();
    }

    /** As it is used by leases: the file is released after a failure, and locked again for the next call. */
    @Test
    void aConnectionLocksTheFileAgainAfterAFailure() throws Exception {
        held.close();
        String name = name();
        try (DedicatedConnection<Ledger> connection = new DedicatedConnection<>(source(), TIMEOUT, Platform.JVM)) {
            Set<String> done = connection.call(ledger -> ledger.write(List.of(created(name, 1))));
            assertThat(done).hasSize(1);
            assertThatThrownBy(another()::open).hasMessageStartingWith("The state file is in use");
            String content = Files.readString(path());
            Files.writeString(path(), content.replace("OPEN", "GONE"));
            assertThatThrownBy(() -> connection.call(ledger -> ledger.read(List.of(name))))
                    .isInstanceOf(IdConfigurationException.class);
            Files.writeString(path(), content);

            Page page = connection.call(ledger -> ledger.read(List.of(name)));
            assertThat(page.rows()).containsOnlyKeys(name);
        }
        assertThat(held.open().read(List.of(name)).rows()).containsOnlyKeys(name);
    }

    /** The system drops the lock of a process that closes any descriptor of the file. */
    @Test
    void aChangeIsRefusedIfAnotherUserWithoutALockWasFaster() throws Exception {
        Row row = row(held, name(), 1);
        String other = name();
        FileLedger slow = new FileLedger(source()) {
            @Override
            void create(Path temporary, String content) throws IOException {
                try {
                    assertThat(held.write(List.of(created(other, 5)))).hasSize(1);
                } catch (SQLException e) {
                    throw new IOException(e);
                }
                super.create(temporary, content);
            }
        };

        assertThat(slow.write(List.of(changed(row, 2)))).isEmpty();

        assertThat(held.read(List.of(row.name(), other)).rows())
                .containsEntry(row.name(), row)
                .containsKey(other);
    }

    @Test
    void aSlowReadHasTheTimeOfItsEnd() throws Exception {
        AtomicLong millis = new AtomicLong(1_763_733_600_000L);
        FileLedger slow =
                new FileLedger(new FileLedger.Source(path(), label(), () -> Instant.ofEpochMilli(millis.get()))) {
                    @Override
                    String content() throws IOException {
                        millis.addAndGet(310);
                        return super.content();
                    }
                };

        assertThat(slow.read(List.of()).time()).isEqualTo(1_763_733_600_310L);
    }

    /** One access fails, before or after it was done. */
    private static final class Failing extends FileLedger {

        private int left = Integer.MAX_VALUE;

        private boolean isDone;

        Failing(FileLedger.Source source) {
            super(source);
        }

        void failAfter(int accesses, boolean done) {
            left = accesses;
            isDone = done;
        }

        @FunctionalInterface
        private interface Access {

            @Nullable
            String run() throws IOException;
        }

        private @Nullable String access(Access access) throws IOException {
            left--;
            if (left == -1 && !isDone) {
                throw new IOException("No space left on device");
            }
            String result = access.run();
            if (left == -1) {
                throw new IOException("No space left on device");
            }
            return result;
        }

        @Override
        String content() throws IOException {
            return access(super::content);
        }

        @Override
        void create(Path temporary, String content) throws IOException {
            access(() -> {
                super.create(temporary, content);
                return "";
            });
        }

        @Override
        void rename(Path temporary) throws IOException {
            access(() -> {
                super.rename(temporary);
                return "";
            });
        }

        @Override
        void force() throws IOException {
            access(() -> {
                super.force();
                return "";
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whicheverAccessFailsTheRowIsTheOldOrTheNewOneAndTheNextWriteSucceeds(boolean done) throws Exception {
        Failing failing = new Failing(source());
        Row row = row(failing, name(), 0);
        List<Integer> failed = new ArrayList<>();
        for (int access = 0; access < 6; access++) {
            Change change = changed(row, access);
            failing.failAfter(access, done);
            try {
                assertThat(failing.write(List.of(change))).as("done").hasSize(1);
            } catch (SQLException e) {
                assertThat(e.getMessage())
                        .isEqualTo("The state file can't be used: " + label()
                                + ": java.io.IOException: No space left on device");
                failed.add(access);
            }
            failing.failAfter(Integer.MAX_VALUE, false);
            Row found = read(another(), row.name());
            assertThat(found).isIn(row, change.next());
            assertThat(failing.write(List.of(change))).as("sent again").hasSize(1);
            assertThat(read(another(), row.name())).isEqualTo(change.next());
            row = change.next();
        }
        assertThat(failed).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(names()).containsExactly("state", "state.lock");
    }

    /** A power failure may undo what was renamed and not forced. */
    @Test
    void aChangeIsShownOnlyWhenItsNameIsForcedToTheDisk() throws Exception {
        Row row = row(held, name(), 0);
        Change change = changed(row, 1);
        AtomicInteger forces = new AtomicInteger();
        FileLedger user = new FileLedger(source()) {
            @Override
            void force() throws IOException {
                if (forces.incrementAndGet() > 1) {
                    throw new IOException("Too many open files");
                }
            }
        };
        String message = "The state file can't be used: " + label() + ": java.io.IOException: Too many open files";

        assertThatThrownBy(() -> user.write(List.of(change))).hasMessage(message);
        assertThat(Files.readString(path())).contains(change.next().version().toString());
        assertThatThrownBy(() -> user.read(List.of(row.name()))).hasMessage(message);
        assertThatThrownBy(() -> user.write(List.of(change))).hasMessage(message);

        forces.set(0);
        assertThat(read(user, row.name())).isEqualTo(change.next());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskKeepsTheRowsAsTheyAre() throws Exception {
        Row row = row(held, name(), 1);
        FileLedger full = new FileLedger(source()) {
            @Override
            void create(Path temporary, String content) throws IOException {
                Files.createSymbolicLink(temporary, Path.of("/dev/full"));
                super.create(temporary, content);
            }
        };

        assertThatThrownBy(() -> full.write(List.of(changed(row, 2))))
                .isInstanceOf(SQLException.class)
                .hasMessage(
                        "The state file can't be used: " + label() + ": java.io.IOException: No space left on device");

        assertThat(read(held, row.name())).isEqualTo(row);
        assertThat(names()).containsExactly("state", "state.lock");
    }

    @Test
    void whatAKilledProcessHasLeftIsDeletedAtTheNextStart() throws Exception {
        held.close();
        for (String name : List.of("state.1a2b.tmp", "state.a.1a2b.tmp", "other.1a2b.tmp")) {
            Files.createFile(folder.resolve(name));
        }

        held.open();

        assertThat(names()).containsExactly("other.1a2b.tmp", "state", "state.a.1a2b.tmp", "state.lock");
    }

    @Test
    void aFolderThatVanishesIsNoLedgerWithoutRows() throws Exception {
        Row row = row(held, name(), 1);
        Path aside = folder.resolveSibling(folder.getFileName() + "-aside");
        Files.move(folder, aside);

        assertThatThrownBy(() -> held.read(List.of(row.name())))
                .isInstanceOf(SQLException.class)
                .hasMessage(
                        "The state file can't be used: " + label() + ": java.nio.file.NoSuchFileException: " + folder);
        assertThatThrownBy(() -> held.write(List.of(changed(row, 2)))).isInstanceOf(SQLException.class);
        // Windows forces no folder.
        FileLedger unforced = new FileLedger(source()) {
            @Override
            void force() {}
        };
        assertThatThrownBy(() -> unforced.read(List.of(row.name()))).isInstanceOf(SQLException.class);
        assertThatThrownBy(another()::open)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The folder of the state file must exist: " + label());

        Files.move(aside, folder);
        assertThat(read(held, row.name())).isEqualTo(row);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "check=0", "@worker/7 1-a 5 OPEN -\n", "@worker/7 1-a 5 OPEN -\ncheck=1\n"})
    void aDamagedFileIsRefused(String content) throws Exception {
        Files.writeString(path(), content);

        assertThatThrownBy(() -> held.read(List.of("@worker/7")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "The state file is damaged: " + label() + ". Restore it, or give this process another worker"
                                + " number and state file. If the clock is right, and no process of this worker number was"
                                + " ahead of it, stop them all and delete the file" + Pages.onCall("state-file"));
        assertThatThrownBy(() -> held.write(List.of(created(name(), 1)))).isInstanceOf(IdConfigurationException.class);
        assertThat(path()).hasContent(content);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1-a 5 OPEN", "1-a 99999999999999999999 OPEN -", "1-a five OPEN -", "1-a"})
    void aLineThatIsNoRowIsRefused(String line) throws Exception {
        String lines = "@worker/7 " + line + "\n";
        Files.writeString(path(), lines + "check=" + Integer.toHexString(lines.hashCode()) + "\n");

        assertThatThrownBy(() -> held.read(List.of("@worker/7")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A row of the ledger has an unknown content: row=@worker/7 content=" + line
                        + ", allowed: version, number, state and text, as in 17-a01f 1099 OPEN token=7f3a.");
    }

    @Test
    void aLinkToAFileIsRefused() throws Exception {
        Path target = Files.createFile(folder.resolve("target"));
        Files.createSymbolicLink(folder.resolve("link"), target);
        FileLedger.Source link = new FileLedger.Source(folder.resolve("link"), "path=link", InstantSource.system());

        assertThatThrownBy(link.connect(TIMEOUT)::open)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A state file must not be a symbolic link, which a change would replace: path=link. Set the"
                        + " path of the file itself");
    }

    /** Both names are of one file. */
    @Test
    void aFolderHasOneUserOfAFileWhicheverLinkLeadsToIt() throws Exception {
        Path link = folder.resolveSibling(folder.getFileName() + "-link");
        Files.createSymbolicLink(link, folder);
        FileLedger.Source second = new FileLedger.Source(link.resolve("state"), "path=link", InstantSource.system());

        assertThatThrownBy(second.connect(TIMEOUT)::open)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The state file is in use: path=link.");
        Files.delete(link);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "cifs", "smb2", "smb3", "9p", "fuse.sshfs", "ceph", "virtiofs", "NFS"})
    void onAnotherMachinesDiskItIsRefused(String type) {
        assertThatThrownBy(() -> held.requireLocal(type))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A state file must be on a disk of this machine: " + label() + ", file system=" + type
                        + ". Put it elsewhere, or lease numbers from a database: distributedid.snowflake.worker=lease");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs", "zfs", "overlay", "tmpfs", "apfs", "NTFS", "fuseblk"})
    void onADiskOfThisMachineItIsNot(String type) {
        assertThatCode(() -> held.requireLocal(type)).doesNotThrowAnyException();
    }
}
