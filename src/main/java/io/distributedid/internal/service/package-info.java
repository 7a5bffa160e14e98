/** The client of an issuing service: its servers, requests to them, and calls that wait. May change in any release. */
@NullMarked
package io.distributedid.internal.service;

import org.jspecify.annotations.NullMarked;
