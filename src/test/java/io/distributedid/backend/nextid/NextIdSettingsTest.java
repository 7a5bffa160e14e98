package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.ConnectionIdSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NextIdSettingsTest {

    private static final String LAYOUT = "time(ms):40, shard:13, sequence:10 from 2011-08-24T21:07:01.721Z until 2046";

    @Test
    void idsAreTakenApartByTheSettingsAlone() {
        long id = 1_387_263_000L << 23 | 1_341 << 10 | 5_001 % 1_024;
        try (DistributedIds ids = open(Map.of())) {
            assertThat(ids.decode("photos", id).fields())
                    .containsEntry("shard", 1_341L)
                    .containsEntry("sequence", 905L);
            assertThat(ids.time("photos").instant(id))
                    .isEqualTo(Instant.ofEpochMilli(1_314_220_021_721L + 1_387_263_000L));
        }
    }

    @Test
    void anIdIsAskedForOnAConnectionOnly() {
        try (DistributedIds ids = open(Map.of())) {
            assertThat(ids.sequence("photos")).isInstanceOf(ConnectionIdSource.class);
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("DistributedIds.next(sequence, connection)");
        }
    }

    @Test
    void aLayoutHasTimeShardAndSequenceAndNoOtherField() {
        for (String layout : List.of("snowflake", "time(ms):40, worker:3, shard:10, sequence:10")) {
            assertThatThrownBy(() -> open(Map.of("layout", layout)).sequence("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid.next_id.layout=" + layout
                            + ", allowed: a layout with the fields time, shard and sequence and no other: instagram,"
                            + " or as"
                            + " in time(ms):41, shard:12, sequence:10");
        }
    }

    @Test
    void anEpochInTheFutureIsRefused() {
        assertThatThrownBy(() -> open(Map.of("epoch", "2999-01-01T00:00:00Z")).sequence("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting has a value that is not allowed:"
                        + " distributedid.next_id.epoch=2999-01-01T00:00:00Z, allowed: an instant in the past");
    }

    @Test
    void aFunctionIsAPlainNameThatLeavesRoomForItsSequence() {
        assertThatThrownBy(() -> open(Map.of("function", "next_id(); --")).sequence("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid.next_id.function=next_id(); --, allowed: a name of letters");
        assertThatThrownBy(
                        () -> open(Map.of("function", "app." + "x".repeat(60))).sequence("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageEndingWith(", allowed: a name of at most 59 characters");
    }

    @Test
    void aShardFitsItsField() {
        assertThatThrownBy(() -> open(Map.of("shard", "8192")).sequence("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.next_id.shard=8192, allowed: a number"
                                + " from 0 to 8191");
        assertThatThrownBy(() -> NextIdSchema.ddl(settings(Map.of()), "shard_8192", 8_192))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A shard's number must fit the layout: shard=8192, allowed: 0 to 8191 in " + LAYOUT);
    }

    @Test
    void anUnknownFormIsRefused() {
        assertThatThrownBy(() -> open(Map.of("form", "soft")).sequence("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageEndingWith("distributedid.next_id.form=soft, allowed: hardened, instagram");
    }

    @Test
    void idsMustFitTheProperty() {
        try (DistributedIds ids = open(Map.of())) {
            assertThatThrownBy(() -> ids.sequence("photos", Integer.MAX_VALUE, "Photo.id"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(
                            "The ids of a layout must fit: sequence 'photos' (Photo.id) stores up to 2147483647, the"
                                    + " layout gives up to 9223372036854775807: " + LAYOUT
                                    + ". Map the property to a 64-bit type");
        }
    }

    @Test
    void anotherDatabaseThanPostgreSqlIsRefused() {
        try (DistributedIds ids = DistributedIds.builder()
                .settings(settings(Map.of()))
                .applicationDatabase(new ConnectionAccess() {
                    @Override
                    public Connection obtain() throws SQLException {
                        return DriverManager.getConnection("jdbc:h2:mem:");
                    }

                    @Override
                    public String label() {
                        return "own database";
                    }
                })
                .build()) {
            assertThatThrownBy(() -> ids.sequence("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(
                            "The database whose function makes ids must be PostgreSQL: distributedid.backend=next_id"
                                    + " product=H2 on own database. On others use snowflake, whose ids can carry a"
                                    + " shard too");
        }
        assertThatThrownBy(() -> IdAdmin.ddl(settings(Map.of("shard", "1")), "mysql"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The database whose function makes ids must be PostgreSQL: database=mysql, allowed:"
                        + " postgresql");
    }

    @Test
    void theFunctionOfAShardIsCreatedInItsSchema() {
        List<String> ddl = NextIdSchema.ddl(settings(Map.of("shard", "3")), "shard_1341", 1_341);

        assertThat(ddl).hasSize(1);
        assertThat(ddl.get(0))
                .startsWith("DO $ddl$")
                .contains("CREATE SEQUENCE shard_1341.next_id_seq MAXVALUE 1125899906842623;")
                .contains("CREATE OR REPLACE FUNCTION shard_1341.next_id() RETURNS bigint LANGUAGE plpgsql AS")
                .contains("RETURN ((last >> 10) << 23) | (1341::bigint << 10)")
                .contains("FUNCTION shard_1341.next_id(amount integer) RETURNS SETOF bigint LANGUAGE plpgsql AS")
                .contains("COMMENT ON FUNCTION shard_1341.next_id() IS 'distributedid 1 shard_1341.next_id: shard=1341,"
                        + " form=hardened, " + LAYOUT + "';")
                .doesNotContain("@schema@", "{", "}");
    }

    @Test
    void instagramsFormIsAsPublished() {
        assertThat(NextIdSchema.ddl(settings(Map.of("form", "instagram")), "insta5", 5)
                        .get(0))
                .contains("CREATE SEQUENCE insta5.next_id_seq;")
                .contains("counter := nextval('insta5.next_id_seq') % 1024;")
                .contains("tick := floor(extract(epoch FROM instant) * 1000)::bigint - 1314220021721;")
                .contains("RETURN (tick << 23) | (5::bigint << 10) | (counter << 0);");
    }

    @Test
    void theFunctionOfThePersistenceUnitLiesInTheConnectionsSchema() {
        assertThat(IdAdmin.ddl(settings(Map.of("shard", "9")), "postgresql"))
                .singleElement()
                .asString()
                .startsWith("DO $here$ BEGIN EXECUTE replace($text$DO $ddl$")
                .endsWith("$text$, '@schema@', quote_ident(current_schema())); END $here$");
        assertThatThrownBy(() -> IdAdmin.ddl(settings(Map.of()), "postgresql"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting is missing: distributedid.next_id.shard, allowed: a number from 0 to 8191. Each"
                        + " shard has a function of its own; for many shards use NextIdSchema.ddl");
    }

    @Test
    void eachSequenceMayHaveAFunctionOfItsOwn() {
        Map<String, String> settings = new HashMap<>(settings(Map.of()));
        settings.put("distributedid.seq.photos.next_id.function", "photo_id");
        settings.put("distributedid.seq.users.next_id.shard", "1");
        settings.put("distributedid.seq.logs.backend", "snowflake");

        List<String> ddl = NextIdSchema.ddl(settings, "app", 7);

        assertThat(ddl).hasSize(2);
        assertThat(ddl.get(0)).contains("FUNCTION app.next_id()");
        assertThat(ddl.get(1)).contains("FUNCTION app.photo_id()").contains("app.photo_id_seq");
    }

    @Test
    void ddlOfNothingIsAMistake() {
        assertThatThrownBy(() -> NextIdSchema.ddl(Map.of("distributedid.backend", "ticket"), "app", 7))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A setting has a value that is not allowed: distributedid.backend=ticket, allowed: next_id, for"
                                + " all sequences or for one");
        assertThatThrownBy(() -> NextIdSchema.ddl(settings(Map.of()), "app.x", 7))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A shard's schema must have a name of letters, digits and '_': schema=app.x");
        assertThatThrownBy(() -> NextIdSchema.ddl(settings(Map.of("function", "app.next_id")), "app", 7))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid.next_id.function=app.next_id, allowed: a name without schema");
    }

    private static DistributedIds open(Map<String, String> more) {
        return DistributedIds.create(settings(more));
    }

    private static Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("distributedid.backend", "next_id"));
        more.forEach((name, value) -> settings.put("distributedid.next_id." + name, value));
        return settings;
    }
}
