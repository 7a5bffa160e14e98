package io.distributedid.simulation;

/** What may happen in a run. Each plot is about one part of counters.md. {@link LedgerPlots} chooses one. */
final class Plots {

    private static final long MILLION = 1_000_000;

    private Plots() {}

    /** Processes begin at about the same time, also with another list, while servers may be away. */
    static void firstUse(Draft draft) {
        draft.servers = 2 + draft.random(2);
        int within = draft.once(2) ? 3 : 400;
        for (int i = 0; i < 2 + draft.random(2); i++) {
            int unused = draft.process(
                    draft.random(within),
                    draft.once(2) ? draft.list() : draft.otherList(),
                    1,
                    10 + draft.random(30),
                    1,
                    1,
                    false);
        }
        for (int i = 0; i < draft.random(3); i++) {
            draft.add(new Servers.Has(
                    draft.once(2) ? 0 : draft.random(300),
                    draft.random(draft.servers),
                    Servers.Trouble.STOPS,
                    1 + draft.random(600)));
        }
    }

    /** One of several servers goes back, perhaps another one later. */
    static void losses(Draft draft) {
        draft.servers = 2 + draft.random(2);
        draft.sequences = draft.once(4) ? 2 : 1;
        for (int i = 0; i < 2; i++) {
            int unused = draft.process(
                    draft.random(100), draft.list(), 1 + draft.random(2), 20 + draft.random(80), 1, 1, false);
        }
        if (draft.once(2)) {
            // Under a new generation.
            draft.add(new Processes.Raises(50 + draft.random(200), 0, draft.random(100)));
        }
        if (draft.once(3)) {
            int unused = draft.process(draft.random(100), draft.list(), 1, 3 + draft.random(20), 1, 1, true);
        }
        draft.loss(100 + draft.random(400));
        if (draft.once(2)) {
            draft.loss(500 + draft.random(5_000));
        }
        if (draft.once(2)) {
            int unused = draft.process(draft.random(6_000));
        }
    }

    static void lossesOfTheOnlyServer(Draft draft) {
        draft.servers = 1;
        for (int i = 0; i < 2; i++) {
            int unused = draft.process(
                    draft.random(i == 0 ? 20 : 250),
                    draft.list(),
                    1 + draft.random(2),
                    20 + draft.random(80),
                    1,
                    1,
                    false);
        }
        if (draft.once(2)) {
            draft.add(new Servers.Has(50 + draft.random(100), 0, Servers.Trouble.STOPS, 1 + draft.random(50)));
        }
        draft.loss(50 + draft.random(300));
        if (draft.once(3)) {
            draft.loss(2_000 + draft.random(2_000));
        }
    }

    static void failovers(Draft draft) {
        if (draft.once(3)) {
            emptiedAfterAFailover(draft);
            return;
        }
        draft.failover = draft.once(4) ? "refuse" : draft.once(4) ? "lossless" : "raise";
        for (int i = 0; i < 2; i++) {
            int unused = draft.process(draft.random(200));
        }
        for (int i = 0; i < 1 + draft.random(3); i++) {
            draft.add(new Servers.FailsOver(
                    50 + draft.random(600), draft.random(draft.servers), draft.random(draft.once(2) ? 5 : 40)));
        }
        int unused = draft.process(300 + draft.random(600));
    }

    /** A replica takes a server's place, and gives ids. Later it loses all. */
    private static void emptiedAfterAFailover(Draft draft) {
        draft.servers = 2 + draft.random(2);
        draft.hasTrouble = false;
        draft.failover = draft.once(4) ? "lossless" : "raise";
        draft.sequences = 1 + draft.random(2);
        int server = draft.random(draft.servers);
        int unused = draft.process(0, draft.list(), 1, 20 + draft.random(40), 1, 1, true);
        draft.add(new Servers.FailsOver(6_000, server, draft.random(5)));
        unused = draft.process(6_100 + draft.random(300), draft.list(), 1, 20 + draft.random(40), 1, 1, draft.once(2));
        draft.add(new LedgerLosses.Loses(12_000, server, LedgerLosses.How.EMPTIED, 1, draft.once(2)));
        unused = draft.process(12_100 + draft.random(300), draft.list(), 1, 20, 1, 1, false);
    }

    /** Counters are raised while others hold smaller ids. */
    static void raises(Draft draft) {
        draft.sequences = draft.once(3) ? 2 : 1;
        int first = draft.process(0);
        int second = draft.process(
                draft.random(30), draft.list(), 1, 5 + draft.random(30), 1, 1 + draft.random(2), draft.once(2));
        for (int i = 0; i < 1 + draft.random(3); i++) {
            draft.add(new Processes.Raises(
                    10 + draft.random(200), draft.once(3) ? second : first, draft.random(draft.once(2) ? 20 : 200)));
        }
        if (draft.once(2)) {
            int unused = draft.process(draft.random(200), draft.list(), 1, 3 + draft.random(20), 1, 1, true);
        }
    }

    static void strict(Draft draft) {
        draft.servers = draft.once(3) ? 2 : 1;
        draft.blockMin = 1;
        draft.blockMax = 1;
        for (int i = 0; i < 2 + draft.random(2); i++) {
            int unused = draft.process(
                    draft.random(10), draft.list(), 1 + draft.random(3), 5 + draft.random(15), 1, 1, draft.once(4));
        }
    }

    /** Sequences that share a batch, one of which may be at its end. */
    static void manySequences(Draft draft) {
        draft.sequences = draft.once(6) ? 1 : 2 + draft.random(2);
        draft.isShared = draft.isTickets && draft.once(2);
        draft.isFull = !draft.isShared && draft.once(2);
        draft.isNarrow = draft.once(2);
        for (int i = 0; i < 2; i++) {
            int unused = draft.process(
                    draft.random(100), draft.list(), 1 + draft.random(3), 20 + draft.random(60), 1, 1, false);
        }
    }

    static void astray(Draft draft) {
        int first = draft.process(0);
        int second = draft.process(draft.random(50));
        draft.add(new Processes.GoesAstray(
                30 + draft.random(200),
                draft.once(2) ? first : second,
                draft.random(draft.servers),
                draft.once(3),
                draft.random(300),
                10 + draft.random(2_000)));
        if (draft.once(2)) {
            int unused = draft.process(draft.random(500));
        }
    }

    /** Counters grow so fast that servers come far apart while one is away. */
    static void farApart(Draft draft) {
        draft.servers = 2;
        // Sixteen blocks of each server are less than max_distance, as the defaults are.
        draft.blockMin = MILLION / 40;
        draft.blockMax = MILLION / 40;
        draft.hasTrouble &= draft.once(2);
        if (draft.once(4)) {
            // Blocks larger than max_distance: behind=refuse applies, but nothing lies too far ahead.
            draft.blockMin = 10 * MILLION;
            draft.blockMax = 10 * MILLION;
        }
        int unused = draft.process(0, draft.list(), 1, 110, draft.blockMax, 1, draft.once(2));
        draft.add(new Servers.Has(
                draft.once(3) ? 0 : 10 + draft.random(60),
                draft.random(2),
                Servers.Trouble.STOPS,
                100 + draft.random(4_000)));
        unused = draft.process(draft.random(3_000), draft.list(), 1, 10, draft.blockMax / 2, 1, false);
        if (draft.once(4)) {
            draft.add(new Servers.IsSetForward(
                    50 + draft.random(3_000), draft.random(2), (draft.once(2) ? 5 : 3_000) * MILLION));
        }
    }

    static void staleReads(Draft draft) {
        draft.servers = 1 + draft.random(3);
        for (int i = 0; i < 3; i++) {
            int unused = draft.process(draft.random(300));
        }
        draft.add(new Servers.ReadsStale(
                draft.random(200), draft.random(draft.servers), 1 + draft.random(20), 10 + draft.random(1_000)));
    }

    /** Processes come and go. Others have SQL of their own. */
    static void closes(Draft draft) {
        draft.hasTrouble |= draft.once(2);
        draft.blockMin = 1 + draft.random(3);
        draft.blockMax = 4;
        for (int i = 0; i < 2 + draft.random(2); i++) {
            int unused = draft.process(
                    draft.random(100),
                    draft.list(),
                    1 + draft.random(2),
                    3 + draft.random(20),
                    1,
                    1 + draft.random(3),
                    true);
        }
        if (draft.once(3) && draft.servers == 1 && !draft.isTickets) {
            draft.add(new Servers.IsDrawnFrom(draft.random(100), 0, 1 + draft.random(20)));
        }
    }
}
