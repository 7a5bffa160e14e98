package io.distributedid.micrometer;

import io.distributedid.DistributedIds;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Publishes the {@link DistributedIds#statistics} of all sequences as meters, also of sequences that are opened later.
 *
 * <pre>{@code
 * new DistributedIdMetrics(ids).bindTo(registry);
 * new DistributedIdMetrics(DistributedIdService.of(factory).ids()).bindTo(registry); // with Hibernate
 * }</pre>
 *
 * <table>
 *   <caption>Meters; tag {@code seq} is the sequence, {@code server} an address without user and password</caption>
 *   <tr><th>name</th><th>tags</th><th>type, unit</th><th></th></tr>
 *   <tr><td>{@code distributedid.health}</td><td>status</td><td>gauge</td>
 *     <td>1 for the worst status of all sequences ({@code up}, {@code degraded} or {@code down}), 0 for others</td></tr>
 *   <tr><td>{@code distributedid.sequence.health}</td><td>seq, status</td><td>gauge</td>
 *     <td>the same for one sequence</td></tr>
 *   <tr><td>{@code distributedid.issued}</td><td>seq</td><td>counter, ids</td>
 *     <td>handed out</td></tr>
 *   <tr><td>{@code distributedid.wait}</td><td>seq</td><td>timer</td>
 *     <td>calls that had to wait, and for how long</td></tr>
 *   <tr><td>{@code distributedid.fetch}</td><td>seq</td><td>timer</td>
 *     <td>blocks reserved, and how long that took</td></tr>
 *   <tr><td>{@code distributedid.fetch.failures}</td><td>seq</td><td>counter</td>
 *     <td>fetches that failed on all servers</td></tr>
 *   <tr><td>{@code distributedid.reserve}</td><td>seq</td><td>gauge, ids</td>
 *     <td>reserved and not handed out yet</td></tr>
 *   <tr><td>{@code distributedid.dropped}</td><td>seq</td><td>counter, ids</td>
 *     <td>reserved and never to be handed out</td></tr>
 *   <tr><td>{@code distributedid.distance}</td><td>seq</td><td>gauge, ids</td>
 *     <td>between the last known counters, if there are several servers</td></tr>
 *   <tr><td>{@code distributedid.counter.left}</td><td>seq</td><td>gauge, ids</td>
 *     <td>numbers above the counter until ids no longer fit</td></tr>
 *   <tr><td>{@code distributedid.layout.left}</td><td>seq</td><td>gauge, seconds</td>
 *     <td>until the layout of Snowflake ids runs out of time</td></tr>
 *   <tr><td>{@code distributedid.server.up}</td><td>seq, server</td><td>gauge</td>
 *     <td>1 if the server is in use, 0 if it is left out</td></tr>
 *   <tr><td>{@code distributedid.server.fetches}</td><td>seq, server</td><td>counter</td>
 *     <td>blocks that the server gave</td></tr>
 *   <tr><td>{@code distributedid.server.failures}</td><td>seq, server</td><td>counter</td>
 *     <td>calls that the server failed</td></tr>
 *   <tr><td>{@code distributedid.server.failovers}</td><td>seq, server</td><td>counter</td>
 *     <td>the server failed, and others took over</td></tr>
 *   <tr><td>{@code distributedid.server.last.id}</td><td>seq, server</td><td>gauge</td>
 *     <td>the last id that the server is known to have given</td></tr>
 *   <tr><td>{@code distributedid.worker.number}</td><td>seq</td><td>gauge</td>
 *     <td>the worker number</td></tr>
 *   <tr><td>{@code distributedid.worker.window.left}</td><td>seq</td><td>gauge, seconds</td>
 *     <td>to the end of the reserved window of a leased number</td></tr>
 *   <tr><td>{@code distributedid.worker.clock.offset}</td><td>seq</td><td>gauge, seconds</td>
 *     <td>how far the local clock is ahead of the lease store's; for leased numbers</td></tr>
 *   <tr><td>{@code distributedid.tenure.active}</td><td>seq</td><td>gauge</td>
 *     <td>1 if this process gives the ids in strict order, 0 if it stands by</td></tr>
 *   <tr><td>{@code distributedid.tenure.lease.left}</td><td>seq</td><td>gauge, seconds</td>
 *     <td>to the end of the lease of the active process; NaN on standby</td></tr>
 *   <tr><td>{@code distributedid.tenure.takeovers}</td><td>seq</td><td>counter</td>
 *     <td>this process became active</td></tr>
 * </table>
 *
 * <p>The timers have a maximum; for percentiles, the application switches histograms on by a {@code MeterFilter} or the
 * properties of its framework. An unknown value is NaN. Reading the meters asks no server. The meters leave the
 * registry when the sequences are closed, and hold no strong reference to them. If two {@link DistributedIds} share a
 * registry, give each its own tags, for example the shard or the persistence unit. Thread-safe.
 */
public final class DistributedIdMetrics implements MeterBinder {

    private final DistributedIds ids;

    private final Tags tags;

    /**
     * Creates meters with the tags above.
     *
     * @param ids the sequences to measure
     */
    public DistributedIdMetrics(DistributedIds ids) {
        this(ids, Tags.empty());
    }

    /**
     * Creates meters with additional tags.
     *
     * @param ids the sequences to measure
     * @param tags added to every meter
     */
    public DistributedIdMetrics(DistributedIds ids, Iterable<Tag> tags) {
        this.ids = ids;
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        SequenceMeters meters = new SequenceMeters(ids, registry, tags);
        meters.addHealth();
        ids.addListener(meters);
    }
}
