package io.distributedid.internal.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StartReadingTest {

    private final List<String> steps = new CopyOnWriteArrayList<>();

    private final List<Connection> obtained = new CopyOnWriteArrayList<>();

    private final ConnectionAccess database = new ConnectionAccess() {

        @Override
        public Connection obtain() throws SQLException {
            obtained.add(DriverManager.getConnection("jdbc:h2:mem:"));
            return obtained.get(0);
        }

        @Override
        public String label() {
            return "orders";
        }
    };

    /** Whatever happens. */
    @AfterEach
    void itsConnectionIsGivenBack() throws SQLException {
        assertThat(obtained).hasSize(1);
        assertThat(obtained.get(0).isClosed()).isTrue();
    }

    private StartReading begin(StartConnection.Step first) {
        return new StartReading("ids", database, Settings.of(Map.of()), connection -> {
            Connection unused = connection.get();
            first.with(connection);
            steps.add("read");
        });
    }

    /** A start waits for both at once; each would wait for ever for the other, if one had to end first. */
    @Test
    void tablesAreReadWhileSequencesAreOpened() {
        CountDownLatch isRead = new CountDownLatch(1);
        CountDownLatch isOpening = new CountDownLatch(1);
        StartReading reading = begin(connection -> {
            await(isOpening);
            isRead.countDown();
        });

        reading.finish(
                () -> {
                    isOpening.countDown();
                    await(isRead);
                },
                connection -> steps.add("compared"));

        assertThat(steps).containsExactly("read", "compared");
    }

    @Test
    void nothingIsComparedIfTheSequencesDoNotOpen() {
        StartReading reading = begin(connection -> {});

        assertThatThrownBy(() -> reading.finish(
                        () -> {
                            throw new IdConfigurationException("no such server");
                        },
                        connection -> steps.add("compared")))
                .hasMessage("no such server");

        assertThat(steps).containsExactly("read");
    }

    @Test
    void aStartThatFailsElsewhereEndsIt() {
        begin(connection -> {}).cancel();

        assertThat(steps).containsExactly("read");
    }

    @Test
    void aFailureIsToldAtTheEnd() {
        StartReading reading = begin(connection -> {
            throw new SQLException("no such table");
        });

        assertThatThrownBy(() -> reading.finish(() -> steps.add("opened"), connection -> steps.add("compared")))
                .hasMessage("The ids in use can't be read: orders said: no such table");
        assertThat(steps).containsExactly("opened");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
