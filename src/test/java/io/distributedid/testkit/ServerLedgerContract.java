package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.SqlLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ledger on a server behind a network. */
public abstract class ServerLedgerContract extends SqlLedgerContract {

    protected abstract int port();

    /** As {@link #connect}, through another port of this machine. */
    protected abstract Connection connectTo(int port) throws SQLException;

    @Test
    void aChangeWhoseAnswerWasLostIsDoneWhenItIsSentAgain() throws Exception {
        Row row = row(client(), name(), 1);
        try (CuttingProxy proxy = new CuttingProxy(port())) {
            Ledger cut = ledger(kept(connectTo(proxy.port())));
            Change change = changed(row, 2);
            Future<Boolean> done = proxy.cutAtAnswerTo("UPDATE");
            assertThatThrownBy(() -> cut.write(List.of(change))).isInstanceOf(SQLException.class);
            assertThat(done.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

            Ledger again = client();
            Row found = read(again, row.name());
            assertThat(found).isEqualTo(change.next());
            assertThat(again.write(List.of(change, created(name(), 1)))).hasSize(2);
            assertThat(read(again, row.name())).isEqualTo(found);
        }
    }

    /** Whoever creates rows of worker numbers, or a header. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aRowThatAnotherHasCreatedMeanwhileIsNotCreated(int isolation) throws Exception {
        Connection holder = connection();
        SqlLedger first = ledger(holder);
        Change mine = created(name(), 1);
        holder.setAutoCommit(false);
        assertThat(first.write(List.of(mine))).hasSize(1);
        Future<Set<String>> second = waits(isolation, created(mine.name(), 2));
        holder.commit();

        assertThat(second.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
        assertThat(read(client(), mine.name())).isEqualTo(mine.next());
    }
}
