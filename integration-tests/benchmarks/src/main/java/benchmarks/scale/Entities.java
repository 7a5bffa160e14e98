package benchmarks.scale;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Hundreds of entity classes, written and compiled by a program. */
final class Entities implements AutoCloseable {

    private static final String OURS = "@io.distributedid.DistributedId(seq = \"s%1$03d\")";

    private static final String TABLE = "@GeneratedValue(strategy = GenerationType.TABLE, generator = \"g%1$03d\")"
            + " @TableGenerator(name = \"g%1$03d\", pkColumnValue = \"s%1$03d\", allocationSize = 50)";

    private static final String SOURCE = """
            package %2$s;

            import jakarta.persistence.*;

            @Entity(name = "e%1$03d")
            public class Entity%1$03d {
                @Id
                ID
                private Long id;

                private String title = "A photo of something that was there";

                private long owner = %1$d;
            }
            """;

    private final Path folder;

    private final URLClassLoader loader;

    private final int count;

    private Entities(Path folder, URLClassLoader loader, int count) {
        this.folder = folder;
        this.loader = loader;
        this.count = count;
    }

    /** Compiles as many of each kind; entity {@code e007} has ids of the sequence {@code s007}. */
    static Entities compile(int count) throws IOException {
        Path folder = Files.createTempDirectory("benchmarks-entities");
        List<Path> sources = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            sources.add(write(folder.resolve("ours"), OURS, number));
            sources.add(write(folder.resolve("table"), TABLE, number));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            List<String> options = List.of("-proc:none", "-nowarn", "-d", folder.toString());
            boolean isCompiled = compiler.getTask(
                            null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!isCompiled) {
                throw new IllegalStateException("The entities do not compile: see the messages above");
            }
        }
        URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, Entities.class.getClassLoader());
        return new Entities(folder, loader, count);
    }

    private static Path write(Path folder, String id, int number) throws IOException {
        Files.createDirectories(folder);
        String source = SOURCE.replace("ID\n", id + "\n").formatted(number, folder.getFileName());
        return Files.writeString(folder.resolve(String.format(Locale.ROOT, "Entity%03d.java", number)), source);
    }

    /** Lets this thread load them by their names, as Hibernate does. */
    void use() {
        Thread.currentThread().setContextClassLoader(loader);
    }

    /** With a sequence of the library each. */
    List<Class<?>> ours() {
        return classes("ours");
    }

    /** With a row of Hibernate's table generator each. */
    List<Class<?>> table() {
        return classes("table");
    }

    private List<Class<?>> classes(String kind) {
        return IntStream.range(0, count)
                .<Class<?>>mapToObj(number -> load(String.format(Locale.ROOT, "%s.Entity%03d", kind, number)))
                .toList();
    }

    private Class<?> load(String name) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
