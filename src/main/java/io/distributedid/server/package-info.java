/**
 * The issuing service: ids over HTTP, for callers without a database, in any language. The jar with classifier
 * {@code server} includes Vert.x and what else it needs, the plain one does not. No other package imports this one. May
 * change in any release.
 */
@NullMarked
package io.distributedid.server;

import org.jspecify.annotations.NullMarked;
