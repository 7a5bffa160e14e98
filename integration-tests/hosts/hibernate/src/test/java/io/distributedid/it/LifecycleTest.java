package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.IdSource;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * From the start of a SessionFactory to its close: when ids are there, to whom they belong, and what is left behind.
 */
class LifecycleTest {

    @ParameterizedTest
    @EnumSource
    void closedFactoryLeavesNoThread(BackendSettings backend) throws InterruptedException {
        List<Thread> running;
        try (SessionFactory factory = Unit.of(backend, Photo.class).start()) {
            Unit.persist(factory, new Photo());
            running = threadsOfTheLibrary();
            if (backend == BackendSettings.SNOWFLAKE) {
                // A thread that has read the existing ids may just be about to end.
                requireEnd(running);
            } else {
                assertThat(running).isNotEmpty();
            }
        }
        requireEnd(running);
    }

    private static void requireEnd(List<Thread> threads) throws InterruptedException {
        // A thread may have begun after these were listed, and be just about to end.
        for (Thread thread :
                Stream.concat(threads.stream(), threadsOfTheLibrary().stream()).toList()) {
            thread.join(120_000);
        }
        assertThat(threadsOfTheLibrary()).isEmpty();
    }

    private static List<Thread> threadsOfTheLibrary() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("distributedid-"))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void idsAreRefusedOnceTheFactoryIsClosed(BackendSettings backend) {
        SessionFactory factory = Unit.of(backend, Photo.class).start();
        DistributedIds ids = Unit.ids(factory);
        IdSource photos = ids.sequence("photos");
        assertThat(photos.next()).isPositive();

        factory.close();

        assertThatThrownBy(photos::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("The source of ids is closed");
        assertThatThrownBy(() -> ids.next("photos"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("The source of ids is closed");
        assertThatThrownBy(() -> ids.next("never_asked_before"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("The source of ids is closed");
    }

    @Test
    void factoriesOnTwoDatabasesCountForThemselves() {
        try (SessionFactory first = Unit.of(Photo.class).start();
                SessionFactory second = Unit.of(Photo.class).start()) {
            assertThat(Unit.persist(first, new Photo()).id).isEqualTo(1);
            assertThat(Unit.persist(second, new Photo()).id).isEqualTo(1);
        }
    }

    /** Both ways round, since the order in which Hibernate lists its entities is its own. */
    @ParameterizedTest
    @ValueSource(strings = {"photos", "accounts"})
    void failedStartLeavesNothingBehind(String failing) throws InterruptedException {
        Unit unit = Unit.of(BackendSettings.SNOWFLAKE, Photo.class, Account.class);
        String backend = "distributedid.seq." + failing + ".backend";
        unit.with(backend, "ticket");
        assertThatThrownBy(unit::start).hasStackTraceContaining("distributedid.ticket.servers");

        requireEnd(threadsOfTheLibrary());
        unit.without(backend);
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void idIsThereAfterPersistAndBeforeFlush(BackendSettings backend) {
        try (SessionFactory factory = Unit.of(backend, Photo.class)
                .with("hibernate.generate_statistics", "true")
                .start()) {
            factory.getStatistics().clear();
            factory.inTransaction(session -> {
                Photo photo = new Photo();
                session.persist(photo);

                assertThat(photo.id).isPositive();
                assertThat(factory.getStatistics().getPrepareStatementCount()).isZero();
                assertThat(session.find(Photo.class, photo.id)).isSameAs(photo);
            });
        }
    }

    @Test
    void idsAreReservedWhileTheApplicationHoldsEveryConnectionOfItsPool() {
        try (SessionFactory factory = Unit.of(Photo.class)
                .with("hibernate.connection.pool_size", "1")
                .with("distributedid.block.max", "1")
                .start()) {
            factory.inTransaction(session -> {
                for (long expected = 1; expected <= 5; expected++) {
                    Photo photo = new Photo();
                    session.persist(photo);
                    session.flush();
                    assertThat(photo.id).isEqualTo(expected);
                }
            });
        }
    }
}
