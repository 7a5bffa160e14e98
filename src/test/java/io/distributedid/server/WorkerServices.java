package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.backend.snowflake.lease.Lease;
import io.distributedid.backend.snowflake.lease.LeaseProtocol;
import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.backend.snowflake.lease.LeaseTerms;
import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Servers of worker numbers, and nodes that have no database. */
final class WorkerServices {

    private WorkerServices() {}

    /** Has its store in an H2 database of this JVM. */
    static RunningServer server(String database, Object... more) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("server.workers", "true");
        settings.put("snowflake.lease.server", "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1");
        settings.put("create_tables", "true");
        settings.put("timeout", "30s");
        add(settings, "", more);
        return RunningServer.with(settings);
    }

    /** A client's store, patient unless the settings say otherwise. */
    static WorkerStore store(String urls, Object... more) {
        return LeaseSettings.store(Settings.of(settings(urls, more)), Optional.empty());
    }

    static Map<String, Object> settings(String urls, Object... more) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", "lease");
        settings.put("distributedid.snowflake.lease.store", "service");
        settings.put("distributedid.snowflake.lease.service", urls);
        settings.put("distributedid.timeout", "30s");
        settings.put("distributedid.block.timeout", "2m");
        add(settings, "distributedid.", more);
        return settings;
    }

    private static void add(Map<String, Object> settings, String prefix, Object... more) {
        for (int i = 0; i < more.length; i += 2) {
            settings.put(prefix + more[i], more[i + 1]);
        }
    }

    static DistributedIds node(String urls, Object... more) {
        return DistributedIds.builder()
                .settings(settings(urls, more))
                .tokensComparedByCaller()
                .build();
    }

    /** The number of a node, by a new id. */
    static long worker(DistributedIds node) {
        return node.decode("photos", node.next("photos")).field("worker");
    }

    /** Leases a number once, and closes the store if that fails. */
    static Lease lease(WorkerStore store, Duration window) {
        LeaseProtocol protocol = new LeaseProtocol(window.toMillis(), 0, 1_023, false);
        LeaseTerms terms = new LeaseTerms(protocol, window.dividedBy(4), Duration.ZERO, Duration.ofSeconds(30), false);
        return Lease.open(store, terms, InstantSource.system(), new CountDownLatch(1));
    }
}
