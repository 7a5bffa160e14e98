/** Requests to an issuing service, and its answers: what all its clients have in common. May change in any release. */
@NullMarked
package io.distributedid.internal.http;

import org.jspecify.annotations.NullMarked;
