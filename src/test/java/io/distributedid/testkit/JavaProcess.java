package io.distributedid.testkit;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Another JVM with the class path of this one, for nodes that compete or are killed. */
public final class JavaProcess {

    private JavaProcess() {}

    /**
     * To be started.
     *
     * @param memory heap, as in {@code 64m}
     * @param main given the settings as text, then the arguments
     */
    public static ProcessBuilder of(String memory, Class<?> main, Map<String, ?> settings, Object... arguments) {
        List<Object> all = new ArrayList<>();
        all.add(settings.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("\n")));
        all.addAll(List.of(arguments));
        return new ProcessBuilder(command(memory, main.getName(), all.toArray()));
    }

    /**
     * What starts one. It soon ends: the quick compiler and one thread for the garbage are enough.
     *
     * @param memory heap, as in {@code 64m}
     * @param main name of a class
     */
    public static List<String> command(String memory, String main, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(
                java(), "-Xmx" + memory, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath(), main));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return command;
    }

    /** The class path of this JVM, which the other one gets too. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** The program that runs this JVM. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The jar, or the folder, that a class of the class path comes from. */
    public static Path jarOf(String className) {
        try {
            return Path.of(Class.forName(className)
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a signal such as STOP to a process, which must run. */
    public static void signal(String name, long pid) throws IOException {
        // A shell has kill built in.
        TestFiles.run(List.of("sh", "-c", "kill -" + name + " " + pid));
    }

    /** Whether it runs still, or with which code it ended. */
    public static String state(Process process) {
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
    public static Map<String, String> settings(String text) {
        return text.lines()
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')), line -> line.substring(line.indexOf('=') + 1)));
    }
}
