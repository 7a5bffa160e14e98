package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Settings;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What callers know of a sequence: its kind, the distance between ids, and counters or layout. Asks its servers. */
final class SequenceDescription {

    private static final String SNOWFLAKE = "snowflake";

    private final Settings settings;

    private final InstantSource clock;

    private final int maxIds;

    private final int maxBlock;

    /**
     * @param settings of the ids
     * @param maxIds the most ids of one request
     * @param maxBlock the most ids of one block
     */
    SequenceDescription(Map<String, ?> settings, InstantSource clock, int maxIds, int maxBlock) {
        this.settings = Settings.of(settings);
        this.clock = clock;
        this.maxIds = maxIds;
        this.maxBlock = maxBlock;
    }

    JsonObject of(ServedSequence sequence) throws SQLException {
        sequence.open();
        String name = sequence.name();
        DistributedIds ids = sequence.ids();
        Optional<IdTime> time = time(ids, name);
        JsonObject answer = new JsonObject()
                .put("sequence", name)
                .put("kind", kind(sequence, time))
                .put("maxIds", maxIds);
        if (!sequence.isStrict()) {
            answer.put("maxBlock", maxBlock);
        }
        // This is how a reader of existing ids learns both. It finds none, so nothing is compared.
        ids.requireAbove(name, (step, distance) -> {
            answer.put("step", Long.toString(step)).put("maxDistance", Long.toString(distance));
            return List.of();
        });
        ids.token(name).ifPresent(token -> answer.put("token", token).put("idSpace", ids.idSpace(name)));
        if (time.isPresent()) {
            layout(name).ifPresent(layout -> answer.put("layout", layout));
            answer.put("epoch", time.get().epoch().toString());
        } else {
            JsonObject counters = new JsonObject();
            ids.counters(name).lastIds().forEach((server, last) -> counters.put(server, last.toString()));
            answer.put("counters", counters);
        }
        return answer;
    }

    private static String kind(ServedSequence sequence, Optional<IdTime> time) {
        if (sequence.isStrict()) {
            return "strict";
        }
        return time.isPresent() ? "composed" : "blocks";
    }

    private static Optional<IdTime> time(DistributedIds ids, String name) {
        try {
            return Optional.of(ids.time(name));
        } catch (IdConfigurationException e) {
            return Optional.empty();
        }
    }

    /** Without the epoch, which has a member of its own. Empty for other backends. */
    private Optional<String> layout(String name) {
        Settings own = settings.forSequence(name);
        if (!own.find(CoreSettings.BACKEND).equals(Optional.of(SNOWFLAKE))) {
            return Optional.empty();
        }
        IdLayout layout = LayoutParser.of(own, clock.instant());
        return Optional.of(layout.text().replaceFirst(" from .*", ""));
    }
}
