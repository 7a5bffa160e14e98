package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.repository.support.SimpleR2dbcRepository;
import org.springframework.data.relational.repository.query.RelationalEntityInformation;
import org.springframework.data.relational.repository.support.MappingRelationalEntityInformation;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/** Spring Data R2DBC. */
class R2dbcTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static ConfigurableApplicationContext application;

    private static R2dbcEntityTemplate rows;

    @BeforeAll
    static void start() {
        application = Application.run(Set.of(), "distributedid.backend=memory");
        rows = application.getBean(R2dbcEntityTemplate.class);
        application.getBean(JdbcTemplate.class).batchUpdate(Entities.TABLES);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void aSaveOfANewRowIsOneInsertAndALaterOneAnUpdate() {
        Entities.Mutable photo = inserted(new Entities.Mutable("one insert"));
        assertThat(photo.id).isPositive();
        assertThat(repository(Entities.Mutable.class).findById(photo.id).block(PATIENCE).title)
                .isEqualTo("one insert");
        Long id = photo.id;
        photo.title = "one update";

        assertThat(Recorded.verbs(() -> save(photo))).containsExactly("UPDATE");

        assertThat(photo.id).isEqualTo(id);
    }

    @Test
    void idsHaveTheTypeOfTheirProperty() {
        assertThat(inserted(new Entities.Primitive()).id).isPositive();
        assertThat(inserted(new Entities.Narrow()).id).isPositive();
        assertThat(inserted(new Entities.Text()).id).matches("[1-9]\\d*");
        assertThat(inserted(new Entities.Padded(null, "sunset")).id()).matches("0\\d{18}");
        assertThat(inserted(new Entities.ByGetter()).getId()).isPositive();
        assertThat(inserted(new Entities.Versioned()).id).isPositive();
        Entities.Immutable photo = new Entities.Immutable(null, "sunset");
        assertThat(inserted(photo).id()).isPositive();
        assertThat(photo.id()).isNull();
    }

    @Test
    void manyAtOnceHaveIdsOfTheirOwn() {
        List<Entities.Immutable> photos = IntStream.range(0, 200)
                .mapToObj(i -> new Entities.Immutable(null, "many"))
                .toList();
        AtomicReference<List<Entities.Immutable>> saved = new AtomicReference<>();

        assertThat(Recorded.verbs(() -> saved.set(repository(Entities.Immutable.class)
                        .saveAll(photos)
                        .collectList()
                        .block(PATIENCE))))
                .hasSize(200)
                .containsOnly("INSERT");

        assertThat(saved.get())
                .extracting(Entities.Immutable::id)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
    }

    @Test
    void aNewRowWithAnIdIsRefusedUnlessIdsAreAssigned() {
        Entities.Strict strict = new Entities.Strict();
        strict.id = 17L;
        assertThatThrownBy(() -> save(strict))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("An entity must not have an id before it is given one: photos.Entities$Strict.id"
                        + " (seq=stricts) has 17. Leave it null, or keep such ids with"
                        + " @DistributedId(assigned = true)");
        Entities.Imported imported = new Entities.Imported();
        imported.id = 17L;
        assertThat(inserted(imported).id).isEqualTo(17);
        assertThat(inserted(new Entities.Imported()).id).isPositive().isNotEqualTo(17);
    }

    @Test
    void otherColumnsGetNumbersUnlessTheyHaveOne() {
        assertThat(inserted(new Entities.Numbered(null, null, "one")).number()).isPositive();
        assertThat(inserted(new Entities.Numbered(null, 4711L, "two")).number()).isEqualTo(4711);
    }

    @Test
    void anIdIsNotGivenAgainAfterARollback() {
        TransactionalOperator transaction =
                TransactionalOperator.create(application.getBean(ReactiveTransactionManager.class));
        Entities.Mutable rolledBack = new Entities.Mutable("rolled back");
        transaction
                .execute(status -> {
                    status.setRollbackOnly();
                    return repository(Entities.Mutable.class).save(rolledBack);
                })
                .blockLast(PATIENCE);
        assertThat(repository(Entities.Mutable.class).existsById(rolledBack.id).block(PATIENCE))
                .isFalse();

        Entities.Mutable committed = new Entities.Mutable("committed");
        transaction
                .execute(status -> repository(Entities.Mutable.class).save(committed))
                .blockLast(PATIENCE);

        assertThat(repository(Entities.Mutable.class).existsById(committed.id).block(PATIENCE))
                .isTrue();
        assertThat(committed.id).isGreaterThan(rolledBack.id);
    }

    private static <T> T inserted(T row) {
        AtomicReference<T> saved = new AtomicReference<>();
        assertThat(Recorded.verbs(() -> saved.set(save(row)))).containsExactly("INSERT");
        return saved.get();
    }

    @SuppressWarnings("unchecked")
    private static <T> T save(T row) {
        return repository((Class<T>) row.getClass()).save(row).block(PATIENCE);
    }

    /** As Spring Data makes it. */
    @SuppressWarnings("unchecked")
    private static <T> SimpleR2dbcRepository<T, Object> repository(Class<T> type) {
        RelationalEntityInformation<T, Object> information = new MappingRelationalEntityInformation<>(
                (org.springframework.data.relational.core.mapping.RelationalPersistentEntity<T>)
                        rows.getConverter().getMappingContext().getRequiredPersistentEntity(type));
        return new SimpleR2dbcRepository<>(information, rows, rows.getConverter());
    }
}
