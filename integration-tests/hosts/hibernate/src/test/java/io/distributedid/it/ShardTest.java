package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids that carry the shard which a property of their entity says. */
class ShardTest {

    @Embeddable
    static class Place {
        Integer region;
    }

    @Entity(name = "Owner")
    static class Owner {
        @Id
        Long id;
    }

    @Entity(name = "Picture")
    static class Picture {
        @Id
        @DistributedId(seq = "pictures")
        Long id;

        Long userId;

        String code;

        Place place = new Place();

        @ManyToOne(fetch = FetchType.LAZY)
        Owner owner;
    }

    @Entity(name = "Remark")
    static class Remark {
        @Id
        @DistributedId(seq = "remarks")
        Long id;

        String text;

        @ManyToOne(fetch = FetchType.LAZY)
        Picture picture;
    }

    private static Unit unit(String from) {
        return Unit.of(BackendSettings.SNOWFLAKE, Picture.class, Owner.class)
                .with("distributedid.snowflake.layout", "sharded")
                .with("distributedid.shard.from", from)
                .with("distributedid.shard.count", "2000");
    }

    private static Picture ofUser(Long userId) {
        Picture picture = new Picture();
        picture.userId = userId;
        return picture;
    }

    @Test
    void theRemainderOfAPropertyIsTheShard() {
        try (SessionFactory factory = unit("entity.userId").start()) {
            DistributedIdService service = DistributedIdService.of(factory);
            List<Picture> pictures = new ArrayList<>();
            factory.inTransaction(session -> {
                for (long user = 31000; user < 31500; user++) {
                    Picture picture = ofUser(user);
                    session.persist(picture);
                    pictures.add(picture);
                }
            });

            assertThat(pictures).extracting(picture -> picture.id).doesNotHaveDuplicates();
            assertThat(pictures)
                    .allSatisfy(picture -> assertThat(service.shardOf(Picture.class, picture.id))
                            .isEqualTo(picture.userId % 2000));
            assertThat(service.decode(Picture.class, pictures.get(341).id).field("shard"))
                    .isEqualTo(1341);
        }
    }

    @Test
    void aTextOfDigitsIsANumberToo() {
        try (SessionFactory factory = unit("entity.code").start()) {
            Picture picture = new Picture();
            picture.code = "31341";
            Unit.persist(factory, picture);

            assertThat(Unit.ids(factory).shard("pictures").of(picture.id)).isEqualTo(1341);
        }
    }

    @Test
    void thePropertyMayLieInAnEmbeddedObject() {
        try (SessionFactory factory = unit("entity.place.region").start()) {
            Picture picture = new Picture();
            picture.place.region = 7;
            Unit.persist(factory, picture);

            assertThat(Unit.ids(factory).shard("pictures").of(picture.id)).isEqualTo(7);
        }
    }

    @Test
    void anAssociationSaysItByItsIdLoadedOrNot() {
        try (SessionFactory factory = unit("entity.owner").start()) {
            Owner owner = new Owner();
            owner.id = 4005L;
            Picture first = new Picture();
            first.owner = owner;
            factory.inTransaction(session -> {
                session.persist(owner);
                session.persist(first);
            });
            Picture second = new Picture();
            factory.inTransaction(session -> {
                second.owner = session.getReference(Owner.class, 4005L);
                session.persist(second);
            });

            assertThat(List.of(first, second))
                    .allSatisfy(picture -> assertThat(
                                    Unit.ids(factory).shard("pictures").of(picture.id))
                            .isEqualTo(5));
        }
    }

    @Test
    void aRowLiesBesideAnother() {
        Unit unit = Unit.of(BackendSettings.SNOWFLAKE, Picture.class, Owner.class, Remark.class)
                .with("distributedid.snowflake.layout", "sharded")
                .with("distributedid.shard.count", "2000")
                .with("distributedid.seq.pictures.shard.from", "entity.userId")
                .with("distributedid.seq.remarks.shard.from", "same_as.picture");
        try (SessionFactory factory = unit.start()) {
            Picture picture = Unit.persist(factory, ofUser(31341L));
            Remark remark = new Remark();
            factory.inTransaction(session -> {
                remark.picture = session.getReference(Picture.class, picture.id);
                session.persist(remark);
            });

            assertThat(Unit.ids(factory).shard("remarks").of(remark.id)).isEqualTo(1341);
        }
        assertThat(BootErrorTest.refusal(unit.with("distributedid.seq.remarks.shard.from", "same_as.text")))
                .endsWith("distributedid.seq.remarks.shard.from=same_as.text, allowed: a property that leads to another"
                        + " entity (@ManyToOne, @OneToOne)");
    }

    @Test
    void aStatelessSessionAsksTheEntityToo() {
        try (SessionFactory factory = unit("entity.userId").start()) {
            Picture picture = ofUser(31341L);
            factory.inStatelessTransaction(session -> session.insert(picture));

            assertThat(Unit.ids(factory).shard("pictures").of(picture.id)).isEqualTo(1341);
        }
    }

    @Entity(name = "Order")
    @Table(name = "orders")
    static class Order {
        @Id
        Long id;

        Long userId;

        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Test
    void aColumnThatIsNoIdHasTheShardToo() {
        Unit unit = Unit.of(BackendSettings.SNOWFLAKE, Order.class)
                .with("distributedid.snowflake.layout", "sharded")
                .with("distributedid.shard.from", "entity.userId")
                .with("distributedid.shard.count", "2000");
        try (SessionFactory factory = unit.start()) {
            Order order = new Order();
            order.id = 1L;
            order.userId = 31341L;
            Unit.persist(factory, order);

            assertThat(Unit.ids(factory).shard("numbers").of(order.number)).isEqualTo(1341);
        }
        assertThat(BootErrorTest.refusal(unit.without("distributedid.shard.from")))
                .startsWith(Order.class.getName() + ".number (seq=numbers): A setting is missing:"
                        + " distributedid.snowflake.shard");
    }

    @ParameterizedTest
    @CsvSource({
        ", A shard is missing: entity.userId is null when the id is made",
        "-1, A shard is computed from a whole number of 0 or more: entity.userId=-1 (java.lang.Long)"
    })
    void aRowWithoutShardIsRefused(Long userId, String message) {
        try (SessionFactory factory = unit("entity.userId").start()) {
            assertThatThrownBy(() -> Unit.persist(factory, ofUser(userId)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(message);
        }
    }

    @Test
    void anHqlInsertHasNoEntityToAsk() {
        try (SessionFactory factory = unit("entity.userId").start()) {
            assertThatThrownBy(() -> factory.inTransaction(
                            session -> session.createMutationQuery("insert into Picture (userId) values (5)")
                                    .executeUpdate()))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The shard of a row must be read from an entity:"
                            + " distributedid.shard.from=entity.userId can't be read in an HQL insert");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"entity.user", "entity.place.user", "entity.userId.low"})
    void aPropertyThatThereIsNotIsRefusedAtStart(String from) {
        assertThat(BootErrorTest.refusal(unit(from)))
                .startsWith("io.distributedid.it.ShardTest$Picture.id (seq=pictures): A setting has a value that is not"
                        + " allowed: distributedid.shard.from=" + from
                        + ", allowed: a property of io.distributedid.it.ShardTest$Picture: '"
                        + from.substring(from.lastIndexOf('.') + 1) + "' is none of [");
    }

    @Test
    void tenantsAreNeededForTheirShards() {
        assertThat(BootErrorTest.refusal(unit("tenant")))
                .isEqualTo("io.distributedid.it.ShardTest$Picture.id (seq=pictures): A setting has a value that is not"
                        + " allowed: distributedid.shard.from=tenant, allowed: only with Hibernate's multi-tenancy"
                        + " (hibernate.multi_tenant_connection_provider or @TenantId)");
    }

    @Test
    void nobodyCallsForTheIdsOfEntities() {
        assertThat(BootErrorTest.refusal(unit("caller")))
                .endsWith(
                        "distributedid.shard.from=caller, allowed: tenant, entity.<property> or same_as.<property> for"
                                + " entities; caller is for DistributedIds.nextOnShard");
    }

    @Test
    void aLayoutWithAShardNeedsToKnowWhereItComesFrom() {
        Unit unit = unit("tenant").without("distributedid.shard.from");

        assertThat(BootErrorTest.refusal(unit))
                .startsWith("io.distributedid.it.ShardTest$Picture.id (seq=pictures): A setting is missing:"
                        + " distributedid.snowflake.shard");
    }
}
