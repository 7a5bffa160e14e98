package io.distributedid.simulation;

import java.util.List;
import java.util.Map;

/** Parts of a run: servers that lose ids, as far as somebody notices; see {@link Evidence}. */
final class LedgerLosses {

    /** What a repair that names an id adds to it: twice the distance. */
    private static final long MARGIN = 2_000_000;

    private static final long PATIENCE = 2_000_000_000L;

    private LedgerLosses() {}

    /** How a server loses counters. */
    enum How {
        /** A snapshot or a backup of all tables, or a crash without the last commits. */
        RESTORED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return copy;
            }
        },
        /** A dump of the table of counters. */
        COUNTERS_RESTORED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return now.withRows(copy.rows());
            }
        },
        COUNTER_SET_BACK {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                Long before = copy.row(key.key());
                return before == null ? now : now.withRow(key.key(), before);
            }
        },
        COUNTER_DELETED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return now.withoutRow(key.key());
            }
        },
        TABLE_TRUNCATED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return now.withRows(Map.of());
            }
        },
        ROW_DELETED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return now.withoutLedgerRow(key.key());
            }
        },
        /** The counter, its row and its notes. */
        ALL_OF_IT_DELETED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return now.without(key.key());
            }
        },
        HEADER_DELETED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return now.withHeader(key.table(), null);
            }
        },
        LEDGER_RESTORED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return copy.withRows(now.rows());
            }
        },
        LEDGER_TRUNCATED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return LedgerContent.EMPTY.withRows(now.rows());
            }
        },
        EMPTIED {
            @Override
            LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key) {
                return LedgerContent.EMPTY;
            }
        };

        abstract LedgerContent after(LedgerContent now, LedgerContent copy, MemoryKey key);

        boolean isOfOneCounter() {
            return this == COUNTER_SET_BACK || this == COUNTER_DELETED || this == ROW_DELETED;
        }
    }

    /** Somebody sets the counters of a server back by hand, whoever may notice. */
    record IsSetBackUnseen(int at, int server, long by) implements Part {

        @Override
        public void play(Scene scene) {
            MemoryServer found = scene.server(server);
            scene.judge().allow(Rule.ALONE_AND_BACK);
            scene.evidence().lost(found);
            long less = by / scene.increment() * scene.increment();
            for (MemoryKey key : scene.setup().keys()) {
                Long row = found.content().row(key.key());
                if (row != null && row >= less) {
                    found.change(found.content().withRow(key.key(), row - less));
                }
            }
            scene.world().log(() -> found + " is set back: " + found.content().rows());
        }

        @Override
        public String toString() {
            return "the counters of server " + server + " are set back by " + by;
        }
    }

    /**
     * A server is restored from a copy without its last commit, in which all agrees. The operator repairs it with the
     * largest id in use before another process starts.
     *
     * @param number of that process
     */
    record LosesTheLastCommit(int at, int server, int number) implements Part {

        @Override
        public void play(Scene scene) {
            MemoryServer found = scene.server(server);
            String name = scene.setup().names().get(0);
            if (scene.judge().highest(name) == 0) {
                return;
            }
            scene.judge().allow(Rule.ALONE_AND_BACK, Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND);
            scene.evidence().lost(found);
            found.change(found.copy(1));
            scene.world().log(() -> found + " is restored: " + found.content().rows());
            if (!LedgerOperators.repair(scene, name, scene.judge().highest(name), 20)) {
                throw new Judge.Verdict("The operator could not repair " + name);
            }
            new Processes.Takes(at, number, List.of(server), 1, 10, 1, 1, false, 1, false).start(scene, Side.FIRST);
        }

        @Override
        public String toString() {
            return "server " + server + " is restored without its last commit, and repaired with the largest id in use;"
                    + " then process " + number + " takes ids";
        }
    }

    /**
     * A server loses ids. If clients do not mend that, the operator does.
     *
     * @param commits how old the copy is
     * @param isRestart whether connections break, too
     */
    record Loses(int at, int server, How how, int commits, boolean isRestart) implements Part {

        @Override
        public void play(Scene scene) {
            MemoryServer found = scene.server(server);
            if (!scene.mayHarm() || !scene.isInOrder() || scene.evidence().isAnyOpen()) {
                return;
            }
            List<MemoryKey> keys = scene.setup().keys();
            MemoryKey key = keys.get(scene.world().random(keys.size()));
            boolean isOneTable = keys.stream()
                    .allMatch(each -> scene.listed().stream()
                                    .map(other -> other.content().token(each))
                                    .distinct()
                                    .count()
                            == 1);
            if (!isOneTable || !scene.evidence().isAccepted(found)) {
                // Some servers were first used with another list, or no process has looked at a replica yet.
                return;
            }
            LedgerContent before = found.content();
            if (keys.stream()
                    .noneMatch(each -> before.hasRow(each) || scene.places().isRemembered(each.sequence()))) {
                // No id was given: processes with another list may be the first ones.
                return;
            }
            LedgerContent after = how.after(before, found.copy(commits), key);
            Evidence.By who = scene.evidence().who(found, after, isRestart);
            scene.world().log(() -> found + " " + how + ": " + after + "\nbefore: " + before + "\nnoticed by " + who);
            if (who == Evidence.By.NOBODY
                    || (who == Evidence.By.PROCESSES && scene.network().hasLate())) {
                return;
            }
            boolean isAlone = keys.stream()
                    .anyMatch(each -> scene.listed().stream()
                            .allMatch(
                                    other -> other == found || !other.content().hasRow(each)));
            boolean isLeftBehind = keys.stream()
                    .anyMatch(
                            each -> after.era(each) < before.era(each) || (before.isOpen(each) && !after.isOpen(each)));
            Rule[] allowed = isAlone || isLeftBehind
                    ? new Rule[] {
                        Rule.ALONE_AND_BACK,
                        Rule.EMPTY_SERVER,
                        Rule.OTHER_LIST,
                        Rule.LEFT_BEHIND,
                        Rule.OTHER_SPACE,
                        Rule.OTHER_PLACE
                    }
                    // A process may miss the answers of the others.
                    : new Rule[] {Rule.ALONE_AND_BACK};
            scene.judge().begin(allowed);
            boolean isHeld = who == Evidence.By.PROCESSES;
            scene.beginLoss(isHeld);
            scene.network().mayLoseAnswersOf(found);
            scene.evidence().lost(found);
            if (isRestart) {
                found.breakConnections();
            }
            found.change(after);
            if (how.isOfOneCounter()) {
                leavesNeighboursAlone(scene, key);
            }
            // Alone, a process that knows what was lost is refused until a repair.
            boolean isMended =
                    scene.world().await(() -> !isAlone && isMended(scene, found, before, after), PATIENCE, false);
            if (!isMended && (isAlone || isLeftBehind || isHeld)) {
                if (isAlone && keys.stream().anyMatch(each -> after.token(each).isEmpty())) {
                    // The repair makes another token: processes that know the old one must be started again.
                    scene.judge().allow(Rule.OTHER_SPACE);
                }
                scene.judge().begin(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND);
                repair(scene, found, before);
                scene.judge().end(Rule.OPERATOR_AT_WORK, Rule.LEFT_BEHIND);
            } else if (!isMended) {
                // Nobody has looked yet; who does may miss the answers of the others.
                scene.judge().allowForNow(Rule.ALONE_AND_BACK);
                scene.evidence().isOpenUntil(() -> isMended(scene, found, before, after));
            }
            scene.endLoss(isHeld);
            scene.judge().end(allowed);
        }

        /** What clients have begun in an emptied table goes first: it is another place. */
        private static void repair(Scene scene, MemoryServer server, LedgerContent before) {
            for (String name : scene.setup().names()) {
                MemoryKey key = scene.setup().key(name);
                LedgerContent now = server.content();
                if (!now.token(key).equals(scene.places().token(name))
                        && scene.places().isRemembered(name)) {
                    server.change(now.withHeader(key.table(), null));
                }
                long given = scene.judge().highest(name);
                long drawn = before.rows().getOrDefault(key.key(), 0L);
                // An excuse: "raises with an operator's above that is wrong". An earlier loss has raised the counter,
                // and so far only reserved ids lie above that.
                long above = Math.max(1, drawn - given < MARGIN ? given : drawn);
                if (!LedgerOperators.repair(scene, name, above, 20)) {
                    throw new Judge.Verdict("The operator could not repair " + name);
                }
            }
        }

        private static boolean isMended(Scene scene, MemoryServer server, LedgerContent before, LedgerContent after) {
            LedgerContent now = server.content();
            return scene.setup().keys().stream()
                    .allMatch(key -> now.token(key).equals(before.token(key))
                            && now.isOpen(key) == before.isOpen(key)
                            && now.hasRow(key) == before.hasRow(key)
                            && (!before.hasRow(key)
                                    || (now.rows().getOrDefault(key.key(), -1L)
                                                    >= before.rows().getOrDefault(key.key(), -1L)
                                            && !now.version(key).equals(after.version(key)))));
        }

        /** The other counters go on, as if nothing had happened. */
        private static void leavesNeighboursAlone(Scene scene, MemoryKey key) {
            for (Application each : List.copyOf(scene.applications())) {
                if (each.host().pausedUntil() > scene.world().now()) {
                    continue;
                }
                for (String name : scene.setup().names()) {
                    if (!scene.setup().key(name).equals(key) && scene.setup().troubleOneIn() == 0) {
                        long paused = each.host().pausedFor();
                        World.Task unused = scene.world().start(each.host(), "neighbour", () -> {
                            for (int i = 0; i < 6 && each.host().pausedFor() == paused; i++) {
                                each.mustTake(each + " neighbour", name, true);
                                Part.pause(scene, 100);
                            }
                        });
                    }
                }
            }
        }

        @Override
        public String toString() {
            return "server " + server + " loses ids: " + how + ", " + commits + " commits ago"
                    + (isRestart ? ", with a restart" : "");
        }
    }
}
