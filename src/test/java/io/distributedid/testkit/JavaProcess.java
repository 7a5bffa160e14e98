package io.distributedid.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Another JVM with the class path of this one, for nodes that compete or are killed. */
final class JavaProcess {

    private JavaProcess() {}

    /**
     * To be started.
     *
     * @param memory heap, as in {@code 64m}
     * @param main given the settings as text, then the arguments
     */
    static ProcessBuilder of(String memory, Class<?> main, Map<String, ?> settings, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + memory,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName(),
                settings.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining("\n"))));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command);
    }

    /** Whether it runs still, or with which code it ended. */
    static String state(Process process) {
        return process.isAlive() ? "it still runs" : "exit code " + process.exitValue();
    }

    /**
     * Why a node did not end well. Its error output, from a file, is printed; the message has the first exception in
     * it.
     */
    static IllegalStateException failure(Process process, Path errors) throws IOException {
        String printed = TestFiles.read(errors);
        System.err.println(printed);
        String first = printed.lines()
                .filter(line -> line.startsWith("Exception in thread"))
                .findFirst()
                .orElse("no exception");
        return new IllegalStateException("The node failed: " + state(process) + "; it printed: " + first);
    }

    /** What a node makes of its first argument. */
    static Map<String, String> settings(String text) {
        return text.lines()
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')), line -> line.substring(line.indexOf('=') + 1)));
    }
}
