package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Data JDBC. */
class JdbcTest {

    private static ConfigurableApplicationContext application;

    private static JdbcAggregateTemplate aggregates;

    private static JdbcTemplate jdbc;

    @BeforeAll
    static void start() {
        application = Application.run(Set.of(), "distributedid.backend=memory");
        aggregates = application.getBean(JdbcAggregateTemplate.class);
        jdbc = application.getBean(JdbcTemplate.class);
        jdbc.batchUpdate(Entities.TABLES);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void aSaveOfANewAggregateIsOneInsertAndALaterOneAnUpdate() {
        Entities.Mutable photo = new Entities.Mutable("one insert");

        assertThat(Recorded.verbs(() -> aggregates.save(photo))).containsExactly("INSERT");
        assertThat(photo.id).isPositive();
        assertThat(aggregates.findById(photo.id, Entities.Mutable.class).title).isEqualTo("one insert");
        Long id = photo.id;
        photo.title = "one update";
        assertThat(Recorded.verbs(() -> aggregates.save(photo))).containsExactly("UPDATE");
        assertThat(photo.id).isEqualTo(id);
    }

    @Test
    void idsHaveTheTypeOfTheirProperty() {
        assertThat(inserted(new Entities.Primitive()).id).isPositive();
        assertThat(inserted(new Entities.Narrow()).id).isPositive();
        assertThat(inserted(new Entities.Wide()).id).isGreaterThan(BigInteger.ZERO);
        assertThat(inserted(new Entities.Text()).id).matches("[1-9]\\d*");
        assertThat(inserted(new Entities.Padded(null, "sunset")).id()).matches("0\\d{18}");
        assertThat(inserted(new Entities.ByGetter()).getId()).isPositive();
        assertThat(application.getBean(DistributedIds.class).sequences())
                .as("the sequence has the name of the table, if the annotation has none")
                .contains("text");
    }

    @Test
    void anImmutableAggregateIsReplacedByACopyWithTheId() {
        Entities.Immutable photo = new Entities.Immutable(null, "sunset");

        Entities.Immutable saved = inserted(photo);

        assertThat(photo.id()).isNull();
        assertThat(saved.id()).isPositive();
        assertThat(aggregates.findById(saved.id(), Entities.Immutable.class)).isEqualTo(saved);
        assertThat(Recorded.verbs(() -> aggregates.save(saved))).containsExactly("UPDATE");
    }

    @Test
    void manyAtOnceAreInsertedInBatchesWithIdsOfTheirOwn() {
        List<Entities.Mutable> photos = IntStream.range(0, 500)
                .mapToObj(i -> new Entities.Mutable("batch " + i))
                .toList();

        assertThat(Recorded.verbs(() -> aggregates.saveAll(photos)))
                .isNotEmpty()
                .containsOnly("INSERT");

        assertThat(photos.stream().map(photo -> photo.id)).doesNotContainNull().doesNotHaveDuplicates();
        List<Entities.Immutable> records = IntStream.range(0, 500)
                .mapToObj(i -> new Entities.Immutable(null, "batch"))
                .toList();
        AtomicReference<Iterable<Entities.Immutable>> saved = new AtomicReference<>();
        assertThat(Recorded.verbs(() -> saved.set(aggregates.saveAll(records))))
                .isNotEmpty()
                .containsOnly("INSERT");
        assertThat(saved.get())
                .extracting(Entities.Immutable::id)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
    }

    @Test
    void aVersionIsCountedAsUsual() {
        Entities.Versioned photo = inserted(new Entities.Versioned());

        assertThat(photo.version).isZero();
        assertThat(Recorded.verbs(() -> aggregates.save(photo))).containsExactly("UPDATE");
        assertThat(photo.version).isEqualTo(1);
    }

    @Test
    void auditingSeesANewAggregate() {
        Entities.Audited photo = inserted(new Entities.Audited());

        assertThat(photo.created).isNotNull().isEqualTo(photo.modified);
    }

    @Test
    void aNewAggregateWithAnIdIsRefusedUnlessIdsAreAssigned() {
        Entities.Strict strict = new Entities.Strict();
        strict.id = 17L;
        assertThatThrownBy(() -> aggregates.save(strict))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("An entity must not have an id before it is given one: photos.Entities$Strict.id"
                        + " (seq=stricts) has 17. Leave it null, or keep such ids with"
                        + " @DistributedId(assigned = true)");
        Entities.Versioned versioned = new Entities.Versioned();
        versioned.id = 17L;
        assertThatThrownBy(() -> aggregates.save(versioned)).hasMessageContaining("(seq=versioned) has 17");
        Entities.Imported imported = new Entities.Imported();
        imported.id = 17L;
        assertThat(inserted(imported).id).isEqualTo(17);
        assertThat(inserted(new Entities.Imported()).id).isPositive().isNotEqualTo(17);
        assertThat(inserted(new Entities.Strict()).id).isPositive();
    }

    @Test
    void anInsertThatTheApplicationAsksForKeepsItsId() {
        Entities.Mutable photo = new Entities.Mutable("insert");
        photo.id = 4_000_000_000L;

        assertThat(Recorded.verbs(() -> aggregates.insert(photo))).containsExactly("INSERT");

        assertThat(photo.id).isEqualTo(4_000_000_000L);
        Entities.Mutable without = new Entities.Mutable("insert without");
        assertThat(Recorded.verbs(() -> aggregates.insert(without))).containsExactly("INSERT");
        assertThat(without.id).isPositive();
    }

    @Test
    void aRowThatIsGoneIsNoNewRow() {
        Entities.Mutable photo = new Entities.Mutable("gone");
        photo.id = 5_000_000_000L;

        assertThat(Recorded.verbs(() -> catchThrowable(() -> aggregates.save(photo))))
                .as("older versions fail then")
                .containsExactly("UPDATE");
        assertThat(aggregates.existsById(photo.id, Entities.Mutable.class)).isFalse();
    }

    @Test
    void otherColumnsGetNumbersUnlessTheyHaveOne() {
        Entities.Numbered one = inserted(new Entities.Numbered(null, null, "one"));
        Entities.Numbered two = inserted(new Entities.Numbered(null, 4711L, "two"));

        assertThat(one.number()).isPositive();
        assertThat(two.number()).isEqualTo(4711);
        assertThat(aggregates
                        .save(new Entities.Numbered(one.id(), one.number(), "changed"))
                        .number())
                .isEqualTo(one.number());
    }

    @Test
    void partsOfAnAggregateGetIdsAndKeepThem() {
        Entities.Album album = new Entities.Album();
        album.picture.add(new Entities.Picture(
                null, "sunset", Set.of(new Entities.Tag(null, "sea"), new Entities.Tag(null, "red"))));
        album.picture.add(new Entities.Picture(null, "dawn", Set.of()));
        album.tag = Set.of(new Entities.Tag(null, "holiday"));
        album.guest.put("first", new Entities.Guest("Ada"));

        assertThat(Recorded.verbs(() -> aggregates.save(album))).isNotEmpty().containsOnly("INSERT");

        Entities.Album stored = aggregates.findById(album.id, Entities.Album.class);
        assertThat(stored.picture)
                .isEqualTo(album.picture)
                .extracting(Entities.Picture::title)
                .containsExactly("sunset", "dawn");
        assertThat(stored.picture)
                .extracting(Entities.Picture::id)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(stored.tag).isEqualTo(album.tag);
        assertThat(stored.guest.get("first").id).isPositive().isEqualTo(album.guest.get("first").id);
        Set<Long> tags = new HashSet<>();
        Stream.concat(stored.tag.stream(), stored.picture.get(0).tag().stream())
                .forEach(tag -> assertThat(tags.add(tag.id())).isTrue());
        assertThat(tags).hasSize(3).allSatisfy(id -> assertThat(id).isPositive());

        stored.picture.add(new Entities.Picture(null, "noon", Set.of()));
        aggregates.save(stored);

        List<Entities.Picture> later = aggregates.findById(album.id, Entities.Album.class).picture;
        assertThat(later).extracting(Entities.Picture::title).containsExactly("sunset", "dawn", "noon");
        assertThat(later.subList(0, 2)).isEqualTo(album.picture);
        assertThat(later.get(2).id()).isPositive();
    }

    @Test
    void anIdIsNotGivenAgainAfterARollback() {
        TransactionTemplate transaction =
                new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        Entities.Mutable rolledBack = new Entities.Mutable("rolled back");
        transaction.executeWithoutResult(status -> {
            aggregates.save(rolledBack);
            status.setRollbackOnly();
        });
        assertThat(aggregates.existsById(rolledBack.id, Entities.Mutable.class)).isFalse();

        Entities.Mutable committed = new Entities.Mutable("committed");
        transaction.executeWithoutResult(status -> aggregates.save(committed));

        assertThat(aggregates.existsById(committed.id, Entities.Mutable.class)).isTrue();
        assertThat(committed.id).isGreaterThan(rolledBack.id);
    }

    /** A mutable aggregate has an id afterwards: Spring Data takes it for a stored one. */
    @Test
    void afterAFailedInsertAMutableAggregateMustGiveUpItsId() {
        inserted(new Entities.Mutable("twice"));
        Entities.Mutable failed = new Entities.Mutable("twice");
        assertThatThrownBy(() -> aggregates.save(failed)).isNotNull();
        assertThat(failed.id).isPositive();
        failed.title = "twice, but not the same";
        assertThat(Recorded.verbs(() -> catchThrowable(() -> aggregates.save(failed))))
                .containsExactly("UPDATE");

        failed.id = null;

        assertThat(Recorded.verbs(() -> aggregates.save(failed))).containsExactly("INSERT");
    }

    private static <T> T inserted(T aggregate) {
        AtomicReference<T> saved = new AtomicReference<>();
        assertThat(Recorded.verbs(() -> saved.set(aggregates.save(aggregate)))).containsExactly("INSERT");
        return saved.get();
    }
}
