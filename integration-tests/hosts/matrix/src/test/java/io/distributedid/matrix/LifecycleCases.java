package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.junit.jupiter.api.Order;

/** What happens to entities around their insert. */
@Order(7)
class LifecycleCases {

    @Entity(name = "Album")
    static class Album {
        @Id
        @DistributedId(seq = "albums")
        Long id;

        @OneToMany(mappedBy = "album", cascade = CascadeType.ALL)
        List<Photo> photos = new ArrayList<>();

        static Album of(int photos) {
            Album album = new Album();
            for (int i = 0; i < photos; i++) {
                Photo photo = new Photo();
                photo.album = album;
                album.photos.add(photo);
            }
            return album;
        }
    }

    @Entity(name = "Photo")
    @Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
    static class Photo {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @DistributedValue(seq = "numbers")
        Long number;

        @ManyToOne(cascade = CascadeType.ALL)
        Album album;
    }

    private static void requirePhotos(Unit unit) {
        unit.requireRows("Photo", "id", "ids");
        unit.requireRows("Photo", "number", "numbers");
    }

    @Case("lifecycle: persist cascades to children")
    void persistCascades() {
        try (Unit unit = Unit.of(Album.class, Photo.class).start()) {
            unit.persist(Album.of(3));
            requirePhotos(unit);
            unit.requireRows("Album", "id", "albums");
        }
    }

    @Case("lifecycle: persist cascades to the parent")
    void persistCascadesUp() {
        try (Unit unit = Unit.of(Album.class, Photo.class).start()) {
            unit.persist(Album.of(3).photos.get(1));
            requirePhotos(unit);
            unit.requireRows("Album", "id", "albums");
        }
    }

    @Case("lifecycle: merge cascades to new children")
    void mergeCascades() {
        try (Unit unit = Unit.of(Album.class, Photo.class).start()) {
            Album album = unit.persist(Album.of(1));
            Photo photo = new Photo();
            photo.album = album;
            album.photos.add(photo);
            unit.merge(album);
            requirePhotos(unit);
            unit.requireRows("Album", "id", "albums");
        }
    }

    @Case("lifecycle: 100 persists in batches of 30")
    void batches() {
        try (Unit unit = Unit.of(Album.class, Photo.class)
                .with("hibernate.jdbc.batch_size", "30")
                .start()) {
            unit.persist(Album.of(100));
            requirePhotos(unit);
            assertThat(MemoryBackend.given("ids")).hasSize(100);
        }
    }

    @Case("lifecycle: ids of a transaction that was rolled back are not used again")
    void rollback() {
        try (Unit unit = Unit.of(Album.class, Photo.class).start()) {
            unit.factory().inSession(session -> {
                session.beginTransaction();
                session.persist(new Photo());
                session.flush();
                session.getTransaction().rollback();
            });
            Photo photo = unit.persist(new Photo());
            assertThat(unit.query("SELECT id FROM Photo")).containsExactly("102");
            assertThat(photo.number).isEqualTo(102);
        }
    }

    @Case("lifecycle: two SessionFactories of the same classes")
    void twoFactories() {
        try (Unit first = Unit.of(Album.class, Photo.class).start();
                Unit second = Unit.of(Album.class, Photo.class).start()) {
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                first.persist(new Photo());
                second.persist(new Photo());
            }
            ids.addAll(first.query("SELECT id FROM Photo"));
            ids.addAll(second.query("SELECT id FROM Photo"));
            assertThat(ids)
                    .containsExactlyInAnyOrderElementsOf(MemoryBackend.given("ids").stream()
                            .map(String::valueOf)
                            .toList());
        }
    }

    @Case("lifecycle: second-level cache")
    void cache() {
        try (Unit unit = Unit.of(Album.class, Photo.class)
                .with("hibernate.cache.use_second_level_cache", "true")
                .with("hibernate.cache.region.factory_class", MapCache.class.getName())
                .with("hibernate.generate_statistics", "true")
                .start()) {
            Photo photo = unit.persist(new Photo());
            unit.execute("DELETE FROM Photo");
            Photo cached = unit.factory().fromSession(session -> session.find(Photo.class, photo.id));
            assertThat(cached.number).isEqualTo(photo.number).isEqualTo(101);
            assertThat(unit.factory().getStatistics().getSecondLevelCacheHitCount())
                    .isEqualTo(1);
            assertThat(MemoryBackend.given("ids")).containsExactly(photo.id);
        }
    }

    @Case("lifecycle: bytecode enhancement")
    void enhanced() throws ReflectiveOperationException {
        Class<?> type = new EnhancingLoader().loadClass(Enhanced.class.getName());
        assertThat(type.getInterfaces())
                .extracting(Class::getSimpleName)
                .contains("ManagedEntity", "SelfDirtinessTracker");
        try (Unit unit = Unit.of(type.getClassLoader(), type).start()) {
            for (int i = 0; i < 3; i++) {
                var constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                Numbered entity = (Numbered) unit.persist(constructor.newInstance());
                assertThat(entity.number()).isEqualTo(101 + i);
            }
            unit.requireRows("Enhanced", "id", "ids");
            unit.requireRows("Enhanced", "number", "numbers");
        }
    }
}
