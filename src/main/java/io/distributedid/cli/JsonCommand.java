package io.distributedid.cli;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** A command with a result that a script may want to read. */
abstract class JsonCommand extends IdCommand {

    @Option(
            names = "--json",
            description = "Print the result as JSON on standard output, and all else on standard error. Ids are"
                    + " strings, since many JSON readers keep only 53 bits.")
    private boolean json;

    /** For people: with {@code --json}, standard error. */
    @Override
    PrintWriter out() {
        return json ? commandLine().getErr() : super.out();
    }

    /** Prints the result in one of the two forms. */
    void result(String text, Map<String, ?> values) {
        commandLine().getOut().println(json ? written(values) : text);
    }

    /** Booleans and counts are written as they are; all else, also a {@code Long}, as a text. */
    private static String written(Object value) {
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(each -> quoted(each.getKey().toString()) + ":" + written(each.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Collection<?> elements) {
            return elements.stream().map(JsonCommand::written).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof Boolean || value instanceof Integer ? value.toString() : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(each -> {
            if (each < ' ') {
                quoted.append(String.format("\\u%04x", each));
            } else {
                quoted.append(each == '"' || each == '\\' ? "\\" : "").append((char) each);
            }
        });
        return quoted.append('"').toString();
    }
}
