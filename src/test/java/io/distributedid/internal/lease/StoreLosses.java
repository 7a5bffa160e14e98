package io.distributedid.internal.lease;

import io.distributedid.internal.lease.StoreState.Actor;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Row.State;
import io.distributedid.testkit.Explorer.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the store at the first address loses, and the one place that says what may be granted twice then.
 *
 * <p>Everybody notices an empty store, and a row that is gone. Nothing is excused there. The excuses:
 *
 * <ol>
 *   <li><b>A row, the header or all is set back</b>: only a process that has seen more notices, at its next look. Until
 *       it has told, what the older copy lacks may be granted again. So may what a process that has got it then renews.
 *       If no process has seen more, that is so for ever: a free row that is set back while nobody holds it, or all is
 *       set back while nobody runs.
 *   <li><b>The address leads to an older copy for a while</b>: the same, of all that is granted there. What was granted
 *       there before somebody has told is renewed there, and the place that the address leads back to knows nothing of
 *       that, or of a command.
 *   <li><b>The address leads to a foreign store for a while</b>: a process that has seen no other store takes it for
 *       its own. Only the application's database knows better.
 *   <li><b>A store that was moved is set back</b>: it does not happen here. Only the application's database knows. If
 *       it was set back before, and somebody tells when the target is open, that is too late.
 * </ol>
 */
record StoreLosses(StoreScenario scenario) {

    enum Loss {
        EMPTIED(false),
        HEADER_GONE(false),
        ROW_GONE(false),
        ROW_BACK(true),
        HEADER_BACK(true),
        ALL_BACK(true),
        /** On another server, for good. */
        ALL_BACK_ELSEWHERE(true),
        /** On another server, and nothing is lost yet. */
        FAILOVER(false),
        EMPTY_FOR_A_WHILE(false),
        FOREIGN_FOR_A_WHILE(false),
        COPY_FOR_A_WHILE(true);

        private final boolean isOfCopy;

        Loss(boolean isOfCopy) {
            this.isOfCopy = isOfCopy;
        }

        boolean isOfCopy() {
            return isOfCopy;
        }
    }

    void next(List<Step<StoreState>> steps, StoreState state) {
        if (state.away != null) {
            StoreState after = back(state);
            steps.add(new Step<>(() -> "The address leads back", after, null));
            return;
        }
        if (state.copy != null && state.faults > 0 && !state.copy.equals(state.stores.get(0)) && isWhole(state)) {
            StoreState after = state.copy();
            after.copy = state.stores.get(0);
            steps.add(new Step<>(() -> "A copy is taken", after, null));
        }
        for (Loss loss : scenario.losses()) {
            for (int number = 0; number < scenario.numbers() && state.faults > 0; number++) {
                boolean isOfRow = loss == Loss.ROW_GONE || loss == Loss.ROW_BACK;
                StoreState after = number == 0 || isOfRow ? after(state, loss, number) : null;
                if (after != null) {
                    steps.add(new Step<>(() -> "Loss: " + loss, after, null));
                }
            }
        }
    }

    private boolean isWhole(StoreState state) {
        return state.stores.get(0).size() > scenario.numbers();
    }

    StoreState back(StoreState state) {
        StoreState after = state.copy();
        if (state.away != null) {
            after.stores.set(0, state.away);
            after.servers.set(0, "1");
            after.away = null;
        }
        return after;
    }

    private @Nullable StoreState after(StoreState state, Loss loss, int number) {
        Map<String, Row> now = state.stores.get(0);
        StoreHeader header = state.header(0);
        if (loss.isOfCopy && header != null && header.state() == State.MOVED) {
            return null;
        }
        StoreState after = state.copy();
        after.faults--;
        String row = StoreHeader.worker(number);
        Map<String, Row> then = new HashMap<>(now);
        Map<String, Row> copy = state.copy == null ? Map.of() : state.copy;
        switch (loss) {
            case EMPTIED, EMPTY_FOR_A_WHILE -> then.clear();
            case HEADER_GONE -> then.remove(StoreHeader.NAME);
            case ROW_GONE -> then.remove(row);
            case ROW_BACK -> then.put(row, copy.get(row));
            case HEADER_BACK -> then.put(StoreHeader.NAME, copy.get(StoreHeader.NAME));
            case FOREIGN_FOR_A_WHILE -> then = new HashMap<>(scenario.store(StoreScenario.FOREIGN));
            case FAILOVER -> after.servers.set(0, "3");
            default -> then = new HashMap<>(copy);
        }
        boolean isForAWhile =
                loss == Loss.EMPTY_FOR_A_WHILE || loss == Loss.FOREIGN_FOR_A_WHILE || loss == Loss.COPY_FOR_A_WHILE;
        if (then.equals(now) && loss != Loss.FAILOVER && loss != Loss.COPY_FOR_A_WHILE) {
            return null;
        }
        after.away = isForAWhile ? now : null;
        if (loss == Loss.ALL_BACK_ELSEWHERE || isForAWhile) {
            after.servers.set(0, "3");
        }
        after.stores.set(0, Map.copyOf(then));
        if (loss.isOfCopy) {
            after.isUntold = true;
            IntStream.range(0, scenario.numbers())
                    .filter(each -> loss != Loss.ROW_BACK || each == number)
                    .forEach(each -> untold(after, each));
        }
        return after;
    }

    private static void untold(StoreState after, int number) {
        int[] ticks = after.changeOwners(number);
        for (int tick = 0; tick < ticks.length; tick++) {
            boolean isOwned = ticks[tick] != StoreState.FREE && ticks[tick] < StoreState.EXCUSED;
            ticks[tick] += isOwned ? StoreState.UNTOLD : 0;
        }
    }

    /** Whoever noticed a loss has told of it. */
    void told(StoreState after) {
        after.isUntold = false;
        for (int number = 0; number < scenario.numbers(); number++) {
            int[] ticks = after.changeOwners(number);
            for (int tick = 0; tick < ticks.length; tick++) {
                ticks[tick] %= StoreState.UNTOLD;
            }
        }
    }

    /**
     * Whether what is granted to a process now may be granted twice.
     *
     * @param before who owns the tick before, if a right is renewed
     */
    boolean isExcused(StoreState state, Actor actor, int before) {
        if (state.away == null || actor.place != 0) {
            return false;
        }
        StoreHeader header = state.header(0);
        return header != null
                && (header.token().equals(StoreScenario.FOREIGN) || state.isUntold || before == StoreState.EXCUSED);
    }
}
