package benchmarks.persist;

import benchmarks.Chart.Side;
import java.util.Map;
import java.util.function.Supplier;

/** The ways to get ids. */
enum Contender {
    ASSIGNED("assigned by the application", Rows.Assigned.class, Rows.Assigned::new),
    ATOMIC("AtomicLong in a generator", Rows.FromMemory.class, Rows.FromMemory::new),
    CLOCK("AtomicLong and the clock", Rows.WithClock.class, Rows.WithClock::new),
    SEQUENCE_TABLE("sequence_table, own database", Rows.Ours.class, Rows.Ours::new) {
        @Override
        Map<String, Object> settings(Database database) {
            return Map.of("distributedid.backend", "sequence_table");
        }
    },
    TICKET("ticket, two servers", Rows.Ours.class, Rows.Ours::new) {
        @Override
        Map<String, Object> settings(Database database) {
            return database.ticketSettings();
        }
    },
    SNOWFLAKE("snowflake", Rows.Ours.class, Rows.Ours::new) {
        @Override
        Map<String, Object> settings(Database database) {
            return Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", 7);
        }
    },
    /** In group {@code service} only. */
    REMOTE("remote, an issuing service", Rows.Ours.class, Rows.Ours::new) {
        @Override
        Map<String, Object> settings(Database database) {
            return database.remoteSettings();
        }
    },
    IDENTITY("IDENTITY", Rows.Identity.class, Rows.Identity::new),
    SEQUENCE50("SEQUENCE, allocation 50", Rows.Sequence50.class, Rows.Sequence50::new),
    TABLE50("TABLE, pooled-lo 50", Rows.Table50.class, Rows.Table50::new),
    UUID7("UUIDv7 (Hibernate)", Rows.UuidV7.class, Rows.UuidV7::new),
    TSID("@Tsid (hypersistence-utils)", Rows.TsidRow.class, Rows.TsidRow::new);

    final String label;

    final Class<? extends Rows.Row> entity;

    final Supplier<Rows.Row> constructor;

    <R extends Rows.Row> Contender(String label, Class<R> entity, Supplier<R> constructor) {
        this.label = label;
        this.entity = entity;
        this.constructor = constructor::get;
    }

    Side side() {
        return entity == Rows.Ours.class ? Side.OURS : Side.OTHER;
    }

    /** Settings of the library. */
    Map<String, Object> settings(Database database) {
        return Map.of();
    }
}
