package io.distributedid.backend.remote;

import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.service.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an issuing service says of a sequence.
 *
 * @param step see {@link io.distributedid.spi.Maintenance#step}
 * @param maxDistance see {@link io.distributedid.spi.Maintenance#maxDistance}
 * @param token of the id space; empty if there is none
 * @param idSpace see {@link io.distributedid.spi.Maintenance#idSpace}
 * @param counters the last id of each server behind the service; empty if ids hold the time
 * @param layout empty if ids hold no time, or this version does not know such a layout
 * @param maxBlock how many ids one request may reserve
 * @param maxIds how many ids one request may take; at most {@value #MAX_IDS}, so that the answer is not too long
 */
record Description(
        Kind kind,
        long step,
        long maxDistance,
        Optional<String> token,
        String idSpace,
        Map<String, Long> counters,
        Optional<IdLayout> layout,
        long maxBlock,
        long maxIds) {

    private static final long MAX_BLOCK = 1_000_000;

    private static final long MAX_IDS = 10_000;

    /** Where the ids of a sequence come from. */
    enum Kind {
        /** From counters. */
        BLOCKS,
        /** Each server composes ids with a worker number of its own. */
        COMPOSED,
        /** One server is active, and ids ascend over all callers. */
        STRICT;

        /** As the service writes it. */
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws IllegalArgumentException if the answer breaks the rules */
    static Description of(Json answer, String sequence) {
        requireSequence(answer, sequence);
        Description read = new Description(
                kind(answer.text("kind")),
                answer.findId("step").orElse(1L),
                answer.findId("maxDistance").orElse(Long.MAX_VALUE),
                answer.find("token"),
                idSpace(answer, sequence),
                answer.findObject("counters").map(Json::allIds).orElse(Map.of()),
                answer.find("layout").flatMap(layout -> layout(layout, answer.text("epoch"))),
                answer.findCount("maxBlock").orElse(MAX_BLOCK),
                Math.min(MAX_IDS, answer.findCount("maxIds").orElse(MAX_IDS)));
        if (read.step < 1 || read.maxDistance < 0 || read.maxBlock < 1 || read.maxIds < 1) {
            throw new IllegalArgumentException(
                    "step, maxBlock and maxIds must be positive, and maxDistance not negative");
        }
        return read;
    }

    /** Throws if an answer is that for another sequence. */
    static void requireSequence(Json answer, String sequence) {
        String said = answer.text("sequence");
        if (!said.equals(sequence)) {
            throw new IllegalArgumentException("sequence must be " + sequence + ": " + said);
        }
    }

    /** A service of an earlier version does not say it. */
    private static String idSpace(Json answer, String sequence) {
        String space = answer.find("idSpace").orElse(sequence);
        if (!space.equals(sequence) && !space.startsWith(sequence + "/")) {
            throw new IllegalArgumentException("idSpace must be " + sequence + " or begin with " + sequence + "/");
        }
        return space;
    }

    /** In one line. */
    String text() {
        return "kind=" + kind.text() + " step=" + step
                + token.map(each -> " token=" + each).orElse(" without token")
                + layout.map(each -> " layout=" + each).orElse("")
                + (counters.isEmpty() ? "" : " counters=" + new TreeMap<>(counters));
    }

    private static Kind kind(String text) {
        for (Kind kind : Kind.values()) {
            if (kind.name().equalsIgnoreCase(text)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("kind must be blocks, composed or strict: " + text);
    }

    private static Optional<IdLayout> layout(String fields, String epoch) {
        try {
            return Optional.of(LayoutParser.parse(fields, Instant.parse(epoch)));
        } catch (IllegalArgumentException | DateTimeException e) {
            // A newer service may know other fields. It decodes its ids itself.
            return Optional.empty();
        }
    }
}
