package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.IdSource;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    void twoFactoriesOnOneDatabaseNeverGetTheSameId() {
        Unit unit = Unit.of(Photo.class);
        List<Long> ids = new ArrayList<>();
        try (SessionFactory first = unit.start()) {
            unit.with("hibernate.hbm2ddl.auto", "none");
            try (SessionFactory second = unit.start()) {
                for (int i = 0; i < 30; i++) {
                    ids.add(Unit.persist(first, new Photo()).id);
                    ids.add(Unit.persist(second, new Photo()).id);
                }
            }
            ids.add(Unit.persist(first, new Photo()).id);
        }
        assertThat(ids).doesNotHaveDuplicates();
    }

    @Test
    void factoriesOnTwoDatabasesCountForThemselves() {
        try (SessionFactory first = Unit.of(Photo.class).start();
                SessionFactory second = Unit.of(Photo.class).start()) {
            assertThat(Unit.persist(first, new Photo()).id).isEqualTo(1);
            assertThat(Unit.persist(second, new Photo()).id).isEqualTo(1);
        }
    }

    @Test
    void factoriesWithTwoWorkerNumbersNeverGetTheSameId() {
        Unit other = Unit.of(BackendSettings.SNOWFLAKE, Photo.class).with("distributedid.snowflake.worker", "2");
        try (SessionFactory first =
                        Unit.of(BackendSettings.SNOWFLAKE, Photo.class).start();
                SessionFactory second = other.start()) {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                ids.add(Unit.persist(first, new Photo()).id);
                ids.add(Unit.persist(second, new Photo()).id);
            }

            assertThat(ids).doesNotHaveDuplicates();
            assertThat(Unit.ids(first).decode("photos", ids.get(0)).field("worker"))
                    .isEqualTo(1);
            assertThat(Unit.ids(second).decode("photos", ids.get(1)).field("worker"))
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void restartNeverGivesAnIdAgain(BackendSettings backend) {
        Unit unit = Unit.of(backend, Photo.class);
        List<Long> ids = new ArrayList<>();
        for (int start = 0; start < 3; start++) {
            try (SessionFactory factory = unit.start()) {
                ids.add(Unit.persist(factory, new Photo()).id);
                ids.add(Unit.persist(factory, new Photo()).id);
            }
            unit.with("hibernate.hbm2ddl.auto", "update");
        }
        assertThat(ids).doesNotHaveDuplicates().isSorted();
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
    void rolledBackIdIsNotGivenAgain(BackendSettings backend) {
        try (SessionFactory factory = Unit.of(backend, Photo.class).start()) {
            Photo lost = new Photo();
            factory.inSession(session -> {
                session.beginTransaction();
                session.persist(lost);
                session.flush();
                session.getTransaction().rollback();
            });

            assertThat(Unit.persist(factory, new Photo()).id).isGreaterThan(lost.id);
            assertThat(factory.<Photo>fromSession(session -> session.find(Photo.class, lost.id)))
                    .isNull();
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

    @ParameterizedTest
    @EnumSource
    void mergedNewEntityGetsAnId(BackendSettings backend) {
        try (SessionFactory factory = Unit.of(backend, Photo.class).start()) {
            Photo merged = factory.fromTransaction(session -> session.merge(new Photo()));

            assertThat(merged.id).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void statelessSessionGivesIds(BackendSettings backend) {
        try (SessionFactory factory = Unit.of(backend, Photo.class).start()) {
            Photo first = new Photo();
            Photo second = new Photo();
            factory.inStatelessTransaction(session -> {
                assertThat(session.insert(first)).isEqualTo(first.id);
                session.insert(second);
            });

            assertThat(first.id).isPositive();
            assertThat(second.id).isGreaterThan(first.id);
            assertThat(factory.<Photo>fromSession(session -> session.find(Photo.class, second.id)))
                    .isNotNull();
        }
    }

    @Entity(name = "Album")
    static class Album {
        @Id
        @DistributedId(seq = "albums")
        Long id;

        @OneToMany(cascade = CascadeType.PERSIST)
        List<Photo> photos = new ArrayList<>();
    }

    @ParameterizedTest
    @EnumSource
    void cascadedChildrenGetIds(BackendSettings backend) {
        try (SessionFactory factory = Unit.of(backend, Album.class, Photo.class).start()) {
            Album album = new Album();
            album.photos.addAll(List.of(new Photo(), new Photo(), new Photo()));
            Unit.persist(factory, album);

            assertThat(album.id).isPositive();
            assertThat(album.photos)
                    .extracting(photo -> photo.id)
                    .doesNotContainNull()
                    .doesNotHaveDuplicates();
            assertThat(factory.<Integer>fromSession(session ->
                            session.find(Album.class, album.id).photos.size()))
                    .isEqualTo(3);
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

    @ParameterizedTest
    @EnumSource
    void threadsNeverGetTheSameId(BackendSettings backend) throws Exception {
        int threads = 8;
        int persists = 100;
        Set<Long> ids = ConcurrentHashMap.newKeySet();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (SessionFactory factory = Unit.of(backend, Photo.class)
                .with("distributedid.block.min", "3")
                .with("distributedid.block.max", "50")
                .start()) {
            Callable<Void> work = () -> {
                factory.inTransaction(session -> {
                    for (int i = 0; i < persists; i++) {
                        Photo photo = new Photo();
                        session.persist(photo);
                        ids.add(photo.id);
                    }
                });
                return null;
            };
            List<Future<Void>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                results.add(executor.submit(work));
            }
            for (Future<Void> result : results) {
                result.get();
            }

            assertThat(ids).hasSize(threads * persists);
            assertThat(factory.<Long>fromSession(
                            session -> session.createSelectionQuery("select count(*) from Photo", Long.class)
                                    .getSingleResult()))
                    .isEqualTo(threads * persists);
        } finally {
            executor.shutdownNow();
        }
    }
}
