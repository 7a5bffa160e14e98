package io.distributedid.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.LoggedWarnings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class EnvironmentSettingsTest {

    @ParameterizedTest
    @CsvSource({
        "distributedid.backend, distributedid.backend",
        "distributedid.max_distance, distributedid.max_distance",
        "distributedid.max-distance, distributedid.max_distance",
        "distributedid.maxDistance, distributedid.max_distance",
        "distributed-id.create-tables, distributedid.create_tables",
        "distributedid.seq.my_Photos.ticket.table, distributedid.seq.my_Photos.ticket.table",
        "distributedid.seq.my-photos.block.max-age, distributedid.seq.my-photos.block.max_age",
        "Distributed-Id.maxDistance, distributedid.max_distance",
        "distributedid.seq.Photo-Ids.block.maxAge, distributedid.seq.Photo-Ids.block.max_age",
        "distributedid.seq.photos, distributedid.seq.photos",
        "distributedid.No-Such, distributedid.No-Such",
        "distributedid.tiket.table, distributedid.tiket.table",
        "distributedid.seq.photos.no-such, distributedid.seq.photos.no-such",
    })
    void aPropertyMayBeSpeltAsAnyOfSprings(String property, String setting) {
        assertThat(read(source("file", Map.of(property, "x")))).containsExactly(Map.entry(setting, "x"));
    }

    @ParameterizedTest
    @CsvSource({
        "DISTRIBUTEDID_BACKEND, distributedid.backend",
        "DISTRIBUTEDID_TICKET_PASSWORD, distributedid.ticket.password",
        "DISTRIBUTEDID_MAX_DISTANCE, distributedid.max_distance",
        "DISTRIBUTEDID_MAXDISTANCE, distributedid.max_distance",
        "DISTRIBUTEDID_SNOWFLAKE_LEASE_MAX_CLOCK_SKEW, distributedid.snowflake.lease.max_clock_skew",
        "DISTRIBUTEDID_SEQ_PHOTOS_TICKET_TABLE, distributedid.seq.photos.ticket.table",
        "DISTRIBUTEDID_SEQ_PHOTO_IDS_BLOCK_MAXAGE, distributedid.seq.photo_ids.block.max_age",
        "DISTRIBUTEDID_SEQ_PHOTOS_BLOCK_TIMEOUT, distributedid.seq.photos.block.timeout",
        "DISTRIBUTEDID_SEQ_PHOTOS_TIMEOUT, distributedid.seq.photos.timeout",
        "DISTRIBUTEDID_SEQ_MY_PHOTOS_SEQUENCE_TABLE_TABLE, distributedid.seq.my_photos.sequence_table.table",
        "distributedid_seq_photos_backend, distributedid.seq.photos.backend",
    })
    void anEnvironmentVariableIsASettingToo(String variable, String setting) {
        assertThat(read(variables(Map.of(variable, "x")))).containsExactly(Map.entry(setting, "x"));
    }

    @ParameterizedTest
    @CsvSource({
        "distributedid.backend, sequence-table, sequence_table",
        "distributedid.backend, SEQUENCE_TABLE, sequence_table",
        "distributedid.backend, sequenceTable, sequence_table",
        "distributedid.seq.photos.backend, Next-Id, next_id",
        "distributedid.existing-ids, RAISE, raise",
        "distributedid.snowflake.worker, single-use, single_use",
        "distributedid.snowflake.worker, ' SINGLE_USE ', single_use",
        "distributedid.snowflake.worker, single-used, single-used",
        "distributedid.block.max-age, OFF, off",
        "distributedid.block.max-age, false, off",
        "distributedid.snowflake.worker, statefulset:my-Photos, statefulset:my-Photos",
        "distributedid.snowflake.layout, data-centre-business, data_centre_business",
        "distributedid.snowflake.lease.server, APPLICATION, application",
        "distributedid.create-tables, false, false",
        "distributedid.ticket.table, Replace, Replace",
        "distributedid.backend, com.example.My-Backend, com.example.My-Backend",
    })
    void aWordMayBeSpeltAsSpringsAreAndOtherValuesStay(String property, String written, String value) {
        assertThat(read(source("file", Map.of(property, written))).values()).containsExactly(value);
    }

    /** Whoever starts applications may run commands too. */
    @Test
    void thePasswordOfCommandsIsNotWarnedOf() {
        try (LoggedWarnings warnings = LoggedWarnings.of(EnvironmentSettings.class)) {
            read(variables(Map.of("DISTRIBUTEDID_DATABASE_PASSWORD", "x")));
            assertThat(warnings.messages()).isEmpty();
            read(variables(Map.of("DISTRIBUTEDID_NO_SUCH", "x")));
            assertThat(warnings.messages()).hasSize(1);
        }
    }

    /** What YAML makes of {@code max-age: off}. */
    @Test
    void offIsAWordInYaml() {
        assertThat(read(source("file", Map.of("distributedid.block.max-age", false))))
                .containsExactly(Map.entry("distributedid.block.max_age", "off"));
    }

    /** A cluster sets variables after the names of its services. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DISTRIBUTEDID_SERVICE_HOST",
                "DISTRIBUTEDID_PORT",
                "DISTRIBUTEDID",
                "DISTRIBUTEDID_SEQ_PHOTOS_NO_SUCH",
                "DISTRIBUTEDID_SEQ__TIMEOUT",
                "DISTRIBUTEDID_SEQ_TIMEOUT",
                "DISTRIBUTEDID_OTHER_TICKET_SERVERS"
            })
    void variablesThatAreNoSettingsAreLeftOut(String variable) {
        assertThat(read(variables(Map.of(variable, "80")))).isEmpty();
    }

    @Test
    void whatIsNotOursIsLeftAlone() {
        assertThat(read(source("file", Map.of("spring.application.name", "x", "distributedids.backend", "y"))))
                .isEmpty();
    }

    @Test
    void theFirstSourceWinsWhateverTheSpelling() {
        assertThat(read(
                        variables(Map.of("DISTRIBUTEDID_MAX_DISTANCE", "2000000")),
                        source("file", Map.of("distributedid.max-distance", "3000000"))))
                .containsExactly(Map.entry("distributedid.max_distance", "2000000"));
    }

    @Test
    void aListIsTakenFromOneSourceInItsOrder() {
        Map<String, Object> twelve = new LinkedHashMap<>();
        for (int i = 11; i >= 0; i--) {
            twelve.put("distributedid.ticket.servers[" + i + "]", "t" + i);
        }
        assertThat(read(source("first", twelve), source("second", Map.of("distributedid.ticket.servers", "other"))))
                .containsExactly(Map.entry(
                        "distributedid.ticket.servers",
                        List.of("t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9", "t10", "t11")));
        assertThat(read(variables(
                        Map.of("DISTRIBUTEDID_TICKET_SERVERS_1", "b", "DISTRIBUTEDID_TICKET_SERVERS_0", "a"))))
                .containsExactly(Map.entry("distributedid.ticket.servers", List.of("a", "b")));
    }

    @Test
    void objectsStayWhatTheyAre() {
        DataSource server = new JdbcDataSource();
        assertThat(read(source("map", Map.of("distributedid.ticket.servers", server, "distributedid.block.max", 7))))
                .containsEntry("distributedid.ticket.servers", server)
                .containsEntry("distributedid.block.max", 7);
    }

    @Test
    void placeholdersAreReplaced() {
        assertThat(read(source("file", Map.of("distributedid.ticket.user", "${who}-${none:1}", "who", "tickets"))))
                .containsEntry("distributedid.ticket.user", "tickets-1");
    }

    @Test
    void aPlaceholderThatStandsForNothingIsRefusedWithoutTheValue() {
        assertThatThrownBy(() -> read(source("file", Map.of("distributedid.ticket.password", "secret-${none}"))))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A placeholder in a setting must have a value: distributedid.ticket.password, allowed:"
                        + " ${name} of an existing property, or ${name:default}")
                .hasNoCause();
    }

    @Test
    void twoSpellingsInOneSourceMustNotDiffer() {
        assertThatThrownBy(() -> read(
                        source("file", Map.of("distributedid.max-distance", "1", "distributedid.max_distance", "2"))))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting must have one value: distributedid.max_distance is written in two spellings with"
                        + " different values");
    }

    private static MapPropertySource source(String name, Map<String, Object> properties) {
        return new MapPropertySource(name, properties);
    }

    private static MapPropertySource variables(Map<String, Object> variables) {
        return new SystemEnvironmentPropertySource("variables", variables);
    }

    private static Map<String, Object> read(MapPropertySource... sources) {
        StandardEnvironment environment = new StandardEnvironment() {};
        environment
                .getPropertySources()
                .forEach(each -> environment.getPropertySources().remove(each.getName()));
        for (MapPropertySource each : sources) {
            environment.getPropertySources().addLast(each);
        }
        return EnvironmentSettings.of(environment);
    }
}
