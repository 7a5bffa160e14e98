package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Convert;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreInsertEventListener;
import org.junit.jupiter.api.Order;

/** Numbers per key. */
@Order(13)
class KeyedCases {

    @Entity(name = "Room")
    static class Room {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        String name;

        static Room named(String name) {
            Room room = new Room();
            room.name = name;
            return room;
        }
    }

    @Entity(name = "Message")
    static class Message {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @ManyToOne(cascade = CascadeType.PERSIST)
        Room room;

        @DistributedValue(seq = "messages", per = "room")
        Long number;

        static Message in(Room room) {
            Message message = new Message();
            message.room = room;
            return message;
        }
    }

    @Embeddable
    static class Place {
        String city;

        @DistributedValue(seq = "places", per = "place.city")
        Integer number;
    }

    @Entity(name = "Shop")
    static class Shop {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @Embedded
        Place place = new Place();

        static Shop of(String city) {
            Shop shop = new Shop();
            shop.place.city = city;
            return shop;
        }
    }

    @MappedSuperclass
    abstract static class Posted {
        String town;

        @DistributedValue(seq = "posts", per = "town")
        Long number;
    }

    @Entity(name = "Letter")
    static class Letter extends Posted {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        static Letter to(String town) {
            Letter letter = new Letter();
            letter.town = town;
            return letter;
        }
    }

    static final class Texts implements AttributeConverter<Long, String> {

        @Override
        public String convertToDatabaseColumn(Long number) {
            return number == null ? null : "INV-" + number;
        }

        @Override
        public Long convertToEntityAttribute(String text) {
            return text == null ? null : Long.valueOf(text.substring(4));
        }
    }

    @Entity(name = "Converted")
    static class Converted {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        int customer;

        @Convert(converter = Texts.class)
        @DistributedValue(seq = "converted", per = "customer")
        Long number;
    }

    @Entity(name = "Bill")
    static class Bill {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        int customer;

        @DistributedValue(seq = "bills", per = "customer", gapless = true)
        long number;

        static Bill of(int customer) {
            Bill bill = new Bill();
            bill.customer = customer;
            return bill;
        }
    }

    @Entity(name = "Album")
    static class Album {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @OneToMany(cascade = CascadeType.ALL)
        List<Picture> pictures = new ArrayList<>();
    }

    /** Inserted when it is persisted, also by a cascade. */
    @Entity(name = "Picture")
    static class Picture {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        int topic;

        @DistributedValue(seq = "pictures", per = "topic", gapless = true)
        Long number;
    }

    private static void require(Unit unit, String sql, String... rows) {
        assertThat(unit.query(sql)).containsExactly(rows);
    }

    @Case("number per key: of an association")
    void association() {
        try (Unit unit = Unit.of(Room.class, Message.class).start()) {
            Room one = Room.named("one");
            Room two = Room.named("two");
            unit.factory()
                    .inTransaction(
                            session -> Stream.of(one, two, one).map(Message::in).forEach(session::persist));
            unit.merge(Message.in(one));
            require(
                    unit,
                    "SELECT r.name || m.number FROM Message m JOIN Room r ON r.id = m.room_id ORDER BY 1",
                    "one1",
                    "one2",
                    "one3",
                    "two1");
        }
    }

    @Case("number per key: in an embedded object")
    void embedded() {
        try (Unit unit = Unit.of(Shop.class).start()) {
            unit.persist(Shop.of("a"));
        }
    }

    @Case("number per key: without gaps after rollbacks")
    void gapless() {
        try (Unit unit = Unit.of(Bill.class).start()) {
            for (boolean isKept : List.of(true, false, true)) {
                try (Session session = unit.factory().openSession()) {
                    session.beginTransaction();
                    Stream.of(7, 8, 7).map(Bill::of).forEach(session::persist);
                    session.flush();
                    session.persist(Bill.of(7));
                    session.flush();
                    if (isKept) {
                        session.getTransaction().commit();
                    } else {
                        session.getTransaction().rollback();
                    }
                }
            }
            require(
                    unit,
                    "SELECT customer || '-' || number FROM Bill ORDER BY customer, number",
                    "7-1",
                    "7-2",
                    "7-3",
                    "7-4",
                    "7-5",
                    "7-6",
                    "8-1",
                    "8-2");
        }
    }

    @Case("number per key: without gaps, a row that a query, a flush or a merge inserts at once")
    void atOnce() {
        try (Unit unit = Unit.of(Album.class, Picture.class).start()) {
            Stream.<Consumer<Session>>of(
                            session -> session.createQuery("from Album", Album.class)
                                    .getResultList(),
                            Session::flush)
                    .forEach(insert -> unit.factory().inTransaction(session -> {
                        Album album = new Album();
                        session.persist(album);
                        album.pictures.add(new Picture());
                        insert.accept(session);
                    }));
            unit.merge(new Picture());
            require(unit, "SELECT number FROM Picture ORDER BY 1", "1", "2", "3");
        }
    }

    /** A query that needs no flush cascades all the same: to a picture, which is inserted then, and nothing else. */
    @Case("number per key: without gaps, a row that a listener persists before one that is inserted at once")
    void persistedByListener() {
        try (Unit unit =
                Unit.of(Album.class, Picture.class, Bill.class, Room.class).start()) {
            AtomicReference<Session> current = new AtomicReference<>();
            PreInsertEventListener listener = event -> {
                if (event.getEntity() instanceof Picture) {
                    current.get().persist(Bill.of(7));
                }
                return false;
            };
            unit.factory()
                    .unwrap(SessionFactoryImplementor.class)
                    .getEventEngine()
                    .getListenerRegistry()
                    .appendListeners(EventType.PRE_INSERT, listener);
            unit.factory().inTransaction(session -> {
                current.set(session);
                Album album = new Album();
                session.persist(album);
                session.flush();
                album.pictures.add(new Picture());
                session.createQuery("from Room", Room.class).getResultList();
            });
            require(unit, "SELECT number FROM Picture", "1");
            require(unit, "SELECT number FROM Bill", "1");
        }
    }

    @Case("number per key: without gaps, StatelessSession.insert")
    void stateless() {
        try (Unit unit = Unit.of(Bill.class).start()) {
            unit.insert(Bill.of(8));
        }
    }

    @Case("number per key: in a mapped superclass")
    void superclass() {
        try (Unit unit = Unit.of(Letter.class).start()) {
            unit.factory()
                    .inTransaction(
                            session -> Stream.of("a", "b", "a").map(Letter::to).forEach(session::persist));
            require(unit, "SELECT town || number FROM Letter ORDER BY 1", "a1", "a2", "b1");
        }
    }

    @Case("number per key: with a converter")
    void converter() {
        Unit.of(Converted.class).start().close();
    }
}
