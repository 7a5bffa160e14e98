package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.keyed.source.SectionTable;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request for a key of another server is sent there, a bounded number of times. */
class KeyRedirectTest {

    private static final String OWNER = "https://ids2:8443";

    private static final String TARGET = "/v1/keyed/messages/numbers?key=%C3%A4&n=5";

    private static Problem problem(String target, String owner, int redirects) {
        SectionTable table = new SectionTable(17, "https://ids1:8443", List.of(Optional.of(OWNER)));
        return KeyedOperations.redirect(target, "ids2 has it", owner, redirects, Optional.of(table));
    }

    @Test
    void theAddressOfTheOwnerHasTheSameParameters() {
        Problem problem = problem(TARGET, OWNER, 0);

        assertThat(problem.type().status()).isEqualTo(307);
        assertThat(problem.members().get("location")).isEqualTo(OWNER + TARGET + "&redirects=1");
        assertThat(problem.members().get("active")).isEqualTo(OWNER);
        assertThat(problem.members().get("table")).isEqualTo("17");
        assertThat(problem.detail()).isEqualTo("ids2 has it");
    }

    @ParameterizedTest
    @CsvSource({
        "?key=7&redirects=1, 1, ?key=7&redirects=2",
        "?redirects=2&key=7, 2, ?key=7&redirects=3",
        "?key=redirects%3D1&redirects=1&n=2, 1, ?key=redirects%3D1&n=2&redirects=2"
    })
    void theAddressCountsTheServersThatWereAsked(String query, int redirects, String expected) {
        assertThat(problem("/p" + query, OWNER, redirects).members().get("location"))
                .isEqualTo(OWNER + "/p" + expected);
    }

    @Test
    void theLastServerSendsNobodyOn() {
        Problem problem = problem(TARGET + "&redirects=3", OWNER, 3);

        assertThat(problem.type()).isEqualTo(ProblemType.STANDBY);
        assertThat(problem.type().passes()).as("has Retry-After").isTrue();
        assertThat(problem.members()).doesNotContainKey("location");
        assertThat(problem.members().get("active")).isEqualTo(OWNER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ids2:4711", "", "https://ids2:8443/path", "javascript:alert(1)"})
    void anOwnerWithoutAnAddressIsOnlyNamed(String owner) {
        Problem problem = problem(TARGET, owner, 0);

        assertThat(problem.type()).isEqualTo(ProblemType.STANDBY);
        assertThat(problem.members()).doesNotContainKey("location");
    }
}
