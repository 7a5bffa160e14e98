/** Metrics for Micrometer, which the application brings. */
@NullMarked
package io.distributedid.micrometer;

import org.jspecify.annotations.NullMarked;
