package io.distributedid.cli;

import picocli.CommandLine.Parameters;

/** A command for one sequence. */
abstract class SequenceCommand extends IdCommand {

    @Parameters(paramLabel = "SEQ", description = "The sequence.")
    String sequence = "";
}
