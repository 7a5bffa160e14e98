package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A persistence unit goes on after its process was resumed, and uses nothing that a copy of it has too. */
class BeginAnewTest {

    @Entity(name = "Album")
    static class Album {
        @Id
        @DistributedId
        Long id;
    }

    private static Map<String, String> leased() {
        return Map.of(
                "distributedid.snowflake.worker", "lease",
                "distributedid.snowflake.lease.server", "application",
                "distributedid.create_tables", "true");
    }

    @ParameterizedTest
    @EnumSource
    void entitiesGetNewIdsAfterTheFactoryBeganAnew(BackendSettings backend) {
        Unit unit = Unit.of(backend, Photo.class, Album.class);
        if (backend == BackendSettings.SNOWFLAKE) {
            leased().forEach(unit::with);
        }
        List<Long> photos = new ArrayList<>();
        List<Long> albums = new ArrayList<>();
        try (SessionFactory factory = unit.start()) {
            EntityManagerFactory emf = factory;
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < 3; i++) {
                    photos.add(Unit.persist(factory, new Photo()).id);
                    albums.add(Unit.persist(factory, new Album()).id);
                }
                DistributedIdService.of(emf).ids().beginAnew();
            }
            photos.add(Unit.persist(factory, new Photo()).id);
            assertThat(Unit.ids(factory).health().status()).hasToString("UP");
        }
        assertThat(photos).doesNotHaveDuplicates();
        assertThat(albums).doesNotHaveDuplicates();
        if (backend == BackendSettings.SEQUENCE_TABLE) {
            assertThat(photos).as("a new block each time").contains(1L, 17L, 33L, 49L);
        }
    }

    /** In the middle of a transaction, which goes on. */
    @Test
    void whatAnOpenSessionHasLeftIsDropped() {
        try (SessionFactory factory = ConnectionIds.unit(Photo.class).start()) {
            factory.inTransaction(session -> {
                for (int i = 0; i < 4; i++) {
                    session.persist(new Photo());
                }
                assertThat(ConnectionIds.ASKED).containsExactly(1, 2, 4);

                Unit.ids(factory).beginAnew();
                Photo after = new Photo();
                session.persist(after);

                assertThat(ConnectionIds.ASKED).containsExactly(1, 2, 4, 8);
                assertThat(after.id).isEqualTo((3 << 20) + 8);
            });
        }
    }

    @Test
    void theTransactionThatWasOpenIsNotTouched() {
        Unit unit = Unit.of(Photo.class);
        try (SessionFactory factory = unit.start()) {
            factory.inTransaction(session -> {
                session.persist(new Photo());
                session.flush();
                Unit.ids(factory).beginAnew();
                session.persist(new Photo());
            });
            assertThat(unit.query("SELECT id FROM Photo ORDER BY id")).containsExactly("1", "17");
        }
    }
}
