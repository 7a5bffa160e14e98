package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles and runs Java from the documentation, as a reader does who copies it. */
final class SnippetProgram {

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package (\\w+);$");

    private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|record) (\\w+)");

    private final Path folder;

    SnippetProgram(Path folder) {
        this.folder = folder;
    }

    void write(String path, String content) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    void compile(List<String> sources) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String source : sources) {
            String file = first(PACKAGE, source) + "/" + first(CLASS, source) + ".java";
            write(file, source);
            files.add(folder.resolve(file));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options =
                    List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", folder.toString());
            assertThat(compiler.getTask(
                                    messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                            .call())
                    .as(() -> messages.toString())
                    .isTrue();
        }
    }

    /** Returns its output. */
    String run(String mainClass) throws Exception {
        PrintStream before = System.out;
        ClassLoader loaderBefore = Thread.currentThread().getContextClassLoader();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, loaderBefore)) {
            Thread.currentThread().setContextClassLoader(loader);
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            loader.loadClass(mainClass).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
            Thread.currentThread().setContextClassLoader(loaderBefore);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static String first(Pattern pattern, String source) {
        Matcher found = pattern.matcher(source);
        assertThat(found.find()).as("%s in%n%s", pattern, source).isTrue();
        return found.group(1);
    }
}
