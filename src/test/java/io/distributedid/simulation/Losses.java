package io.distributedid.simulation;

import java.util.Map;

/** Parts of a run: servers that lose ids, as far as somebody notices; see {@link Unnoticed}. */
final class Losses {

    /** How a server loses counters. */
    enum Kind {
        /** A snapshot or a backup of all tables. */
        RESTORED {
            @Override
            Stored after(Stored now, Stored copy, String key) {
                return copy;
            }
        },
        /** A dump of the tables of counters. */
        ROWS_RESTORED {
            @Override
            Stored after(Stored now, Stored copy, String key) {
                return now.withRows(copy.rows());
            }
        },
        ROW_SET_BACK {
            @Override
            Stored after(Stored now, Stored copy, String key) {
                Long before = copy.row(key);
                return before == null ? now : now.withRow(key, before);
            }
        },
        ROW_DELETED {
            @Override
            Stored after(Stored now, Stored copy, String key) {
                return now.withoutRow(key);
            }
        },
        TABLE_TRUNCATED {
            @Override
            Stored after(Stored now, Stored copy, String key) {
                return now.withRows(Map.of());
            }
        },
        /** The row, and all that the record says of the counter. */
        COUNTER_DELETED {
            @Override
            Stored after(Stored now, Stored copy, String key) {
                return now.without(key);
            }
        };

        abstract Stored after(Stored now, Stored copy, String key);
    }

    private static final int ATTEMPTS = 20;

    private Losses() {}

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

    /** Somebody sets the counters of a server back to the last id that was given. */
    record IsSetBackToLastGiven(int at, int server) implements Part {

        @Override
        public void play(Scene scene) {
            MemoryServer found = scene.server(server);
            scene.judge().allow(Rule.ALONE_AND_BACK);
            scene.evidence().lost(found);
            for (MemoryKey key : scene.setup().keys()) {
                long last = scene.judge().highest(scene.age(), key.sequence());
                found.change(found.content().withRow(key.key(), last));
            }
            scene.world().log(() -> found + " is set back: " + found.content().rows());
        }

        @Override
        public String toString() {
            return "the counters of server " + server + " are set back to the last ids that were given";
        }
    }

    /**
     * A server loses ids. If clients do not mend that, the operator does.
     *
     * @param commits how old the copy is
     * @param isRestart whether connections break, too
     */
    record Loses(int at, int server, Kind kind, int commits, boolean isRestart) implements Part {

        @Override
        public void play(Scene scene) {
            MemoryServer found = scene.server(server);
            if (!scene.mayHarm() || !scene.isInOrder() || found.locker() != null) {
                return;
            }
            Stored before = found.stored();
            String key = scene.setup()
                    .keys()
                    .get(scene.world().random(scene.setup().keys().size()))
                    .key();
            Stored after = kind.after(before, (Stored) found.copy(commits), key);
            Unnoticed.By who = Unnoticed.who(scene, found, after, isRestart);
            scene.world().log(() -> found + " " + kind + ": " + after + ", before " + before + ", noticed by " + who);
            boolean mayBeCovered =
                    who == Unnoticed.By.PROCESSES && scene.network().hasLate();
            if (who == Unnoticed.By.NOBODY
                    || mayBeCovered
                    || Open.isNeverForgiven(scene, before, after)
                    || Open.isChangedMeanwhile(scene)) {
                return;
            }
            scene.judge().allowForNow(Rule.ALONE_AND_BACK, Rule.EMPTY_SERVER, Rule.OPERATOR_AT_WORK);
            if (after.claims().isEmpty() && scene.setup().servers() == 1) {
                // The repair makes another token, which the operator adopts.
                scene.judge().allow(Rule.OTHER_SPACE, Rule.OTHER_PLACE);
            }
            boolean isKnownToProcesses = who == Unnoticed.By.PROCESSES;
            scene.beginLoss(isKnownToProcesses);
            if (isRestart) {
                found.breakConnections();
            }
            found.change(after);
            boolean isHealed = scene.world().await(() -> isHealed(found, before), 2_000_000_000L, false);
            if (!isHealed) {
                repair(scene);
                if (after.claims().isEmpty() && scene.setup().servers() == 1) {
                    scene.places().forget();
                }
            }
            scene.endLoss(isKnownToProcesses);
        }

        private static boolean isHealed(MemoryServer server, Stored before) {
            return server.locker() == null
                    && before.claims().keySet().equals(server.stored().claims().keySet())
                    && before.records().keySet().stream()
                            .allMatch(key -> server.stored().generation(key) >= before.generation(key))
                    && before.rows().entrySet().stream().allMatch(each -> {
                        Long row = server.stored().row(each.getKey());
                        return row != null && row > each.getValue();
                    });
        }

        private static void repair(Scene scene) {
            for (String name : scene.setup().names()) {
                if (!Operators.repair(scene, name, Open.namedByOperator(scene, name), ATTEMPTS)) {
                    throw new Judge.Verdict("The operator could not repair " + name);
                }
            }
        }

        @Override
        public String toString() {
            return "server " + server + " loses ids: " + kind + ", " + commits + " commits ago"
                    + (isRestart ? ", with a restart" : "");
        }
    }
}
