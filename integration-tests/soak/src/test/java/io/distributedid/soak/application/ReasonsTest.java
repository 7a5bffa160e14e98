package io.distributedid.soak.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReasonsTest {

    @TempDir
    Path folder;

    @Test
    void whatDiffersFromCallToCallIsLeftOut() throws IOException {
        Reasons reasons = new Reasons(folder, 7);

        int first = reasons.numberOf(new IdUnavailableException("No server after 10 s:\nport 21000", null));
        int same = reasons.numberOf(new IdUnavailableException("No server after 11 s:\nport 21001", null));
        int other = reasons.numberOf(new IdUnavailableException("Closed", null));

        assertThat(same).isEqualTo(first);
        assertThat(Reasons.of(folder, 7).get(first)).isEqualTo("IdUnavailableException: No server after # s: port #");
        assertThat(Reasons.of(folder, 7).get(other)).isEqualTo("IdUnavailableException: Closed");
        assertThat(Reasons.of(folder, 8)).isEmpty();
    }
}
