package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.keyed.row.RowComparison.Next;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PlainDataSource;
import io.distributedid.testkit.SentStatements;
import io.distributedid.testkit.SwitchingDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process with two servers, of which the second may be away; the clock is set. */
class RowComparisonTest {

    private static final String FIRST_URL = "jdbc:h2:mem:comparison_a;DB_CLOSE_DELAY=-1";

    private static final String SECOND_URL = "jdbc:h2:mem:comparison_b;DB_CLOSE_DELAY=-1";

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final RowRecord FIRST = RowRecord.of(5, 17, 2, 1, true);

    private static final RowRecord SECOND = RowRecord.of(5, 17, 2, 2, true);

    /** Of another list. */
    private static final RowRecord OTHER = RowRecord.of(6, 18, 2, 2, true);

    private final AtomicLong nanos = new AtomicLong();

    private final SwitchingDataSource second = new SwitchingDataSource("");

    private final List<DedicatedConnection<RowSession>> servers = List.of(
            RowConnections.of(new SwitchingDataSource(FIRST_URL), 1, TIMEOUT), RowConnections.of(second, 2, TIMEOUT));

    private final RowComparison comparison = new RowComparison(servers, TIMEOUT, nanos::get);

    @BeforeEach
    void createTables() throws SQLException {
        for (String url : List.of(FIRST_URL, SECOND_URL)) {
            DatabaseRows.execute(url, new H2RowDialect().ddl("keyed_sequence"));
        }
    }

    @AfterEach
    void drop() throws SQLException {
        servers.forEach(DedicatedConnection::close);
        H2Servers.drop("comparison_a", "comparison_b");
    }

    private static void write(String sequence, RowRecord record) throws SQLException {
        DatabaseRows.execute(
                record.place() == 1 ? FIRST_URL : SECOND_URL,
                "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('" + sequence + "', ' @record', "
                        + record.number() + ")");
    }

    private Next next(String sequence) {
        return next(comparison, sequence, FIRST);
    }

    /** With a record that is just read. */
    private static Next next(RowComparison comparison, String sequence, RowRecord found) {
        return comparison.next(sequence, found, comparison.known(sequence));
    }

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void noNumberIsGivenBeforeTheOtherServerIsAsked() throws Exception {
        assertThat(next("messages")).isEqualTo(Next.COMPARE);
        assertThat(next("messages")).as("while it is asked").isEqualTo(Next.COMPARE);
        comparison.compare("messages");
        assertThat(next("messages")).as("asked in vain").isEqualTo(Next.GIVE);

        second.to(SECOND_URL);
        write("messages", SECOND);
        pass(6);
        assertThat(next("messages")).as("due").isEqualTo(Next.GIVE_AND_COMPARE);
        comparison.compare("messages");
        pass(60);
        assertThat(next("messages")).as("compared").isEqualTo(Next.GIVE);
    }

    @Test
    void aServerThatWasAwayOfAnotherSequenceIsAskedOnceThatIsOld() throws Exception {
        next("messages");
        comparison.compare("messages");
        next("remarks");
        comparison.compare("remarks");
        assertThat(next("remarks")).as("it is away for all").isEqualTo(Next.GIVE);

        second.to(SECOND_URL);
        write("photos", OTHER);
        pass(6);
        assertThat(next("photos")).isEqualTo(Next.COMPARE);
        assertThatThrownBy(() -> comparison.compare("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("belongs to another first server than server 1 of 2");
    }

    @Test
    void afterAnIdleTimeTheServerIsAskedBeforeTheNextNumber() throws Exception {
        next("messages");
        comparison.compare("messages");
        assertThat(next("messages")).isEqualTo(Next.GIVE);
        pass(60);
        assertThat(next("messages")).isEqualTo(Next.COMPARE);
    }

    /** The connection of the comparison can't be opened, while others work. */
    @Test
    void whatTheServerAnswersOnOtherConnectionsMakesNoCallWait() throws Exception {
        next("messages");
        comparison.compare("messages");
        int asked = 0;
        for (int second = 1; second <= 60; second++) {
            pass(1);
            next(comparison, "remarks", SECOND);
            Next next = next("messages");
            assertThat(next).isNotEqualTo(Next.COMPARE);
            if (next == Next.GIVE_AND_COMPARE) {
                asked++;
                comparison.compare("messages");
            }
        }
        assertThat(asked).isEqualTo(10);
    }

    @Test
    void callsGoOnWhileAServerHangsThatIsAskedAgain() throws Exception {
        next("messages");
        comparison.compare("messages");
        for (int i = 0; i < 20; i++) {
            pass(6);
            assertThat(next("messages")).isEqualTo(Next.GIVE_AND_COMPARE);
            assertThat(next("messages")).as("it is being asked").isEqualTo(Next.GIVE);
        }
    }

    @Test
    void aServerWhoseConnectionWorksIsAskedForTheNextSequence() throws Exception {
        next("messages");
        comparison.compare("messages");
        second.to(SECOND_URL);
        write("remarks", OTHER);
        comparison.answered(servers.get(1));
        next("remarks");
        assertThatThrownBy(() -> comparison.compare("remarks")).isInstanceOf(IdConfigurationException.class);
    }

    /** Its own keys are refused. */
    @Test
    void aServerWithoutARecordIsAskedAgainAndDelaysNoCall() throws Exception {
        second.to(SECOND_URL);
        next("messages");
        comparison.compare("messages");
        assertThat(next("messages")).isEqualTo(Next.GIVE);
        pass(6);
        assertThat(next("messages")).isEqualTo(Next.GIVE_AND_COMPARE);
        write("messages", OTHER);
        assertThatThrownBy(() -> comparison.compare("messages")).isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void aRecordThatIsNotFinalYetTellsItsFirstServerToo() throws Exception {
        second.to(SECOND_URL);
        write("messages", RowRecord.of(5, 17, 2, 2, false));
        write("remarks", RowRecord.of(6, 17, 2, 2, false));
        next("messages");
        comparison.compare("messages");
        pass(60);
        assertThat(next("messages")).isEqualTo(Next.GIVE);
        next("remarks");
        assertThatThrownBy(() -> comparison.compare("remarks")).isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void aServerAtAnotherPlaceOfAListIsRefused() throws Exception {
        second.to(SECOND_URL);
        DatabaseRows.execute(
                SECOND_URL,
                "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', ' @record', " + FIRST.number()
                        + ")");
        next("messages");
        assertThatThrownBy(() -> comparison.compare("messages"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("is recorded on server 1 of 2, but the settings make it server 2 of 2");
        assertThat(next("messages")).isEqualTo(Next.COMPARE);
    }

    @Test
    void onceNumbersWereGivenTheMessageNamesTheRestart() throws Exception {
        next("messages");
        comparison.compare("messages");
        assertThat(next("messages")).isEqualTo(Next.GIVE);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> next(comparison, "messages", OTHER))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageEndingWith(
                            "If this process began with a wrong address, correct it and restart the process");
        }
        assertThat(next("messages")).isEqualTo(Next.COMPARE);
    }

    @Test
    void beforeThatARefusalForgetsTheRecords() {
        next("messages");
        assertThatThrownBy(() -> next(comparison, "messages", OTHER))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageEndingWith("or restore its rows");
        assertThat(next(comparison, "messages", OTHER)).isEqualTo(Next.COMPARE);
    }

    /** Before any number. */
    @Test
    void comparedRecordsAreKept() throws Exception {
        second.to(SECOND_URL);
        write("messages", SECOND);
        next("messages");
        comparison.compare("messages");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> next(comparison, "messages", OTHER)).isInstanceOf(IdConfigurationException.class);
        }
        assertThat(next("messages")).as("while a server has another record").isEqualTo(Next.COMPARE);
        comparison.compare("messages");
        assertThat(next("messages")).as("it has the known one again").isEqualTo(Next.GIVE);
    }

    /** Only the record of the second server is known, and a refusal forgets it while the first one is asked. */
    @Test
    void aQuestionForForgottenRecordsDecidesNothing() throws Exception {
        AtomicReference<RowComparison> asking = new AtomicReference<>();
        DataSource asked = new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                assertThatThrownBy(() -> next(asking.get(), "messages", OTHER))
                        .isInstanceOf(IdConfigurationException.class);
                return DriverManager.getConnection(FIRST_URL);
            }
        };
        try (DedicatedConnection<RowSession> first = RowConnections.of(asked, 1, TIMEOUT)) {
            RowComparison forgetting = new RowComparison(List.of(first, servers.get(1)), TIMEOUT, nanos::get);
            asking.set(forgetting);
            assertThat(next(forgetting, "messages", SECOND)).isEqualTo(Next.COMPARE);
            assertThatThrownBy(() -> forgetting.compare("messages"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageEndingWith("Numbers are given once the servers that contradicted each other agree; for"
                            + " now no final record comes from server 1 of 2 (server 1)");
            assertThat(forgetting.known("messages").isBegun()).isFalse();
            assertThat(next(forgetting, "messages", FIRST))
                    .as("the second was not asked")
                    .isEqualTo(Next.COMPARE);
        }
    }

    /** While the second server is asked, it contradicts on another connection, and the first tells its record again. */
    @Test
    void aQuestionThatBeganBeforeAContradictionDecidesNothing() {
        AtomicReference<RowComparison> asking = new AtomicReference<>();
        DataSource asked = new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                assertThatThrownBy(() -> next(asking.get(), "messages", OTHER))
                        .isInstanceOf(IdConfigurationException.class);
                next(asking.get(), "messages", FIRST);
                throw new SQLException("hangs");
            }
        };
        try (DedicatedConnection<RowSession> hanging = RowConnections.of(asked, 2, TIMEOUT)) {
            RowComparison contradicted = new RowComparison(List.of(servers.get(0), hanging), TIMEOUT, nanos::get);
            asking.set(contradicted);
            assertThat(next(contradicted, "messages", FIRST)).isEqualTo(Next.COMPARE);
            assertThatThrownBy(() -> contradicted.compare("messages"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("belongs to another first server");
            assertThat(next(contradicted, "messages", FIRST)).isEqualTo(Next.COMPARE);
        }
    }

    /** By the question, while another connection contradicts, and the first server tells its record again. */
    @Test
    void aRecordThatWasReadBeforeAContradictionDecidesNothing() throws Exception {
        write("messages", SECOND);
        AtomicReference<RowComparison> asking = new AtomicReference<>();
        DataSource asked = reading(() -> {
            assertThatThrownBy(() -> next(asking.get(), "messages", OTHER))
                    .isInstanceOf(IdConfigurationException.class);
            next(asking.get(), "messages", FIRST);
        });
        try (DedicatedConnection<RowSession> read = RowConnections.of(asked, 2, TIMEOUT)) {
            RowComparison contradicted = new RowComparison(List.of(servers.get(0), read), TIMEOUT, nanos::get);
            asking.set(contradicted);
            assertThat(next(contradicted, "messages", FIRST)).isEqualTo(Next.COMPARE);
            assertThatThrownBy(() -> contradicted.compare("messages"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageEndingWith("Numbers are given once the servers that contradicted each other agree");
            assertThat(next(contradicted, "messages", FIRST)).isEqualTo(Next.COMPARE);

            contradicted.compare("messages");
            assertThat(next(contradicted, "messages", FIRST))
                    .as("it is read again")
                    .isEqualTo(Next.GIVE);
        }
    }

    /** Runs work once, when the record of the second server was read, but is not known yet. */
    private static DataSource reading(Runnable work) {
        AtomicBoolean isRead = new AtomicBoolean();
        return SentStatements.losingAnswers(SECOND_URL, sql -> {
            if (sql.startsWith("SELECT number, CURRENT_TIMESTAMP FROM keyed_sequence") && !isRead.getAndSet(true)) {
                work.run();
            }
            return false;
        });
    }

    @Test
    void neitherDoesOneThatACallHasRead() throws Exception {
        write("messages", SECOND);
        DataSource read = reading(() -> {
            next("messages");
            assertThatThrownBy(() -> next(comparison, "messages", OTHER)).isInstanceOf(IdConfigurationException.class);
        });
        BlockingQueue<RowCall> resumed = new LinkedBlockingQueue<>();
        ComparisonQueue comparing = new ComparisonQueue(comparison, resumed::add);
        RowBeginning beginning = new RowBeginning(new RowAgreement(servers, comparison), resumed::add);
        RowQueue queue = new RowQueue();
        RowLane lane = new RowLane(RowConnections.of(read, 2, TIMEOUT), comparison, beginning, comparing, queue);
        try {
            queue.add(new RowCall(
                    new RowCall.Spot("messages", "5", RowCall.Want.NUMBERS), 1, System.nanoTime(), TIMEOUT));
            lane.keepRunning();
            assertThat(resumed.poll(1, TimeUnit.MINUTES)).isNotNull();
            assertThat(comparison.known("messages").isBegun()).isFalse();
        } finally {
            lane.close();
            comparing.close();
            beginning.close();
        }
    }

    /** Written, and read back. */
    @Test
    void neitherDoesOneThatTheFirstUseHasRead() throws Exception {
        DataSource written = SentStatements.failing(SECOND_URL, sql -> {
            if (sql.contains("SET number = ?")) {
                assertThatThrownBy(() -> next(comparison, "messages", OTHER))
                        .isInstanceOf(IdConfigurationException.class);
            }
            return false;
        });
        try (DedicatedConnection<RowSession> asked = RowConnections.of(written, 2, TIMEOUT)) {
            new RowAgreement(List.of(servers.get(0), asked), comparison).reach("messages");
        }
        assertThat(comparison.known("messages").isBegun()).isFalse();
    }

    /** The next source of numbers takes over what is known. */
    @Test
    void aServerWhoseConnectionIsEndedIsAskedAgain() throws Exception {
        AtomicReference<RowComparison> asking = new AtomicReference<>();
        DataSource asked = new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                asking.get().stop();
                throw new SQLException("suspended");
            }
        };
        try (DedicatedConnection<RowSession> ended = RowConnections.of(asked, 2, TIMEOUT)) {
            RowComparison former = new RowComparison(List.of(servers.get(0), ended), TIMEOUT, nanos::get);
            asking.set(former);
            assertThat(next(former, "messages", FIRST)).isEqualTo(Next.COMPARE);
            former.compare("messages");
            comparison.learn(former);
            assertThat(next("messages")).isEqualTo(Next.COMPARE);
        }
    }

    /** It was opened before the address of the second server moved to one of another list. */
    @Test
    void anOldConnectionEndsNoContradiction() throws Exception {
        write("messages", SECOND);
        DatabaseRows.execute(
                FIRST_URL,
                "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', ' @record', " + OTHER.number()
                        + ")");
        AtomicReference<String> address = new AtomicReference<>(SECOND_URL);
        DataSource moved = new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return DriverManager.getConnection(address.get());
            }
        };
        try (DedicatedConnection<RowSession> kept = RowConnections.of(moved, 2, TIMEOUT, nanos::get)) {
            RowComparison asking = new RowComparison(List.of(servers.get(0), kept), TIMEOUT, nanos::get);
            RowRecord before = kept.call(session -> session.record("messages").orElseThrow());
            assertThat(before).isEqualTo(SECOND);
            address.set(FIRST_URL);
            pass(1);
            assertThat(next(asking, "messages", FIRST)).isEqualTo(Next.COMPARE);
            assertThatThrownBy(() -> next(asking, "messages", OTHER)).isInstanceOf(IdConfigurationException.class);
            assertThat(next(asking, "messages", FIRST)).isEqualTo(Next.COMPARE);
            assertThatThrownBy(() -> asking.compare("messages"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("belongs to another first server");
            assertThat(next(asking, "messages", FIRST)).isEqualTo(Next.COMPARE);
        }
    }

    /** Its address may lead to another server meanwhile. */
    @Test
    void aConnectionIsAsOldAsTheAttemptToOpenIt() throws Exception {
        DataSource slow = new PlainDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                pass(1);
                return DriverManager.getConnection(SECOND_URL);
            }
        };
        try (DedicatedConnection<RowSession> opened = RowConnections.of(slow, 2, TIMEOUT, nanos::get)) {
            assertThat(opened.call(RowSession::opened)).isZero();
        }
    }

    /** Another call was refused while that was opened. Otherwise the server would count as one that is away. */
    @Test
    void aQuestionReplacesAConnectionOnce() throws Exception {
        write("messages", SECOND);
        second.to(SECOND_URL);
        pass(1);
        next("messages");
        assertThatThrownBy(() -> next(comparison, "messages", OTHER)).isInstanceOf(IdConfigurationException.class);
        pass(1);
        next("messages");
        // Opened before the refusal, by their clock.
        comparison.compare("messages");
        assertThat(next("messages")).isEqualTo(Next.GIVE);
    }

    /** By another call, and by the question itself. */
    @Test
    void aRefusalThatIsNotedTwiceNamesNoFurtherServer() {
        RefusedServerException why = new RefusedServerException("refused", 1, Set.of(1, 2));
        IdConfigurationException unused = comparison.refused("messages", why);
        comparison.require("messages", FIRST, comparison.known("messages"));
        unused = comparison.refused("messages", why);
        assertThat(comparison.known("messages").isBegun()).isTrue();
    }

    /** The third server belongs to the same wrong list as the first. */
    @Test
    void afterAContradictionAllItsServersMustAgree() {
        RowRecord first = RowRecord.of(5, 17, 3, 1, true);
        RowRecord third = RowRecord.of(5, 18, 3, 3, true);
        KnownRecords known = KnownRecords.NONE
                .contradicted(Set.of(1, 2), new IdConfigurationException("refused"))
                .with(first)
                .with(third);
        assertThat(known.isCompared()).isFalse();
        assertThat(known.next(3, 0)).isEqualTo(Next.COMPARE);
        assertThat(known.others(3)).containsExactly(1);
        assertThat(known.compared(List.of()).isCompared()).isFalse();
        assertThat(known.compared(List.of(RowRecord.of(5, 19, 3, 2, false))).isCompared())
                .isTrue();
        assertThat(known.with(RowRecord.of(5, 19, 3, 2, true)).next(3, 0)).isEqualTo(Next.GIVE);
        KnownRecords ofAll = KnownRecords.NONE
                .contradicted(Set.of(1, 2, 3), new IdConfigurationException("refused"))
                .with(first);
        assertThat(ofAll.others(3)).containsExactly(1, 2);
        List<RowRecord> prepared = List.of(RowRecord.of(5, 19, 3, 2, false), RowRecord.of(5, 18, 3, 3, false));
        assertThat(ofAll.compared(prepared.subList(0, 1)).isCompared()).isFalse();
        assertThat(ofAll.compared(prepared).isCompared()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRefusalReplacesTheConnectionsOfItsServerAlone(boolean isRead) throws Exception {
        write("messages", FIRST);
        write("messages", SECOND);
        second.to(SECOND_URL);
        SentStatements database = SentStatements.to(FIRST_URL);
        try (DedicatedConnection<RowSession> first = RowConnections.of(database, 1, TIMEOUT)) {
            Callable<Object> call = () -> comparison.call(
                    first, "messages", session -> isRead ? session.record("messages") : session.agreed("messages"));
            call.call();
            next("messages");
            comparison.compare("messages");
            pass(1);
            IdConfigurationException unused =
                    comparison.refused("messages", new RefusedServerException("no record", 1, Set.of()));
            call.call();
            assertThat(database.connections()).isEqualTo(1);

            unused = comparison.refused("messages", new RefusedServerException("no record", 0, Set.of()));
            call.call();
            assertThat(database.connections()).isEqualTo(2);
        }
    }

    /** Other servers are needed for the record that comes next. */
    @Test
    void nothingIsAskedWithoutARecord() throws Exception {
        comparison.compare("messages");
        assertThat(next("messages")).isEqualTo(Next.COMPARE);
    }

    /** The doubts of two servers: what ends the one leaves the other. */
    @Test
    void aNewerDoubtStays() {
        IdConfigurationException why = new IdConfigurationException("refused");
        IdConfigurationException newest = new IdConfigurationException("refused");
        KnownRecords known = KnownRecords.NONE
                .with(FIRST)
                .given()
                .doubted(0, why)
                .doubted(1, why)
                .doubted(1, newest);
        assertThat(known.trusted(0, why).doubts()).containsExactly(Map.entry(1, newest));
        assertThat(known.trusted(1, why).doubts()).hasSize(2);
        assertThat(known.trusted(0, why).trusted(1, newest).next(2, 0)).isEqualTo(Next.COMPARE);
        assertThat(known.trusted(0, why).trusted(1, newest).doubts()).isEmpty();
    }

    /** Another process made it final after it was read. */
    @Test
    void aRecordThatWasReadBeforeItBecameFinalContradictsNothing() {
        KnownRecords known = KnownRecords.NONE.with(FIRST).with(SECOND);
        assertThat(known.contradict(RowRecord.of(5, 0, 2, 1, false))).isFalse();
        assertThat(known.contradict(RowRecord.of(5, 17, 2, 2, false))).isFalse();
        assertThat(known.contradict(RowRecord.of(5, 18, 2, 2, false))).isTrue();
        assertThat(known.contradict(RowRecord.of(6, 0, 2, 1, false))).isTrue();
        assertThat(known.contradict(RowRecord.of(5, 18, 2, 1, true))).isTrue();
    }

    /** The second server is away. */
    @Test
    void theMessageTellsTheFirstUseFromALostRecord() {
        RowAgreement agreement = new RowAgreement(servers, comparison);
        assertThatThrownBy(() -> agreement.reach("messages"))
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith("The first use of a sequence needs all its servers: server 2 said: ");
        next("messages");
        assertThatThrownBy(() -> agreement.reach("messages"))
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith("The sequence has begun, but one of its servers has no final record of it. All"
                        + " must answer first: server 2 said: ");
    }

    /** Its row is deleted before the statement that makes it final. */
    @Test
    void aRecordThatWasNotReadBackIsNotKnown() {
        SentStatements database = SentStatements.failing(SECOND_URL, sql -> {
            if (sql.contains("SET number = ?")) {
                try {
                    DatabaseRows.execute(SECOND_URL, "DELETE FROM keyed_sequence");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
            return false;
        });
        try (DedicatedConnection<RowSession> deleted = RowConnections.of(database, 2, TIMEOUT)) {
            RowAgreement agreement = new RowAgreement(List.of(servers.get(0), deleted), comparison);
            assertThatThrownBy(() -> agreement.reach("messages"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("The record of a sequence was deleted while it was written: seq=messages");
        }
        assertThat(comparison.known("messages").isKnown(0)).isTrue();
        assertThat(comparison.known("messages").isKnown(1)).isFalse();
    }
}
