package io.distributedid.soak.application;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.JavaProcess;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Another version of the library, for a rolling deploy. It may be missing. */
public final class OtherLibrary {

    private OtherLibrary() {}

    /**
     * Its jar, named by the system property {@code soak.library}.
     *
     * @throws IllegalArgumentException if there is no such file
     */
    public static Optional<Path> jar() {
        String name = System.getProperty("soak.library", "");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Path jar = Path.of(name).toAbsolutePath();
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("There is no such jar: soak.library=" + name);
        }
        return Optional.of(jar);
    }

    /** Lets a process have it instead of the one that is tested. */
    static void give(ProcessBuilder process, Path jar) {
        String classPath = JavaProcess.classPath();
        String tested = JavaProcess.jarOf(DistributedIds.class.getName()).toString();
        List<String> parts = List.of(classPath.split(File.pathSeparator));
        if (!parts.contains(tested)) {
            throw new IllegalStateException("The library is not in the class path: " + tested);
        }
        String changed = String.join(
                File.pathSeparator,
                parts.stream()
                        .map(part -> part.equals(tested) ? jar.toString() : part)
                        .toList());
        process.command().replaceAll(part -> part.equals(classPath) ? changed : part);
    }
}
