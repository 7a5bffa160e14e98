/**
 * The command line. The jar with classifier {@code cli} includes picocli, the plain one does not. Only the server
 * imports this package: it reads the same file of settings. May change in any release.
 */
@NullMarked
package io.distributedid.cli;

import org.jspecify.annotations.NullMarked;
