package io.distributedid;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Statistics of one server of a sequence.
 *
 * @param server its address, without user and password
 * @param fetches blocks that it gave
 * @param failures calls to it that failed
 * @param failovers how often it failed and other servers took over
 * @param counter the last id that it is known to have given to any process; empty if it never answered
 * @param failure why it is left out; empty if it is in use
 */
public record ServerStatistics(
        String server, long fetches, long failures, long failovers, OptionalLong counter, Optional<String> failure) {}
