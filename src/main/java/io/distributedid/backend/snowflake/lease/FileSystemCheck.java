package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;

/** Checks what a {@link FileChain} needs of its file system. */
final class FileSystemCheck {

    /** File systems that other machines share, or whose links, renames and locks may behave differently. */
    private static final Pattern REMOTE = Pattern.compile(
            "nfs.*|cifs|smb.*|9p|afs|ncp.*|ceph|lustre|gfs2?|ocfs2|gpfs|beegfs.*|glusterfs|fuse\\..*|fusefs.*|osxfuse"
                    + "|macfuse|virtiofs|vboxsf|vmhgfs|prl_fs|drvfs|davfs|webdav|orangefs|pvfs2|moosefs",
            Pattern.CASE_INSENSITIVE);

    private FileSystemCheck() {}

    static void requireLocal(Path path, String type) {
        if (REMOTE.matcher(type).matches()) {
            throw new IdConfigurationException(
                    "A state file must be on a disk of this machine: distributedid.snowflake.state_file=" + path
                            + ", file system=" + type + ". Put it elsewhere, or lease numbers from a database:"
                            + " distributedid.snowflake.worker=lease");
        }
    }

    /** The protocol needs links that fail if the name exists. */
    static void requireLinks(Folder folder, Path path) throws IOException {
        String probe = "probe" + UUID.randomUUID();
        folder.create(probe, new byte[0]);
        try {
            if (!folder.link(probe, probe + "2") || folder.link(probe, probe + "2")) {
                throw withoutLinks(path, new IOException("a name was taken twice"));
            }
        } catch (IOException | UnsupportedOperationException e) {
            throw withoutLinks(path, e);
        } finally {
            folder.delete(probe);
            folder.delete(probe + "2");
        }
    }

    private static IdConfigurationException withoutLinks(Path path, Exception cause) {
        return new IdConfigurationException(
                "A state file must be on a file system with hard links: distributedid.snowflake.state_file=" + path
                        + ": " + cause
                        + ". Put it elsewhere, or lease numbers from a database: distributedid.snowflake.worker=lease",
                cause);
    }
}
