package io.distributedid.internal.jdbc;

import io.distributedid.internal.process.Pages;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * Says in one line why a server or its driver failed. Where the network is the reason, that is the innermost cause:
 * what drivers write around it does not help, and some of it is only about their packets.
 */
public final class FailureText {

    private static final String OURS = "io.distributedid.";

    /** What follows an empty line is about the driver's packets. */
    private static final Pattern EMPTY_LINE = Pattern.compile("\\R\\s*\\R");

    private static final Pattern LINE_END = Pattern.compile("\\s*\\R\\s*");

    private FailureText() {}

    /**
     * The reason, without the names of exceptions where there is a message. An exception of this library in the chain
     * is complete in itself.
     */
    public static String of(Throwable failure) {
        Throwable innermost = failure;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each.getClass().getName().startsWith(OURS)) {
                return line(each);
            }
            innermost = each;
        }
        return innermost instanceof IOException reason ? ofNetwork(reason) : line(failure);
    }

    /**
     * The message of a command that needs all servers. A server that refuses the login is not said to be silent.
     *
     * @param what must answer
     * @param advice what to do if it does not; ends with {@link Pages#onCall(String)}
     */
    public static String ofNeeded(String what, SQLException e, String advice) {
        return SqlErrors.isWrongPassword(e)
                ? "A server refuses the login: " + of(e)
                : Pages.withOneRow(what + " must answer: " + of(e) + advice);
    }

    private static String ofNetwork(IOException reason) {
        if (reason instanceof UnknownHostException) {
            // The JDK appends its own reason to the host.
            return "Unknown host: host=" + line(reason).split(":", 2)[0];
        }
        if (reason instanceof SocketTimeoutException) {
            return "No answer in time: " + line(reason);
        }
        return reason instanceof EOFException ? "The server ended the connection" : line(reason);
    }

    private static String line(Throwable failure) {
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getName();
        }
        String first = EMPTY_LINE.split(message.strip(), 2)[0];
        return LINE_END.matcher(first).replaceAll(" ");
    }
}
