package io.distributedid.cli;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** The superclass of all commands: shared options and output. {@code call} returns the exit code. */
// picocli creates the commands, and sets these fields before it calls one.
@SuppressWarnings("NullAway.Init")
abstract class IdCommand implements Callable<Integer> {

    @ParentCommand
    private Main program;

    @Spec
    private CommandSpec spec;

    SettingsOptions options() {
        return program.options();
    }

    /** The answer to a question; empty if there is no terminal. */
    Optional<String> ask(String question) {
        return program.ask(question);
    }

    CommandLine commandLine() {
        return spec.commandLine();
    }

    PrintWriter out() {
        return commandLine().getOut();
    }
}
