package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.List;

/** What may happen in a run with counters on a ledger, beside {@link Plots}. */
final class LedgerPlots {

    private LedgerPlots() {}

    static void write(Draft draft) {
        switch (draft.random(19)) {
            case 0, 1 -> Plots.firstUse(draft);
            case 2, 3 -> Plots.losses(draft);
            case 4 -> Plots.lossesOfTheOnlyServer(draft);
            case 5 -> Plots.failovers(draft);
            case 6 -> raises(draft);
            case 7 -> Plots.strict(draft);
            case 8 -> Plots.manySequences(draft);
            case 9 -> Plots.astray(draft);
            case 10 -> Plots.farApart(draft);
            case 11 -> Plots.staleReads(draft);
            case 12 -> Plots.closes(draft);
            case 13 -> neighbours(draft);
            case 14 -> listsThatShare(draft);
            case 15 -> laterCounter(draft);
            case 16 -> setBackMeanwhile(draft);
            case 17 -> commandsToOtherPlaces(draft);
            default -> commands(draft);
        }
        if (draft.once(2)) {
            draft.aside();
        }
    }

    /** Counters are raised, also while a server loses ids. */
    private static void raises(Draft draft) {
        draft.servers = 1 + draft.random(3);
        Plots.raises(draft);
        if (draft.once(2)) {
            int at = 50 + draft.random(150);
            draft.add(new Processes.Raises(at, 0, draft.random(draft.once(2) ? 20 : 200)));
            draft.loss(at + draft.random(6));
        }
    }

    /** A row of one counter breaks; the others give ids. */
    private static void neighbours(Draft draft) {
        draft.servers = 1 + draft.random(2);
        draft.sequences = 2 + draft.random(2);
        draft.hasTrouble = false;
        for (int i = 0; i < 2; i++) {
            int unused = draft.process(draft.random(50), draft.list(), 2, 100, 1, 1, false);
        }
        draft.loss(100 + draft.random(200));
    }

    /** Two lists of one length have one server in common. */
    private static void listsThatShare(Draft draft) {
        draft.servers = 2;
        draft.spares = 1;
        if (draft.once(3)) {
            strangers(draft);
            return;
        }
        for (int i = 0; i < 3; i++) {
            List<Integer> list = i == 0 ? List.of(0, 2) : draft.once(4) ? List.of(2, 1) : draft.list();
            int unused =
                    draft.process(draft.random(draft.once(2) ? 3 : 400), list, 1, 10 + draft.random(30), 1, 1, false);
        }
        if (draft.once(2)) {
            draft.trouble(draft.random(300));
        }
        if (draft.once(2)) {
            draft.loss(700 + draft.random(300));
            int unused = draft.process(800 + draft.random(600), List.of(0, 2), 1, 20, 1, 1, false);
        }
    }

    /** A server loses a counter, and the next process lists it with a new one instead of the one that knows. */
    private static void strangers(Draft draft) {
        draft.hasTrouble = false;
        int unused = draft.process(0, draft.list(), 1, 1 + draft.random(20), 1, 1, true);
        LedgerLosses.How how = draft.once(3) ? LedgerLosses.How.RESTORED : LedgerLosses.How.ALL_OF_IT_DELETED;
        draft.add(new LedgerLosses.Loses(6_000, 0, how, 1 + draft.random(30), draft.once(2)));
        unused = draft.process(6_100 + draft.random(300), List.of(0, 2), 1, 20, 1, 1, false);
        unused = draft.process(7_000 + draft.random(3_000), draft.list(), 1, 20, 1, 1, false);
    }

    /** A counter is created when the table is in use already, while a server is away, and perhaps loses another one. */
    private static void laterCounter(Draft draft) {
        draft.servers = 2 + draft.random(2);
        draft.sequences = 2;
        draft.opensFewer = true;
        int unused = draft.process(0, draft.list(), 1, 60, 1, 1, draft.once(2));
        draft.opensFewer = false;
        int at = 50 + draft.random(100);
        if (draft.once(2)) {
            draft.add(new Servers.Has(at, draft.random(draft.servers), Servers.Trouble.STOPS, 1 + draft.random(1_500)));
        }
        for (int i = 0; i < 2; i++) {
            unused = draft.process(at + draft.random(40), draft.list(), 1, 20 + draft.random(40), 1, 1, false);
        }
        if (draft.once(2)) {
            draft.loss(at + draft.random(2_000));
        }
    }

    /** A lone server's counter is set back while no process runs. */
    private static void setBackMeanwhile(Draft draft) {
        if (draft.once(2)) {
            lostMeanwhile(draft);
            return;
        }
        if (draft.once(4)) {
            restored(draft);
            return;
        }
        draft.servers = 1 + draft.random(2);
        int unused = draft.process(0, draft.list(), 1, 20 + draft.random(40), 1, 1, true);
        draft.add(new LedgerLosses.IsSetBackUnseen(3_000 + draft.random(1_000), draft.random(2), 1 + draft.random(60)));
        unused = draft.process(4_000 + draft.random(1_000), draft.list(), 1, 40, 1, 1, false);
    }

    /** The operator of a restored server names the largest id in use. A process holds reserved ids above it. */
    static void restored(Draft draft) {
        draft.isTickets = false;
        draft.hasTrouble = false;
        draft.servers = 1;
        draft.blockMin = 64;
        draft.blockMax = 64;
        int unused = draft.process(0, draft.list(), 1, 50 + draft.random(100), 1, 1, false);
        draft.add(new LedgerLosses.LosesTheLastCommit(50 + draft.random(200), 0, 5));
    }

    /** A server that gave ids while the other one was away loses its counters while no process runs. */
    private static void lostMeanwhile(Draft draft) {
        draft.servers = 2;
        draft.hasTrouble = false;
        int away = draft.random(2);
        int unused = draft.process(0, draft.list(), 1, 20 + draft.random(40), 1, 1, true);
        draft.add(new Servers.Has(1 + draft.random(30), away, Servers.Trouble.STOPS, 4_000));
        LedgerLosses.How how = draft.once(2) ? LedgerLosses.How.ALL_OF_IT_DELETED : LedgerLosses.How.RESTORED;
        draft.add(new LedgerLosses.Loses(8_000, 1 - away, how, 1 + draft.random(50), draft.once(2)));
        unused = draft.process(8_100 + draft.random(300), draft.list(), 1, 40, 1, 1, false);
    }

    private static void commandsToOtherPlaces(Draft draft) {
        switch (draft.random(4)) {
            case 0 -> ends(draft);
            case 1 -> merges(draft);
            default -> moves(draft);
        }
    }

    /** The table ends while processes take ids; the command is cut off, or another one runs at once. */
    static void ends(Draft draft) {
        draft.servers = 1 + draft.random(2);
        draft.sequences = draft.once(4) ? 2 : 1;
        for (int i = 0; i < 2; i++) {
            int unused = draft.process(draft.random(100), draft.list(), 1, 20 + draft.random(60), 1, 1, false);
        }
        int at = 100 + draft.random(300);
        boolean isLate = draft.once(4);
        if (isLate) {
            draft.loss(at);
        }
        draft.add(new LedgerOperators.Ends(isLate ? at + 100 : at, draft.once(2) ? 1 + draft.random(12) : 0));
        if (!isLate && draft.once(3)) {
            draft.add(new LedgerOperators.Ends(at + draft.random(8), draft.once(2) ? 1 + draft.random(8) : 0));
        } else if (!isLate && draft.once(2)) {
            draft.add(
                    new LedgerOperators.Repairs(at + draft.random(8), false, draft.once(2) ? 1 + draft.random(8) : 0));
        }
    }

    /** The counters of two shards are merged while processes of both take ids; the command is cut off. */
    static void merges(Draft draft) {
        draft.servers = 1 + draft.random(2);
        draft.spares = 2;
        draft.sequences = !draft.isTickets && draft.once(4) ? 2 : 1;
        List<Integer> other = List.of(draft.servers);
        for (int i = 0; i < 2; i++) {
            int unused = draft.process(draft.random(100), draft.list(), 1, 20 + draft.random(40), 1, 1, false);
            draft.process(draft.random(100), other, 20 + draft.random(100), Side.OTHER);
        }
        List<Integer> longer = new ArrayList<>(draft.list());
        longer.add(draft.servers + 1);
        List<Integer> to = draft.once(3) ? longer : draft.once(2) ? List.of(draft.servers + 1) : draft.list();
        int at = 100 + draft.random(300);
        draft.add(new LedgerOperators.Merges(at, other, to, 9, draft.once(2) ? 1 + draft.random(20) : 0));
        draft.process(at + draft.random(400), to, 20, Side.OTHER_MERGED);
        if (draft.once(4)) {
            // The other shard is forgotten.
            draft.add(new LedgerOperators.Moves(at + draft.random(20), draft.list(), to, 11, 0));
        } else if (draft.once(3)) {
            draft.add(
                    new LedgerOperators.Repairs(at + draft.random(8), false, draft.once(2) ? 1 + draft.random(8) : 0));
        }
    }

    /** A merge is cut off, and repeated without the other shard, whose processes may have learned of it. */
    static void forgotten(Draft draft) {
        draft.isTickets = false;
        draft.hasTrouble = false;
        draft.servers = 1;
        draft.spares = 2;
        List<Integer> other = List.of(1);
        List<Integer> to = List.of(2);
        int unused = draft.process(0, draft.list(), 1, 5, 1, 1, false);
        draft.process(0, other, 30, Side.OTHER);
        int at = 300;
        draft.add(new LedgerOperators.Merges(at, other, to, 9, 18 + draft.random(10)));
        draft.add(new LedgerOperators.Moves(at + 40, draft.list(), to, 11, 0));
        draft.process(at + 200, to, 20, Side.OTHER_MERGED);
    }

    /** The table is moved while processes take ids; the command is cut off, or another one runs at once. */
    private static void moves(Draft draft) {
        draft.servers = 1 + draft.random(2);
        draft.spares = 1;
        draft.sequences = draft.once(4) ? 2 : 1;
        for (int i = 0; i < 2; i++) {
            int unused = draft.process(draft.random(100), draft.list(), 1, 20 + draft.random(40), 1, 1, false);
        }
        List<Integer> longer = new ArrayList<>(draft.list());
        longer.add(draft.servers);
        List<Integer> to =
                draft.once(3) ? longer : draft.once(2) ? List.of(draft.servers) : longer.subList(1, longer.size());
        int at = 100 + draft.random(300);
        draft.add(new LedgerOperators.Moves(at, draft.list(), to, 5, draft.once(2) ? 1 + draft.random(12) : 0));
        if (draft.once(3)) {
            draft.add(
                    new LedgerOperators.Repairs(at + draft.random(8), false, draft.once(2) ? 1 + draft.random(8) : 0));
        }
    }

    /** Commands run while processes take ids, two at once, and are cut off. */
    private static void commands(Draft draft) {
        for (int i = 0; i < 2; i++) {
            int unused = draft.process(draft.random(200));
        }
        int begin = draft.random(300);
        for (int i = 0; i < 1 + draft.random(2); i++) {
            draft.add(new LedgerOperators.Repairs(
                    begin + draft.random(4), draft.once(2), draft.once(3) ? 1 + draft.random(8) : 0));
        }
        if (draft.once(3)) {
            draft.loss(600 + draft.random(300));
        }
    }
}
