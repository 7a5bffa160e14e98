package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.Secrets;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What everyone may read of messages. */
class PublicTextTest {

    private static final PublicText TEXT = new PublicText(
            Secrets.of(Map.of("distributedid.ticket.password", "correct-horse"), InstalledBackends.declarations()));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "t1 said: java.net.ConnectException: Connection refused | t1 said: Connection refused",
                "java.lang.NullPointerException | a fault of the server",
                "t1 said: java.io.EOFException. Start it | t1 said: a fault of the server. Start it",
                "a: java.sql.SQLException: b: com.mysql.cj.exceptions.CJException: c | a: b: c",
                "io.distributedid.IdUnavailableException: gone | gone",
                "org.postgresql.util.PSQLException: FATAL: no | FATAL: no",
                "Broken: \"java.net.SocketException: Closed\" [90067-232] | Broken: \"Closed\" [90067-232]",
                "Cannot invoke java.util.Map$Entry.getKey() | Cannot invoke a fault of the server.getKey()",
                "it failed at io.x.Y.run(Y.java:5) at io.x.Z.go(Z.java:7) | it failed",
                "it failed at java.base/jdk.internal.X.invoke0(Native Method) | it failed",
                "password=correct-horse and correct-horse | password=*** and ***"
            })
    void theInsideOfTheProgramIsLeftOut(String message, String expected) {
        assertThat(TEXT.of(message)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "There is no such sequence: seq=phots. Did you mean photos?",
                "No id within 5000 ms: seq=photos: jdbc:mysql://t1.example.com/tickets said: Connection refused",
                "The table tickets.Tickets64 is missing. Create it: distributedid ddl",
                "distributedid.server.max_ids=0, allowed: a number from 1 to 100000",
                "jdbc:h2:./data.Ids said: Locked by another process: /var/lib/ids.mv.db (Error 90020)",
                "The lease ended at 2024-01-01T00:00:00Z (5 s ago)",
                "An Error of the Exception kind"
            })
    void whatAnOperatorNeedsRemains(String message) {
        assertThat(TEXT.of(message)).isEqualTo(message);
    }

    /** Callers choose what stands in some messages, for example in the header of a request. */
    @ParameterizedTest
    @ValueSource(strings = {"A.", "io.", "java.", "a.Error.", "//", "at a(", " ", "$", "password="})
    void aTextThatIsLongIsCut(String part) {
        String cut = TEXT.of("This header is wrong: " + part.repeat(20_000) + "@");

        assertThat(cut).startsWith("This header is wrong:").hasSizeLessThan(1_100);
    }

    @Test
    void whatIsCutTellsItsLength() {
        assertThat(TEXT.of("wrong ".repeat(200))).isEqualTo("wrong ".repeat(166).strip() + "... (1200 characters)");
    }

    @Test
    void noPartOfASecretRemainsWhereATextIsCut() {
        String words = "x ".repeat(490);

        assertThat(TEXT.of(words + "it is correct-horse, and more than " + words))
                .doesNotContain("correct");
        assertThat(TEXT.of(words + "http://a:pass-word@t1/ids and more than " + words))
                .doesNotContain("pass");
        assertThat(TEXT.of(words + "x java.net.ConnectException: and more than " + words))
                .doesNotContain("java");
    }

    @Test
    void aPrintedStackTraceIsLeftOut() {
        StringWriter written = new StringWriter();
        new IllegalStateException("outside", new SQLException("inside")).printStackTrace(new PrintWriter(written));

        assertThat(TEXT.of(written.toString())).isEqualTo("outside");
    }

    /** Drivers and servers write what they want into their messages. */
    @Test
    void messagesAmongFiguresAreCutToo() {
        String message = "Access denied for ids:correct-horse@t1, password=battery-staple\n\tat t1";
        Map<String, Object> figures = Map.of(
                "reason",
                message,
                "issued",
                7,
                "tenure",
                Map.of("active", "http://ids:correct-horse@ids1", "failure", message),
                "servers",
                List.of(Map.of("failure", message, "lastId", "9007199254740993")));

        String written = TEXT.of(figures).encode();

        assertThat(written)
                .contains("\"issued\":7", "\"lastId\":\"9007199254740993\"")
                .doesNotContain("correct-horse", "battery-staple", "\\n");
        assertThat(written.split("Access denied", -1)).as(written).hasSize(4);
    }
}
