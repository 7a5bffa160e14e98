package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.Session;
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
            unit.factory()
                    .inTransaction(
                            session -> Stream.of("a", "b", "a").map(Shop::of).forEach(session::persist));
            unit.insert(Shop.of("b"));
            require(unit, "SELECT city || number FROM Shop ORDER BY 1", "a1", "a2", "b1", "b2");
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
            unit.insert(Bill.of(8));
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
                    "8-2",
                    "8-3");
        }
    }
}
