/** Names and values of settings, beyond what a backend's author sees of them. May change in any release. */
@NullMarked
package io.distributedid.internal.settings;

import org.jspecify.annotations.NullMarked;
