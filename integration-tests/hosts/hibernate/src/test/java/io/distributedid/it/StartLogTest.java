package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is configured is said once for each SessionFactory, without passwords. */
class StartLogTest {

    @Test
    void theConfigurationIsSaidOnce() throws Exception {
        String server = Unit.freshDatabase();
        try (LogRecorder log = new LogRecorder()) {
            Unit.of(BackendSettings.TICKET, Photo.class, Account.class)
                    .with("distributedid.ticket.servers", server + ";USER=sa;PASSWORD=")
                    .with("distributedid.seq.photos.block.max", "50")
                    .start()
                    .close();

            assertThat(Pattern.compile("INFO: Ids are configured: backend=ticket; [^\n]*")
                            .matcher(log.text())
                            .results())
                    .singleElement()
                    .satisfies(line -> assertThat(line.group())
                            .contains("seq.photos.block.max=50; ", "ticket.servers=" + server.split(";", 2)[0])
                            .doesNotContain("USER", "PASSWORD"));
        }
    }
}
