package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Block;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that uses {@link FakeServer}s as {@link Counter} does: it draws, looks, changes and hands back, one small
 * step at a time, so that others come in between. It goes on drawing while it looks, as a second thread would.
 */
final class FakeClient {

    /** More looks in a row than {@link CounterAlignment} takes. */
    static final int LOOKS = 30;

    private record Row() implements CounterKey {
        @Override
        public String table() {
            return "sequence";
        }

        @Override
        public boolean isAloneInItsTable() {
            return false;
        }

        @Override
        public String rowName() {
            return "photos";
        }
    }

    private record Trusted(int epoch, long generation) {}

    private record Held(Block rest, int place) {}

    private final List<FakeServer> servers;

    private final Random random;

    private final DriftLimit distance;

    private final LongConsumer given;

    private final CounterHistory history;

    private final Map<Integer, Trusted> trusted = new HashMap<>();

    private final Deque<Held> held = new ArrayDeque<>();

    private CounterMinimum minimum = CounterMinimum.NONE;

    /** Those still to be asked; empty if no look is under way. */
    private final Deque<Integer> toAsk = new ArrayDeque<>();

    private final List<Seen> answers = new ArrayList<>();

    private final Deque<Change> toMake = new ArrayDeque<>();

    private boolean looking;

    private int looks;

    private int draws;

    /** Set by tests: servers that are up but left out for a moment. */
    boolean leavesOut;

    /** Gets each id above which all blocks begin from now on, whoever draws them. */
    LongConsumer promised = id -> {};

    /** Gets the first id of each block that is drawn. */
    LongConsumer drawn = id -> {};

    /** What the last plan refused, for messages. */
    String refused = "";

    /** Why counters were raised. */
    final List<String> raises = new ArrayList<>();

    FakeClient(List<FakeServer> servers, Random random, DriftLimit distance, LongConsumer given) {
        this.servers = servers;
        this.random = random;
        this.distance = distance;
        this.given = given;
        this.history = new CounterHistory(servers.size(), distance);
    }

    /** Asks for ids that lie above one that exists. */
    void raiseAbove(long id) {
        minimum = minimum.raisedAbove(id);
        trusted.clear();
    }

    void step() {
        if (looking && random.nextInt(3) > 0) {
            goOnLooking();
            return;
        }
        switch (random.nextInt(8)) {
            case 0 -> giveBack();
            case 1, 2 -> use();
            default -> draw(random.nextInt(servers.size()));
        }
    }

    private void use() {
        Held first = held.pollFirst();
        if (first != null) {
            given.accept(first.rest.first());
            if (first.rest.count() > 1) {
                held.addFirst(new Held(
                        new Block(first.rest.first() + first.rest.step(), first.rest.step(), first.rest.count() - 1),
                        first.place));
            }
        }
    }

    /** Hands back the block that was drawn last: its ids are not used, whatever comes of it. */
    void giveBack() {
        Held last = held.pollLast();
        if (last == null || !servers.get(last.place).up || !history.mayHandBack(last.place, last.rest)) {
            return;
        }
        long generation = history.generationHere(last.place);
        if (servers.get(last.place).giveBack(last.rest, generation)) {
            history.handedBack(last.place, last.rest.first() - last.rest.step(), generation + 1);
        }
    }

    /** Returns whether ids were drawn; else a look begins. */
    boolean draw(int place) {
        FakeServer server = servers.get(place);
        Trusted known = trusted.get(place);
        if (!server.up) {
            return false;
        }
        if (known == null || known.epoch != server.epoch) {
            lookFor(place);
            return false;
        }
        Map<Long, Witness> note = new HashMap<>();
        if (draws++ % 4 == 0) {
            servers.forEach(other ->
                    history.witness(other.place).ifPresent(witness -> note.put(other.numbering.offset(), witness)));
        }
        Block block = server.draw(
                        1 + random.nextInt(10), history.lastKnown(place, known.generation), known.generation, note)
                .orElse(null);
        if (block == null || !history.isGood(place, block, known.generation)) {
            trusted.remove(place);
            lookFor(place);
            return false;
        }
        drawn.accept(block.first());
        held.addLast(new Held(block, place));
        if (held.size() > 3) {
            use();
        }
        return true;
    }

    private void lookFor(int needed) {
        if (!looking) {
            looking = true;
            looks = 0;
            beginLook(needed);
        }
    }

    private void beginLook(int needed) {
        answers.clear();
        for (FakeServer server : servers) {
            if (server.place == needed || !leavesOut || random.nextInt(10) > 0) {
                toAsk.addLast(server.place);
            }
        }
        if (++looks > LOOKS) {
            throw new AssertionError("The servers changed again and again while they were looked at");
        }
    }

    private @Nullable Seen ask(int place) {
        FakeServer server = servers.get(place);
        if (!server.up) {
            return null;
        }
        Seen seen = server.look();
        history.judge(seen);
        return seen;
    }

    void goOnLooking() {
        if (!toAsk.isEmpty()) {
            Seen seen = ask(toAsk.removeFirst());
            if (seen != null) {
                answers.add(seen);
            }
        } else if (!toMake.isEmpty()) {
            if (!make(toMake.removeFirst())) {
                toMake.clear();
            }
            if (toMake.isEmpty()) {
                beginLook(-1);
            }
        } else {
            plan();
        }
    }

    private boolean make(Change change) {
        FakeServer server = servers.get(change.seen().place());
        boolean made = server.make(change);
        if (made && change.kind() == Change.Kind.RAISE) {
            history.raised(server.place, true);
            raises.add(change.reason());
        }
        return made;
    }

    private void plan() {
        for (Seen each : List.copyOf(answers)) {
            if (Plan.isDoubtful(each, answers)) {
                answers.remove(each);
                Seen later = ask(each.place());
                if (later != null) {
                    answers.add(each.seenAgain(later));
                }
            }
        }
        looking = false;
        if (answers.isEmpty()) {
            return;
        }
        Plan plan;
        try {
            plan = Plan.of(
                    new Row(),
                    servers.stream().map(server -> "s" + server.place).toList(),
                    answers,
                    history,
                    distance,
                    minimum);
        } catch (IdConfigurationException | IdUnavailableException e) {
            refused = String.valueOf(e.getMessage());
            return;
        }
        plan.refusals().values().forEach(refusal -> refused = String.valueOf(refusal.getMessage()));
        if (plan.changes().isEmpty()) {
            trust(plan);
            return;
        }
        toMake.addAll(plan.changes());
        looking = true;
    }

    private void trust(Plan plan) {
        if (answers.size() == servers.size() && plan.refusals().isEmpty()) {
            promised.accept(minimum.raiseAbove());
        }
        for (Seen each : answers) {
            if (!plan.refusals().containsKey(each.place())) {
                history.accept(each.place(), each.lastOrZero(), each.generation());
                trusted.put(each.place(), new Trusted((Integer) each.session(), each.generation()));
            }
        }
    }

    boolean isLooking() {
        return looking;
    }
}
