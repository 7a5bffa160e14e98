package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.counter.Alignment.Outcome;
import io.distributedid.internal.counter.Refusal.Kind;
import io.distributedid.internal.process.Pages;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalTextTest {

    private static final CounterKey PHOTOS = new CounterKey("sequence", "photos", "photos");

    private final RefusalText text = new RefusalText(List.of("a", "b"), new CounterRules(1_000_000, Failover.RAISE));

    @ParameterizedTest
    @EnumSource(Kind.class)
    void eachRefusalNamesTheServerWhatIsThereAndWhatToDo(Kind kind) {
        String message = text.of(PHOTOS, Refusal.of(kind, 1, "SEEN", "EXPECTED"));

        assertThat(message).contains("table=sequence name=photos on b");
        if (kind != Kind.SILENT) {
            assertThat(message)
                    .containsPattern("(?i)distributedid (repair|move|raise)|Repeat|List the|Give (each|the)|Finish");
        }
    }

    @Test
    void whereIdsAreLostTheEndSaysHowToResetDisposableData() {
        for (Kind kind : List.of(Kind.LOST_ALONE, Kind.HEADER_LOST, Kind.TOKEN, Kind.MEMBERS)) {
            assertThat(text.of(PHOTOS, Refusal.of(kind, 0, "1", "2")))
                    .endsWith(". For disposable data only: drop the counters, their ledger (the table distributedid; in"
                            + " Redis, a hash), and all tables of the entities' database, including distributedid"
                            + Pages.onCall("counter", kind));
        }
    }

    @Test
    void ofTwoCommandsAtOnceOneIsToBeRepeated() {
        assertThat(text.of(PHOTOS, Refusal.of(Kind.BEATEN, 0, "c2", "")))
                .isEqualTo("Another command or client was faster: table=sequence name=photos on a command=c2."
                        + " Repeat the command"
                        + Pages.onCall("counter-beaten"));
    }

    private DistributedIdException refused(boolean isForAll, Map<Integer, Exception> failures, Refusal... refusals) {
        return text.refused(PHOTOS, new Outcome(Arrays.asList(refusals), failures), isForAll)
                .orElse(null);
    }

    @Test
    void aServerThatIsSilentIsMissedOnlyIfAllMustAnswer() {
        Refusal silent = Refusal.of(Kind.SILENT, 1, "", "");
        Map<Integer, Exception> failures = Map.of(1, new SQLException("b is down"));

        assertThat(refused(false, failures, null, silent)).isNull();
        assertThat(refused(true, failures, null, silent))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage(
                        "All servers must answer, so that no counter stays behind: table=sequence name=photos; b said:"
                                + " b is down. Repeat the call when they do" + Pages.onCall("counter-not-all-answer"));
    }

    @Test
    void aFirstUseNamesTheServersThatDoNotAnswerAndTheirReasons() {
        Refusal waits = Refusal.of(Kind.NOT_ALL_ANSWER, 0, "", "");
        Refusal silent = Refusal.of(Kind.SILENT, 1, "", "");

        assertThat(refused(false, Map.of(1, new SQLException("b is down")), waits, silent))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage(
                        "All servers must answer a client that uses a counter for the first time: table=sequence name=photos,"
                                + " no answer from [b]; b said: b is down" + Pages.onCall("counter-not-all-answer"))
                .hasRootCauseMessage("b is down");
    }

    @Test
    void aRefusalComesBeforeAMissingAnswer() {
        Refusal closed = Refusal.of(Kind.CLOSED, 0, "c1", "");
        Refusal silent = Refusal.of(Kind.SILENT, 1, "", "");

        assertThat(refused(true, Map.of(1, new SQLException("b is down")), closed, silent))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("An operator's command has closed the counters, and has not reopened them: table=sequence"
                        + " name=photos on a command=c1. If the command is no longer running, repeat it:"
                        + " distributedid repair photos, or distributedid move photos --from OLD.properties; if"
                        + " a server of the list is lost for good: distributedid move photos --lost --above ID"
                        + Pages.onCall("counter-closed"));
    }
}
