package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A start that fails tells no password, neither in its exceptions nor in the log. */
class SecretsTest {

    private static final String SECRET = "s3cr3t";

    private static Unit ticketsOf(String servers) {
        return Unit.of(BackendSettings.TICKET, Photo.class).with("distributedid.ticket.servers", servers);
    }

    @Test
    void wrongPasswordIsNotTold() throws SQLException {
        String server = Unit.freshDatabase();
        DriverManager.getConnection(server, "clerk", "right").close();
        Unit unit = ticketsOf(server)
                .with("distributedid.ticket.user", "clerk")
                .with("distributedid.ticket.password", SECRET);

        assertThat(everythingSaidBy(unit))
                .contains("Wrong user name or password", "WARN")
                .doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:nosuch://clerk:s3cr3t@t1/tickets",
                "jdbc:nosuch://clerk:p@s3cr3t@t1/tickets",
                "jdbc:nosuch://t1/tickets?user=clerk&password=s3cr3t",
                "jdbc:nosuch://address=(host=t1)(user=clerk)(password=s3cr3t)/tickets",
                "jdbc:nosuch://(host=t1,user=clerk,password=s3cr3t)/tickets",
                "mysql://clerk:s3cr3t@t1/tickets",
                "t1/tickets?user=clerk&password=s3cr3t",
                "jdbc:h2:mem:t1;USER=clerk;PASSWORD=s3cr3t, t2",
                "jdbc:h2:mem:t1;PASSWORD=s3cr3t, jdbc:h2:mem:t1;PASSWORD=s3cr3t",
                "jdbc:h2:mem:t1;IFEXISTS=TRUE;PASSWORD=s3cr3t",
                "jdbc:h2:mem:t1;NOSUCHSETTING=1;PASSWORD=s3cr3t",
                "jdbc:h2:tcp://localhost:1/t1;PASSWORD=s3cr3t"
            })
    void passwordInAUrlIsNotTold(String servers) {
        assertThat(everythingSaidBy(ticketsOf(servers))).doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "distributedid.ticket.pasword",
                "distributedid.sequence_table.pwd",
                "distributedid.seq.photos.ticket.pass"
            })
    void passwordOfAMisspeltSettingIsNotTold(String setting) {
        Unit unit = Unit.of(BackendSettings.TICKET, Photo.class).with(setting, SECRET);

        assertThat(everythingSaidBy(unit)).contains(setting).doesNotContain(SECRET);
    }

    @Test
    void passwordsOfALeaseAreNotTold() throws SQLException {
        String server = Unit.freshDatabase();
        DriverManager.getConnection(server, "clerk", "right").close();
        Unit leasing = Unit.of(BackendSettings.SNOWFLAKE, Photo.class).with("distributedid.snowflake.worker", "lease");

        assertThat(everythingSaidBy(leasing.with("distributedid.snowflake.lease.server", server)
                        .with("distributedid.snowflake.lease.user", "clerk")
                        .with("distributedid.snowflake.lease.password", SECRET)))
                .contains("Wrong user name or password")
                .doesNotContain(SECRET);
        for (String url : new String[] {
            "jdbc:h2:tcp://localhost:1/t1;PASSWORD=s3cr3t",
            "jdbc:h2:mem:t1;PASSWORD=s3cr3t, jdbc:h2:mem:t2;PASSWORD=s3cr3t",
            "mysql://clerk:s3cr3t@t1/ids"
        }) {
            assertThat(everythingSaidBy(leasing.with("distributedid.snowflake.lease.server", url)))
                    .doesNotContain(SECRET);
        }
    }

    /** The stack traces and the log of a start that fails. */
    private static String everythingSaidBy(Unit unit) {
        Unit impatient = unit.with("distributedid.block.timeout", "200ms");
        try (LogRecorder log = new LogRecorder()) {
            Throwable thrown = catchThrowable(() -> impatient.start().close());
            assertThat(thrown).isNotNull();
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace, true));
            return trace + log.text();
        }
    }
}
