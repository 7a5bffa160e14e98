package io.distributedid.backend.remote;

import io.distributedid.DistributedIds;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.internal.service.ServiceSettings;
import io.distributedid.testkit.IssuingServer;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Clients of the servers of a test, with blocks of ten. */
final class RemoteClients {

    private RemoteClients() {}

    /** What the servers of a test have in common: ids of one H2 database. */
    static DistributedIds behind(String database) {
        return DistributedIds.builder()
                .settings(IssuingServer.settings("jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1"))
                .tokensComparedByCaller()
                .build();
    }

    static String servers(IssuingServer... servers) {
        return Arrays.stream(servers).map(IssuingServer::url).collect(Collectors.joining(", "));
    }

    static Map<String, Object> settings(String servers, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", "remote");
        settings.put("distributedid.remote.servers", servers);
        settings.put("distributedid.timeout", "10s");
        settings.put("distributedid.block.min", 10);
        settings.put("distributedid.block.max", 10);
        settings.put("distributedid.block.timeout", "1m");
        for (int i = 0; i < more.length; i += 2) {
            settings.put("distributedid." + more[i], more[i + 1]);
        }
        return settings;
    }

    static DistributedIds client(String servers, Object... more) {
        return DistributedIds.builder()
                .settings(settings(servers, more))
                .tokensComparedByCaller()
                .build();
    }

    /** The servers without a backend. */
    static ServicePool pool(IssuingServer... servers) {
        List<URI> addresses =
                Arrays.stream(servers).map(each -> URI.create(each.url())).toList();
        return new ServicePool(
                RemoteBackendProvider.SERVICE,
                new ServiceSettings.Service(addresses, Optional.empty(), Optional.empty(), Duration.ofSeconds(30)),
                "test",
                Platform.JVM);
    }
}
