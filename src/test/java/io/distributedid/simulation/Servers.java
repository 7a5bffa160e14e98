package io.distributedid.simulation;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Parts of a run: what happens to servers, without a loss. */
final class Servers {

    /** No counter is raised so far. */
    private static final long FAR = 1_000_000_000;

    private Servers() {}

    /** What a server does for a while. */
    enum Trouble {
        STOPS((server, begins) -> {
            if (begins) {
                server.stop();
            } else {
                server.start();
            }
        }),
        HANGS(MemoryServer::hang),
        IS_READ_ONLY(MemoryServer::readOnly);

        private final BiConsumer<MemoryServer, Boolean> change;

        Trouble(BiConsumer<MemoryServer, Boolean> change) {
            this.change = change;
        }
    }

    /** A server does not do what it should for a while. */
    record Has(int at, int server, Trouble trouble, int millis) implements Part {

        @Override
        public void play(Scene scene) {
            if (scene.mayHarm()) {
                MemoryServer found = scene.server(server);
                scene.world().log(() -> found + " " + trouble);
                trouble.change.accept(found, true);
                Part.pause(scene, millis);
                scene.world().log(() -> found + " " + trouble + " no more");
                trouble.change.accept(found, false);
            }
        }

        @Override
        public String toString() {
            return "server " + server + " " + trouble + " for " + millis + " ms";
        }
    }

    /** Something between clients and a server, or a node beside it, answers reads from what was stored before. */
    record ReadsStale(int at, int server, int commits, int millis) implements Part {

        @Override
        public void play(Scene scene) {
            if (scene.mayHarm()) {
                scene.judge().allow(Rule.ALONE_AND_BACK, Rule.EMPTY_SERVER, Rule.OPERATOR_AT_WORK);
                scene.evidence().staleReads();
                MemoryServer found = scene.server(server);
                scene.world().log(() -> found + " answers reads with what it stored up to " + commits + " commits ago");
                found.readStale(commits);
                Part.pause(scene, millis);
                scene.world().log(() -> found + " answers reads with what it stores");
                found.readStale(0);
            }
        }

        @Override
        public String toString() {
            return "server " + server + " answers reads with what it stored up to " + commits + " commits ago, for "
                    + millis + " ms";
        }
    }

    /** A replica takes a server's place. It lacks the last commits. */
    record FailsOver(int at, int server, int lag) implements Part {

        @Override
        public void play(Scene scene) {
            MemoryServer found = scene.server(server);
            if (!scene.mayHarm() || !scene.isInOrder()) {
                return;
            }
            String failover = scene.setup().failover();
            LedgerContent replica = found.copy(failover.equals("lossless") ? 0 : lag);
            if (scene.evidence().mayTakeOver(found, replica)) {
                scene.evidence().lost(found);
                if (failover.equals("refuse")) {
                    scene.judge().allow(Rule.REPLACED);
                }
                scene.world().log(() -> found + " fails over to " + replica.rows() + ", before " + found.content());
                found.failOver(replica);
            }
        }

        @Override
        public String toString() {
            return "a replica that lacks the last " + lag + " commits takes the place of server " + server;
        }
    }

    /** Somebody sets a counter forward by hand. */
    record IsSetForward(int at, int server, long by) implements Part {

        @Override
        public void play(Scene scene) {
            if (!scene.mayHarm() || !scene.isInOrder()) {
                return;
            }
            scene.judge().allow(Rule.FAR_AHEAD);
            MemoryServer found = scene.server(server);
            Map<String, Long> before = found.content().rows();
            for (MemoryKey key : scene.setup().keys()) {
                Long row = found.content().row(key.key());
                if (row != null && row > 0) {
                    long increment = scene.increment();
                    found.change(found.content().withRow(key.key(), row + by / increment * increment));
                    scene.world()
                            .log(() -> found + " is set forward: "
                                    + found.content().rows());
                }
            }
            if (by >= FAR) {
                Part.pause(scene, 3_000);
                scene.evidence().lost(found);
                before.forEach((key, row) -> {
                    // It may have been raised meanwhile, but not so far: to an id of this server.
                    long known = found.content().trace(key).number();
                    long number = known - Math.floorMod(known - scene.offset(found), scene.increment());
                    found.change(found.content().withRow(key, number < row + FAR ? Math.max(row, number) : row));
                });
                scene.world()
                        .log(() -> found + " is set right: " + found.content().rows());
            }
        }

        @Override
        public String toString() {
            return "the counters of server " + server + " are set forward by " + by;
        }
    }

    /** A program with SQL of its own, as Flickr's, draws ids without the ledger. */
    record IsDrawnFrom(int at, int server, int times) implements Part {

        @Override
        public void play(Scene scene) {
            for (int i = 0; i < times; i++) {
                scene.world().step(100_000);
                MemoryServer found = scene.server(server);
                List<MemoryKey> keys = scene.setup().keys();
                MemoryKey key = keys.get(scene.world().random(keys.size()));
                Long row = found.content().row(key.key());
                if (!found.isWell() || row == null || row < 0) {
                    continue;
                }
                long began = scene.world().now();
                long id = row + scene.increment();
                if (id > scene.setup().columnEnd(key.sequence())
                        || id > scene.setup().typeEnd(key.sequence())) {
                    continue;
                }
                found.change(found.content().withRow(key.key(), id));
                scene.world().log(() -> "draws " + id + " of " + key + " from " + found + " with SQL of its own");
                scene.judge()
                        .given(
                                Side.FIRST,
                                key.sequence(),
                                id,
                                1,
                                1,
                                scene.increment(),
                                new Judge.Call("plain client", began, began));
            }
        }

        @Override
        public String toString() {
            return "a program with SQL of its own draws " + times + " ids from server " + server;
        }
    }
}
