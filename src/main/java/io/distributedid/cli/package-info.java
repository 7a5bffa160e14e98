/**
 * The command line, in the jar with classifier {@code cli} with picocli, and without in the plain one. Nothing imports
 * it. May change in any release.
 */
@NullMarked
package io.distributedid.cli;

import org.jspecify.annotations.NullMarked;
