/**
 * Events for Java Flight Recorder. Only {@link io.distributedid.internal.event.FlightRecorder} touches classes of {@code jdk.jfr}, and
 * it is loaded only where they are. May change in any release.
 */
@NullMarked
package io.distributedid.internal.event;

import org.jspecify.annotations.NullMarked;
