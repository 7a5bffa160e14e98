package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdUnavailableException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class FailureTextTest {

    private static final String RIDDLE =
            "Communications link failure\n\nThe last packet sent successfully to the server"
                    + " was 0 milliseconds ago. The driver has not received any packets from the server.";

    @Test
    void theNetworksReasonComesInsteadOfTheDriversWords() {
        assertThat(text(new UnknownHostException("t1.example: Name or service not known")))
                .isEqualTo("Unknown host: host=t1.example");
        assertThat(text(new ConnectException("Connection refused"))).isEqualTo("Connection refused");
        assertThat(text(new SocketTimeoutException("Connect timed out")))
                .isEqualTo("No answer in time: Connect timed out");
        assertThat(text(new EOFException("Can not read response from server. Expected to read 4 bytes")))
                .isEqualTo("The server ended the connection");
        assertThat(text(new IOException())).isEqualTo("java.io.IOException");
    }

    @Test
    void theServersMessageIsTakenWithoutThePackets() {
        assertThat(FailureText.of(new SQLException(RIDDLE))).isEqualTo("Communications link failure");
        assertThat(FailureText.of(new SQLException("ERROR: no\n  Detail: none", new IllegalStateException("inner"))))
                .isEqualTo("ERROR: no Detail: none");
        assertThat(FailureText.of(new SQLException((String) null))).isEqualTo("java.sql.SQLException");
    }

    @Test
    void anErrorOfThisLibraryIsCompleteInItself() {
        IdUnavailableException ours = new IdUnavailableException(
                "No server gives ids; t1 said: Connection refused", new ConnectException("no"));

        assertThat(FailureText.of(new SQLException("wrapped", ours)))
                .isEqualTo("No server gives ids; t1 said: Connection refused");
    }

    private static String text(IOException reason) {
        return FailureText.of(new SQLException(RIDDLE, new IllegalStateException(RIDDLE, reason)));
    }
}
