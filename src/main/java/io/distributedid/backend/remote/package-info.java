/** The client of an issuing service: ids come from servers over HTTP. May change in any release. */
@NullMarked
package io.distributedid.backend.remote;

import org.jspecify.annotations.NullMarked;
