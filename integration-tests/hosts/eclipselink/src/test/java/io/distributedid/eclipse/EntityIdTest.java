package io.distributedid.eclipse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ids in transactions: when they are given, and which the application may not set. */
class EntityIdTest {

    private final Application application = Application.onUrl();

    private EntityManagerFactory factory;

    @BeforeEach
    void start() {
        factory = application.start();
    }

    @AfterEach
    void close() {
        factory.close();
    }

    @Test
    void persistGivesTheId() {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            Photo photo = Application.persist(manager, 1).get(0);
            assertThat(photo.id).isPositive();
            assertThat(photo.number).as("before the flush").isNull();
            manager.flush();
            assertThat(photo.number).isPositive();
            manager.getTransaction().rollback();
        }
    }

    @Test
    void aSetIdIsRefusedByPersist() {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            Photo photo = new Photo();
            photo.id = 77L;
            assertThatThrownBy(() -> manager.persist(photo))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("An entity must not have an id before it is given one: Photo.id (seq=photos) has 77."
                            + " Leave it null, or keep such ids with @DistributedId(assigned = true)");
            manager.getTransaction().rollback();
        }
    }

    @Test
    void aSetIdOfAGeneratedValueIsRefusedToo() {
        Album album = new Album();
        album.id = 77;
        assertThatThrownBy(() -> Application.inTransaction(factory, manager -> {
                    manager.persist(album);
                    return album;
                }))
                .hasStackTraceContaining("Album.id (seq=albums) has 77");
        assertThat(application.query("SELECT id FROM Album")).isEmpty();
    }

    @Test
    void anIdThatWasChangedAfterPersistIsRefusedByTheFlush() {
        assertThatThrownBy(() -> Application.inTransaction(factory, manager -> {
                    Photo photo = Application.persist(manager, 1).get(0);
                    photo.id = 77L;
                    return photo;
                }))
                .hasStackTraceContaining("Photo.id (seq=photos) has 77");
        assertThat(application.query("SELECT id FROM Photo")).isEmpty();
    }

    @Test
    void whatIsRolledBackIsNotGivenAgain() {
        List<Long> lost;
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            lost = Application.persist(manager, 5).stream()
                    .map(photo -> photo.id)
                    .toList();
            manager.flush();
            manager.getTransaction().rollback();
        }
        List<Photo> given = Application.persist(factory, 5);

        assertThat(given).extracting(photo -> photo.id).doesNotContainAnyElementsOf(lost);
        assertThat(application.query("SELECT id FROM Photo")).hasSize(5);
    }

    @Test
    void manyTransactionsOfOneManagerKeepNoIds() {
        try (EntityManager manager = factory.createEntityManager()) {
            for (int i = 0; i < 3; i++) {
                manager.getTransaction().begin();
                Application.persist(manager, 2);
                manager.getTransaction().commit();
            }
        }
        assertThat(application.query("SELECT DISTINCT id FROM Photo")).hasSize(6);
    }
}
