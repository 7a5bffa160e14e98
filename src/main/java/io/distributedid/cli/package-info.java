/**
 * The command line. The jar with classifier {@code cli} includes picocli, the plain one does not. No other package
 * imports this one. May change in any release.
 */
@NullMarked
package io.distributedid.cli;

import org.jspecify.annotations.NullMarked;
