package io.distributedid.simulation;

import io.distributedid.internal.counting.CounterRow;
import io.distributedid.internal.counting.Header;
import io.distributedid.internal.counting.Numbering;
import io.distributedid.internal.ledger.Version;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Parts of a run: commands of operators. */
final class LedgerOperators {

    private static final long MARGIN = 2_000_000;

    private LedgerOperators() {}

    /** What a repair of a table does, on all its servers at once. */
    static boolean repair(Scene scene, String sequence, long above) {
        MemoryKey first = scene.setup().key(sequence);
        String token = scene.remembered(sequence);
        List<MemoryServer> servers = scene.listed();
        if (token.isEmpty() || !servers.stream().allMatch(MemoryServer::isWell)) {
            return token.isEmpty();
        }
        List<String> members = servers.stream().map(MemoryServer::identity).toList();
        // Newer than any that processes know.
        long era = 1 + scene.world().now() / 1_000;
        String random = scene.world().token();
        for (MemoryKey key : scene.setup().keys()) {
            if (key.table().equals(first.table())
                    && (above > 0 || servers.stream().anyMatch(each -> content(each).hasRow(key)))) {
                long known = Math.max(above, scene.highestDrawn(key.sequence())) + MARGIN;
                servers.forEach(each -> repair(scene, each, key, new Header(
                        new Version(era * 1_000_000, random),
                        Header.State.OPEN,
                        token,
                        new Numbering(scene.increment(), scene.offset(each)),
                        members,
                        era,
                        "",
                        "",
                        ""), known));
            }
        }
        scene.world().log(() -> "repaired " + first.table() + ": " + servers.stream().map(MemoryServer::content).toList());
        return true;
    }

    private static LedgerContent content(MemoryServer server) {
        return (LedgerContent) server.content();
    }

    private static void repair(Scene scene, MemoryServer server, MemoryKey key, Header header, long known) {
        Map<Long, Long> notes = new HashMap<>();
        scene.listed().stream()
                .filter(each -> each != server)
                .forEach(each -> notes.put(scene.offset(each), known));
        CounterRow row = new CounterRow(
                new Version(header.version().count() * 1_000, header.version().random()),
                false,
                header.numbering().atLeast(known),
                server.identity(),
                header.era(),
                "");
        server.change(content(server).withHeader(key.table(), header).withNew(key.key(), row, notes));
    }

    /**
     * An operator repairs the table.
     *
     * @param namesIds whether the operator names the largest id in use
     */
    record Repairs(int at, boolean namesIds, int cutAfter) implements Part {

        @Override
        public void play(Scene scene) {
            if (scene.mayHarm() && scene.isInOrder()) {
                String name = scene.setup().names().get(0);
                boolean unused = repair(scene, name, namesIds ? scene.judge().highest(scene.age(), name) : 0);
            }
        }

        @Override
        public String toString() {
            return "an operator runs repair" + (namesIds ? " with the largest id in use" : "")
                    + (cutAfter > 0 ? ", which is killed after " + cutAfter + " ms" : "");
        }
    }
}
