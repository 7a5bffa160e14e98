package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import jakarta.persistence.TypedQuery;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.ParameterExpression;
import jakarta.persistence.criteria.Root;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The functions over ids in HQL and criteria queries, on every database they are for. A test class extends this and
 * says where its database is.
 */
public abstract class IdFunctionsContract {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00.123Z");

    /** Layout snowflake: milliseconds. */
    @Entity(name = "Photo")
    @Table(name = "fn_photo")
    @NamedQuery(
            name = "since",
            query = "select p.id from Photo p where p.id >= id_floor(p.id, :from) and id_instant(p.id) >= :from"
                    + " order by p.id")
    public static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    /** Layout seconds; the number of a photo without a foreign key. */
    @Entity(name = "Comment")
    @Table(name = "fn_comment")
    public static class Comment {
        @Id
        @DistributedId(seq = "comments")
        Long id;

        Long photoNumber;

        @ManyToOne
        Photo photo;
    }

    /** Decimal digits, ten milliseconds. */
    @Entity(name = "Tag")
    @Table(name = "fn_tag")
    @Inheritance(strategy = InheritanceType.JOINED)
    public static class Tag {
        @Id
        @DistributedId(seq = "tags")
        String id;
    }

    /** Of a hierarchy. */
    @Entity(name = "ColourTag")
    @Table(name = "fn_colour_tag")
    public static class ColourTag extends Tag {
        int colour;
    }

    /** Whose id holds no time. */
    @Entity(name = "Invoice")
    @Table(name = "fn_invoice")
    public static class Invoice {
        @Id
        @DistributedId(seq = "invoices")
        Long id;
    }

    /** With a time of its own. */
    @Entity(name = "Event")
    @Table(name = "fn_event")
    public static class Event {
        @Id
        Long id;

        Instant happened;
    }

    /** Whose id is nothing of ours. */
    @Entity(name = "Plain")
    @Table(name = "fn_plain")
    public static class Plain {
        @Id
        Long id;
    }

    private SessionFactory factory;

    /** Settings that lead to an empty database. */
    protected abstract Map<String, String> database();

    @BeforeEach
    void start() {
        Configuration configuration = new Configuration();
        List.of(Photo.class, Comment.class, Tag.class, ColourTag.class, Invoice.class, Event.class, Plain.class)
                .forEach(configuration::addAnnotatedClass);
        configuration
                .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                .setProperty("distributedid.backend", "snowflake")
                .setProperty("distributedid.snowflake.worker", "77")
                .setProperty("distributedid.snowflake.epoch", "2024-01-01T00:00:00Z")
                .setProperty("distributedid.seq.comments.snowflake.layout", "seconds")
                .setProperty("distributedid.seq.tags.snowflake.layout", "time(10ms):39, sequence:8, worker:16")
                .setProperty("distributedid.seq.invoices.backend", "sequence_table");
        database().forEach(configuration::setProperty);
        factory = configuration.buildSessionFactory();
    }

    @AfterEach
    void stop() {
        factory.close();
    }

    @Test
    void theInstantOfAnIdIsTheOneInIt() {
        Photo photo = persisted(new Photo());
        Comment comment = persisted(new Comment());
        ColourTag tag = persisted(new ColourTag());

        assertThat(instants("select id_instant(p.id) from Photo p"))
                .containsExactly(ids().decode("photos", photo.id).instant());
        assertThat(instants("select id_instant(c.id) from Comment c"))
                .containsExactly(ids().decode("comments", comment.id).instant());
        assertThat(instants("select id_instant(t.id) from ColourTag t"))
                .containsExactly(ids().decode("tags", Long.parseLong(tag.id)).instant());
    }

    @Test
    void theEntityIsFoundHoweverItsIdIsWritten() {
        Photo photo = persisted(new Photo());
        Comment comment = new Comment();
        comment.photo = photo;
        comment.photoNumber = photo.id;
        persisted(comment);
        Instant made = ids().decode("photos", photo.id).instant();

        assertThat(instants("select id_instant(id(p)) from Photo p")).containsExactly(made);
        assertThat(instants("select id_instant(c.photo.id) from Comment c")).containsExactly(made);
        assertThat(instants("select id_instant(p.id) from Comment c join c.photo p"))
                .containsExactly(made);
        assertThat(instants("select id_instant('photos', c.photoNumber) from Comment c"))
                .containsExactly(made);
        assertThat(instants("select id_instant('photos', c.photo.id) from Comment c"))
                .containsExactly(made);
        assertThat(instants("select max(id_instant(p.id)) from Photo p group by id_instant(p.id)"))
                .containsExactly(made);
    }

    @Test
    void instantsAreComparedWithThoseOfTheApplication() {
        insertPhotos(NOON.minusMillis(1), NOON, NOON.plusMillis(1));

        assertThat(query(
                        "select id_instant(p.id) from Photo p where id_instant(p.id) >= :from order by p.id",
                        Instant.class,
                        query -> query.setParameter("from", NOON)))
                .containsExactly(NOON, NOON.plusMillis(1));
        assertThat(query(
                        "select p.id from Photo p where id_instant(p.id) between :from and :from",
                        Long.class,
                        query -> query.setParameter("from", NOON)))
                .containsExactly(ids().time("photos").floor(NOON));
    }

    @Test
    void rangesOfTimeAreRangesOfTheKey() {
        insertPhotos(NOON.minusMillis(1), NOON, NOON.plusMillis(1), NOON.plusMillis(2));

        assertThat(query(
                        "select id_instant(p.id) from Photo p where p.id >= id_floor(p.id, :from) and p.id <"
                                + " id_floor(p.id, :until) order by p.id",
                        Instant.class,
                        query -> query.setParameter("from", NOON).setParameter("until", NOON.plusMillis(2))))
                .containsExactly(NOON, NOON.plusMillis(1));
        assertThat(query(
                        "select id_instant(p.id) from Photo p where p.id between id_floor('photos', :from) and"
                                + " id_ceiling('photos', :until) order by p.id",
                        Instant.class,
                        query -> query.setParameter("from", NOON).setParameter("until", NOON.plusMillis(1))))
                .containsExactly(NOON, NOON.plusMillis(1));
    }

    @Test
    void floorAndCeilingAreThoseOfJava() {
        persisted(new Photo());
        for (String sequence : List.of("photos", "comments", "tags")) {
            for (Instant instant : List.of(
                    NOON, NOON.plusMillis(876), NOON.plusNanos(999_000), Instant.parse("2024-01-01T00:00:00.001Z"))) {
                assertThat(query(
                                "select id_floor('" + sequence + "', :instant) from Photo p",
                                Long.class,
                                query -> query.setParameter("instant", instant)))
                        .containsExactly(ids().time(sequence).floor(instant));
                assertThat(query(
                                "select id_ceiling('" + sequence + "', :instant) from Photo p",
                                Long.class,
                                query -> query.setParameter("instant", instant)))
                        .containsExactly(ids().time(sequence).ceiling(instant));
            }
        }
    }

    /** Edges of the layouts, of the databases' types, of their drivers' rounding. */
    static List<Instant> edges() {
        Instant epoch = Instant.parse("2024-01-01T00:00:00Z");
        Instant lastOfMillis = epoch.plusMillis((1L << 41) - 1);
        Instant lastOfSeconds = epoch.plusSeconds((1L << 31) - 1);
        return List.of(
                Instant.MIN,
                Instant.parse("-9999-01-01T00:00:00Z"),
                Instant.parse("0001-01-01T00:00:00Z"),
                Instant.parse("1969-12-31T23:59:59.999999999Z"),
                Instant.EPOCH,
                epoch.minusMillis(1),
                epoch.minusNanos(1),
                epoch,
                epoch.plusNanos(1),
                epoch.plusNanos(999_999),
                epoch.plusNanos(999_499),
                epoch.plusNanos(999_500),
                epoch.plusNanos(9_999_999),
                epoch.plusNanos(999_999_999),
                NOON.plusNanos(500),
                NOON.plusNanos(999_999),
                NOON.plusMillis(876).plusNanos(999_999),
                lastOfMillis.minusNanos(1),
                lastOfMillis,
                lastOfMillis.plusMillis(1),
                lastOfSeconds.minusNanos(1),
                lastOfSeconds,
                lastOfSeconds.plusNanos(999_999_999),
                lastOfSeconds.plusSeconds(1),
                Instant.parse("9999-12-31T00:00:00Z"),
                Instant.parse("9999-12-31T23:59:59.999999999Z"),
                Instant.parse("+10000-01-01T00:00:00Z"),
                Instant.parse("+300000-01-01T00:00:00Z"),
                Instant.MAX);
    }

    @Test
    void floorAndCeilingAreThoseOfJavaForEveryInstant() {
        persisted(new Photo());
        List<String> wrong = new ArrayList<>();
        for (String sequence : List.of("photos", "comments", "tags")) {
            for (Instant instant : edges()) {
                for (String function : List.of("floor", "ceiling")) {
                    long wanted = function.equals("floor")
                            ? ids().time(sequence).floor(instant)
                            : ids().time(sequence).ceiling(instant);
                    String found =
                            answer("select id_" + function + "('" + sequence + "', :instant) from Photo p", instant);
                    if (!found.equals(Long.toString(wanted))) {
                        wrong.add(sequence + " " + function + " " + instant + ": " + found + ", Java " + wanted);
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    private String answer(String hql, Instant instant) {
        try {
            return query(hql, Long.class, query -> query.setParameter("instant", instant))
                    .get(0)
                    .toString();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    @Test
    void floorAndCeilingAreThoseOfJavaForEveryInstantInAColumn() {
        persisted(new Photo());
        List<String> wrong = new ArrayList<>();
        long id = 0;
        for (Instant instant : edges()) {
            Event event = new Event();
            event.id = ++id;
            event.happened = instant;
            try {
                persisted(event);
            } catch (RuntimeException e) {
                // The database does not know such a time.
                continue;
            }
            Instant stored = query("select e.happened from Event e where e.id = " + id, Instant.class, query -> query)
                    .get(0);
            for (String sequence : List.of("photos", "comments", "tags")) {
                String answer;
                try {
                    Object[] found = query(
                                    "select id_floor('" + sequence + "', e.happened), id_ceiling('" + sequence
                                            + "', e.happened) from Event e where e.id = " + id,
                                    Object[].class,
                                    query -> query)
                            .get(0);
                    answer = Arrays.toString(found);
                } catch (RuntimeException e) {
                    answer = e.toString();
                }
                String wanted = List.of(
                                ids().time(sequence).floor(stored),
                                ids().time(sequence).ceiling(stored))
                        .toString();
                if (!answer.equals(wanted)) {
                    wrong.add(sequence + " " + stored + ": " + answer + ", Java " + wanted);
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void theIdsOfNoInstantAreNone() {
        persisted(new Photo());
        Event event = new Event();
        event.id = 1L;
        persisted(event);

        assertThat(query("select id_floor('photos', e.happened) from Event e", Long.class, query -> query))
                .containsOnlyNulls();
    }

    @Test
    void namedQueriesAndCriteriaMayUseThem() {
        insertPhotos(NOON.minusMillis(1), NOON);

        try (EntityManager manager = factory.createEntityManager()) {
            assertThat(manager.createNamedQuery("since", Long.class)
                            .setParameter("from", NOON)
                            .getResultList())
                    .containsExactly(ids().time("photos").floor(NOON));
            CriteriaBuilder builder = factory.getCriteriaBuilder();
            CriteriaQuery<Instant> criteria = builder.createQuery(Instant.class);
            ParameterExpression<Instant> from = builder.parameter(Instant.class);
            Root<Photo> photo = criteria.from(Photo.class);
            criteria.select(builder.function("id_instant", Instant.class, photo.get("id")))
                    .where(builder.ge(
                            photo.get("id"), builder.function("id_floor", Long.class, photo.get("id"), from)));
            assertThat(manager.createQuery(criteria).setParameter(from, NOON).getResultList())
                    .containsExactly(NOON);
        }
    }

    @Test
    void entitiesAreDecodedByTheirClass() {
        Photo photo = persisted(new Photo());
        DistributedIdService service = DistributedIdService.of(factory);

        assertThat(service.decode(Photo.class, photo.id)).isEqualTo(ids().decode("photos", photo.id));
        assertThat(service.floor(Comment.class, NOON))
                .isEqualTo(ids().time("comments").floor(NOON));
        assertThat(service.ceiling(ColourTag.class, NOON))
                .isEqualTo(ids().time("tags").ceiling(NOON));
        assertThatThrownBy(() -> service.decode(Plain.class, 1))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("An entity must have one id that is a @DistributedId: entity=" + Plain.class.getName()
                        + ". For a part of a composite id, name the sequence");
    }

    @Test
    void idsWithoutTimeAreRefused() {
        assertThatThrownBy(() -> instants("select id_instant(i.id) from Invoice i"))
                .hasMessage("The ids of a sequence must hold the time: seq=invoices, allowed: sequences whose"
                        + " distributedid.backend is snowflake");
        assertThatThrownBy(() -> instants("select id_instant(p.id) from Plain p"))
                .hasMessageStartingWith("An entity must have one id that is a @DistributedId: entity=");
        assertThatThrownBy(() -> instants("select id_instant(c.photoNumber) from Comment c"))
                .hasMessage(
                        "The first argument of id_instant() must be the id of an entity, or the name of a sequence as a"
                                + " literal: id_instant(p.id, ...), id_instant('photos', ...)");
    }

    @Test
    void timesWhoseZoneIsOpenAreRefused() {
        String rule =
                "The last argument of id_floor() must be a java.time.Instant, as a parameter or a column, mapped to"
                        + " TIMESTAMP_UTC (Hibernate's default): id_floor(p.id, :instant)";

        assertThatThrownBy(() -> query(
                        "select p.id from Photo p where p.id > id_floor(p.id, datetime 2026-11-21 12:00:00)",
                        Long.class,
                        query -> query))
                .hasMessageStartingWith(rule);
        assertThatThrownBy(() -> query(
                        "select p.id from Photo p where p.id > id_floor(p.id, :from)",
                        Long.class,
                        query -> query.setParameter("from", LocalDateTime.of(2026, 11, 21, 12, 0))))
                .hasMessageStartingWith(rule + ", found java.time.LocalDateTime as TIMESTAMP");
    }

    private void insertPhotos(Instant... instants) {
        factory.inTransaction(session -> {
            for (Instant instant : instants) {
                session.createNativeMutationQuery("insert into fn_photo (id) values (:id)")
                        .setParameter("id", ids().time("photos").floor(instant))
                        .executeUpdate();
            }
        });
    }

    private DistributedIds ids() {
        return DistributedIdService.of(factory).ids();
    }

    private <T> T persisted(T entity) {
        factory.inTransaction(session -> session.persist(entity));
        return entity;
    }

    private List<Instant> instants(String hql) {
        return query(hql, Instant.class, query -> query);
    }

    private <T> List<T> query(String hql, Class<T> type, Function<TypedQuery<T>, TypedQuery<T>> parameters) {
        try (EntityManager manager = factory.createEntityManager()) {
            return parameters.apply(manager.createQuery(hql, type)).getResultList();
        }
    }
}
