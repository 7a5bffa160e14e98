package io.distributedid;

import java.time.Duration;
import java.util.Optional;

/**
 * Statistics of a sequence whose ids are reserved in blocks.
 *
 * @param reserved ids reserved
 * @param reserve ids reserved and not handed out yet
 * @param dropped ids reserved that will never be handed out: they came too close to their maximum age, the counter was
 *     raised above them, or the process stopped
 * @param overdue blocks used beyond their maximum age because no server answered
 * @param fetched blocks reserved
 * @param failedFetches attempts to reserve a block that failed on all servers
 * @param fetchTime total time of the fetches that succeeded
 * @param failure why the last fetch failed; empty if it succeeded
 */
public record BlockStatistics(
        long reserved,
        long reserve,
        long dropped,
        long overdue,
        long fetched,
        long failedFetches,
        Duration fetchTime,
        Optional<String> failure) {}
