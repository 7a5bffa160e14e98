package io.distributedid.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.process.Combiner.Share;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Callers for one thing share requests: one at a time, and in the order of their arrival. */
class CombinerTest {

    private static final String KEY = "7";

    private static final class TooMany extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    /** A request that was sent, and its end: the items of an answer are numbers from a first one. */
    private record Sent(String what, int count, CompletableFuture<List<Integer>> end) {

        void answer(int first) {
            answer(first, count);
        }

        void answer(int first, int size) {
            end.complete(IntStream.range(first, first + size).boxed().toList());
        }
    }

    private final Queue<Sent> requests = new ArrayDeque<>();

    private final Combiner<String, List<Integer>> combiner =
            new Combiner<>(this::send, () -> 100, List::size, TooMany.class::isInstance);

    private CompletableFuture<List<Integer>> send(String what, int count) {
        if (what.equals("broken")) {
            throw new IllegalStateException("no request can be sent");
        }
        Sent sent = new Sent(what, count, new CompletableFuture<>());
        requests.add(sent);
        if (what.equals("at once")) {
            sent.answer(requests.size());
        }
        return sent.end;
    }

    private CompletableFuture<Share<List<Integer>>> add(int count) {
        return combiner.add(KEY, count);
    }

    private List<CompletableFuture<Share<List<Integer>>>> add(Integer... counts) {
        return Stream.of(counts).map(this::add).toList();
    }

    private Sent sent(int count) {
        assertThat(requests).as("one request at a time").hasSize(1);
        Sent next = requests.remove();
        assertThat(next.count).isEqualTo(count);
        return next;
    }

    private static List<Integer> items(CompletableFuture<Share<List<Integer>>> share, int count) {
        Share<List<Integer>> got = share.getNow(null);
        return got.answer().subList(got.offset(), got.offset() + count);
    }

    @Test
    void callersThatComeDuringARequestShareTheNextOneInTheOrderOfTheirArrival() {
        CompletableFuture<Share<List<Integer>>> first = add(1);
        Sent alone = sent(1);
        List<CompletableFuture<Share<List<Integer>>>> others = add(2, 1, 3);
        assertThat(requests).isEmpty();

        alone.answer(10);
        assertThat(items(first, 1)).containsExactly(10);
        assertThat(others).noneMatch(CompletableFuture::isDone);
        sent(6).answer(20);

        assertThat(items(others.get(0), 2)).containsExactly(20, 21);
        assertThat(items(others.get(1), 1)).containsExactly(22);
        assertThat(items(others.get(2), 3)).containsExactly(23, 24, 25);
        assertThat(requests).isEmpty();
        add(1);
        sent(1);
    }

    @Test
    void eachThingHasRequestsOfItsOwn() {
        add(1);
        combiner.add("8", 2);

        assertThat(requests).extracting(Sent::what).containsExactly(KEY, "8");
    }

    @Test
    void aRequestAsksForNoMoreThanIsAllowedUnlessOneCallerDoes() {
        add(1);
        Sent alone = sent(1);
        List<CompletableFuture<Share<List<Integer>>>> others = add(90, 10, 1, 200);
        alone.answer(1);

        sent(100).answer(2);
        sent(1).answer(102);
        sent(200).answer(103);
        assertThat(others).allMatch(CompletableFuture::isDone);
        assertThat(items(others.get(1), 10)).startsWith(92);
    }

    @Test
    void callersForWhomAnAnswerHasTooFewItemsAreTheFirstOfTheNextRequest() {
        add(1);
        Sent alone = sent(1);
        List<CompletableFuture<Share<List<Integer>>>> others = add(1, 1, 1);
        alone.answer(1);
        Sent shared = sent(3);
        CompletableFuture<Share<List<Integer>>> last = add(1);

        shared.answer(2, 2);

        assertThat(items(others.get(1), 1)).containsExactly(3);
        sent(2).answer(10);
        assertThat(items(others.get(2), 1)).containsExactly(10);
        assertThat(items(last, 1)).containsExactly(11);
    }

    @Test
    void aFailureIsThatOfAllCallersOfTheRequestAndOfNoOthers() {
        List<CompletableFuture<Share<List<Integer>>>> early = add(1, 1, 1);
        sent(1).answer(1);
        Sent shared = sent(2);
        CompletableFuture<Share<List<Integer>>> late = add(1);

        shared.end.completeExceptionally(new IllegalArgumentException("down"));

        early.subList(1, 3)
                .forEach(each -> assertThatThrownBy(each::join)
                        .hasCauseInstanceOf(IllegalArgumentException.class)
                        .hasRootCauseMessage("down"));
        sent(1).answer(2);
        assertThat(items(late, 1)).containsExactly(2);
    }

    @Test
    void whatCanNotBeSentFailsItsCallers() {
        assertThatThrownBy(() -> combiner.add("broken", 1).join()).hasRootCauseMessage("no request can be sent");
        assertThatThrownBy(() -> combiner.add("broken", 1).join()).hasRootCauseMessage("no request can be sent");
    }

    @Test
    void nearTheEndEachHasARequestOfItsOwn() {
        add(1);
        Sent alone = sent(1);
        List<CompletableFuture<Share<List<Integer>>>> both = add(1, 50);
        alone.answer(1);
        Sent shared = sent(51);
        CompletableFuture<Share<List<Integer>>> late = add(1);

        shared.end.completeExceptionally(new TooMany());
        sent(1).answer(2);
        sent(50).end.completeExceptionally(new TooMany());
        sent(1).answer(3);

        assertThat(items(both.get(0), 1)).containsExactly(2);
        assertThatThrownBy(() -> both.get(1).join()).hasCauseInstanceOf(TooMany.class);
        assertThat(items(late, 1)).containsExactly(3);
    }

    @Test
    void aCallerThatGivesUpIsInNoLaterRequestAndWhatItGotIsAGap() {
        CompletableFuture<Share<List<Integer>>> first = add(1);
        Sent alone = sent(1);
        List<CompletableFuture<Share<List<Integer>>>> others = add(5, 1);
        first.cancel(false);
        others.get(0).cancel(false);

        alone.answer(1);
        sent(1).answer(2);

        assertThat(items(others.get(1), 1)).containsExactly(2);
        add(1).cancel(false);
        sent(1).answer(3);
        assertThat(requests).isEmpty();
    }

    @Test
    void callersThatOnlyReadShareAnAnswer() {
        List<CompletableFuture<Share<List<Integer>>>> early = add(0, 0, 0);
        sent(0).answer(5, 0);
        assertThat(early.get(1)).isNotDone();
        sent(0).answer(6, 0);

        assertThat(early).allMatch(CompletableFuture::isDone);
    }

    /** Their ends are no stack of calls. */
    @Test
    void answersThatAreThereAtOnceServeManyCallers() {
        List<CompletableFuture<Share<List<Integer>>>> all = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            all.add(combiner.add("at once", 1));
        }

        assertThat(all).allMatch(CompletableFuture::isDone);
    }

    @Test
    void aCloseEndsThoseThatWaitAndRefusesOthers() {
        CompletableFuture<Share<List<Integer>>> first = add(1);
        Sent alone = sent(1);
        CompletableFuture<Share<List<Integer>>> second = add(1);

        combiner.close();

        assertThatThrownBy(second::join).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> add(1).join()).isInstanceOf(CancellationException.class);
        alone.answer(1);
        assertThat(items(first, 1)).containsExactly(1);
        assertThat(requests).isEmpty();
    }

    @Test
    void noRequestIsSentAfterAClose() {
        add(1);
        Sent alone = sent(1);
        List<CompletableFuture<Share<List<Integer>>>> others = add(1, 1);
        alone.answer(1);
        Sent shared = sent(2);

        combiner.close();
        shared.answer(2, 1);

        assertThat(items(others.get(0), 1)).containsExactly(2);
        assertThatThrownBy(() -> others.get(1).join()).isInstanceOf(CancellationException.class);
        assertThat(requests).isEmpty();
    }
}
