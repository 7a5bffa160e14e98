package io.distributedid.server;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;

/**
 * What the operations share.
 *
 * @param sequences of which the server gives ids
 * @param numbers of which it gives numbers per key
 * @param inquiries threads for requests that ask servers for something else than ids
 * @param comparisons threads for those that may wait long, as for the clock to pass an existing id
 */
record Service(
        ServerSettings settings,
        Access access,
        Sequences<ServedSequence> sequences,
        Sequences<ServedKeys> numbers,
        Traffic traffic,
        PrometheusMeterRegistry registry,
        Workers inquiries,
        Workers comparisons,
        PublicText text,
        InstantSource clock) {}
