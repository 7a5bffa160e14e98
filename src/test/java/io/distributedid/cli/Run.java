package io.distributedid.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The result of a command: exit code and output. */
record Run(int exitCode, String out, String err) {

    static Run of(String... arguments) {
        return with(Map.of(), arguments);
    }

    static Run with(Map<String, String> environment, String... arguments) {
        return with(environment, question -> Optional.empty(), arguments);
    }

    /** @param terminal answers a question; empty if there is no terminal */
    static Run with(Map<String, String> environment, Function<String, Optional<String>> terminal, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(new PrintWriter(out), new PrintWriter(err), environment, terminal, arguments);
        return new Run(exitCode, out.toString(), err.toString());
    }
}
