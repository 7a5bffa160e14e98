package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdsExhaustedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DedicatedConnectionTest {

    private static final class Opened implements DedicatedConnection.Session {}

    /** A server whose links fail as told. */
    private static final class Links implements Link.Source<Opened> {

        private final List<FakeLink> all = new ArrayList<>();

        @Override
        public String label() {
            return "server";
        }

        @Override
        public Link<Opened> connect(Duration atMost) {
            FakeLink link = new FakeLink();
            all.add(link);
            return link;
        }

        FakeLink last() {
            return all.get(all.size() - 1);
        }
    }

    private static final class FakeLink implements Link<Opened> {

        private Exception whenChecked;

        private RuntimeException whenCut;

        private boolean isCut;

        private boolean isReleased;

        @Override
        public Opened open() {
            return new Opened();
        }

        @Override
        public boolean isValid(Duration atMost) throws SQLException {
            fail(whenChecked);
            return true;
        }

        @Override
        public void limit(Duration atMost) {}

        @Override
        public void abort() {
            isCut = true;
            if (whenCut != null) {
                throw whenCut;
            }
        }

        @Override
        public void close() {
            isReleased = true;
        }

        private static void fail(Exception with) throws SQLException {
            if (with instanceof SQLException failure) {
                throw failure;
            }
            if (with instanceof RuntimeException failure) {
                throw failure;
            }
        }
    }

    private final Links links = new Links();

    private final AtomicLong nanos = new AtomicLong();

    private final DedicatedConnection<Opened> connection =
            new DedicatedConnection<>(links, Duration.ofSeconds(60), nanos::get);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anIdleConnectionWhoseCheckThrowsIsReplaced(boolean isChecked) throws Exception {
        Opened first = connection.call(session -> session);
        FakeLink kept = links.last();
        kept.whenChecked = isChecked ? new SQLException("not managed") : new IllegalStateException("not managed");
        kept.whenCut = new IllegalStateException("not managed");
        nanos.addAndGet(Duration.ofSeconds(21).toNanos());

        Opened second = connection.call(session -> session);

        assertThat(second).isNotSameAs(first);
        assertThat(kept.isCut).isTrue();
        assertThat(kept.isReleased).isTrue();
        assertThat(links.all).hasSize(2);
    }

    @Test
    void aConnectionInUseIsNotChecked() throws Exception {
        Opened first = connection.call(session -> session);
        links.last().whenChecked = new SQLException("not managed");
        nanos.addAndGet(Duration.ofSeconds(19).toNanos());

        assertThat(connection.<Opened>call(session -> session)).isSameAs(first);
    }

    @Test
    void aCounterAtItsEndDoesNotCutTheConnectionOfTheOthers() throws Exception {
        Opened first = connection.call(session -> session);

        assertThatThrownBy(() -> connection.call(session -> {
                    throw new IdsExhaustedException("at its end");
                }))
                .hasMessage("at its end");

        assertThat(connection.<Opened>call(session -> session)).isSameAs(first);
    }

    @Test
    void itIsCutIfTheTransactionOfACounterAtItsEndCouldNotBeRolledBack() throws Exception {
        Opened first = connection.call(session -> session);
        IdsExhaustedException exhausted = new IdsExhaustedException("at its end");
        exhausted.addSuppressed(new SQLException("no rollback"));

        assertThatThrownBy(() -> connection.call(session -> {
                    throw exhausted;
                }))
                .isSameAs(exhausted);

        assertThat(connection.<Opened>call(session -> session)).isNotSameAs(first);
    }

    @Test
    void aFailureCutsTheConnection() throws Exception {
        Opened first = connection.call(session -> session);
        FakeLink kept = links.last();

        assertThatThrownBy(() -> connection.call(session -> {
                    throw new SQLException("reset");
                }))
                .hasMessage("reset");

        assertThat(kept.isCut).isTrue();
        assertThat(connection.<Opened>call(session -> session)).isNotSameAs(first);
    }
}
