package io.distributedid.commandline;

import io.distributedid.testkit.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The program as an operator starts it, in a process of its own. */
final class Program {

    /** What it did; standard output and standard error apart. */
    record Result(int exitCode, String out, String err) {}

    private Program() {}

    /** {@code java -jar}, which knows no driver. */
    static Result runWithoutDriver(Path folder, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        return start(folder, environment, List.of("-jar", jar().toString()), arguments);
    }

    /** {@code java -cp}, with the drivers of the folder {@code lib}. */
    static Result run(Path folder, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        String classPath = jar() + File.pathSeparator + "lib/*";
        return start(folder, environment, List.of("-cp", classPath, "io.distributedid.cli.Main"), arguments);
    }

    private static Result start(Path folder, Map<String, String> environment, List<String> program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(JavaProcess.java());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        command.addAll(program);
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            int exitCode = process.waitFor();
            return new Result(exitCode, read(out), read(err));
        } finally {
            process.destroyForcibly();
        }
    }

    static Path driver() {
        return JavaProcess.jarOf("com.mysql.cj.jdbc.Driver");
    }

    /** Lettuce and what it needs, of the class path of the tests. */
    static List<Path> lettuce() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(each ->
                        each.matches(".*[/\\\\](lettuce|netty|reactor|reactive-streams|redis-authx)-[^/\\\\]*\\.jar"))
                .map(Path::of)
                .toList();
    }

    static Path jar() {
        return JavaProcess.jarOf("io.distributedid.cli.Main");
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
