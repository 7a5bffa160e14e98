package io.distributedid.soak.application;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Why calls were refused: the errors of a process, each once, without what differs from call to call. The number of a
 * reason is that of its line in a file.
 */
final class Reasons {

    private static final int LONGEST = 160;

    private final Path file;

    private final Map<String, Integer> numbers = new HashMap<>();

    Reasons(Path folder, int process) {
        file = file(folder, process);
    }

    private static Path file(Path folder, int process) {
        return folder.resolve(process + ".reasons");
    }

    /** The reasons of a process, by their numbers. */
    static List<String> of(Path folder, int process) throws IOException {
        Path file = file(folder, process);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    synchronized int numberOf(Exception error) {
        return numbers.computeIfAbsent(text(error), text -> {
            write(text);
            return numbers.size();
        });
    }

    /** Kind and message, where numbers, names of connections and the like are left out. */
    static String text(Exception error) {
        String message = String.valueOf(error.getMessage())
                .replaceAll("\\s+", " ")
                .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "#")
                .replaceAll("\\d+", "#");
        String text = error.getClass().getSimpleName() + ": " + message;
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }

    private void write(String text) {
        try {
            Files.writeString(
                    file, text + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
