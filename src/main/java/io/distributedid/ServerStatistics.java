package io.distributedid;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one of several servers has done for a sequence.
 *
 * @param server its address, without user and password
 * @param fetches blocks that it gave
 * @param failures calls that it failed
 * @param failovers how often it was left out, and others did its work
 * @param counter the last id that it is known to have given, to whomever; empty if it never answered
 * @param failure why it is left out; empty if it is in use
 */
public record ServerStatistics(
        String server, long fetches, long failures, long failovers, OptionalLong counter, Optional<String> failure) {}
