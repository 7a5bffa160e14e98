package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.spi.Block;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockRequestTest {

    private static final Block BLOCK = new Block(1, 1, 8);

    private final List<String> answers = new ArrayList<>();

    @Test
    void onlyTheFirstAnswerCounts() {
        BlockRequest request = request(false);
        assertThat(request.isAnswered()).isFalse();

        assertThat(request.answer(BLOCK)).isTrue();
        assertThat(request.answer(new Block(9, 1, 8))).as("a gap").isFalse();
        request.fail(new IllegalStateException("late"));

        assertThat(request.isAnswered()).isTrue();
        assertThat(answers).containsExactly("Block[first=1, step=1, count=8] null");
    }

    @Test
    void afterAFailureABlockIsAGap() {
        BlockRequest request = request(false);
        request.fail(new IllegalStateException("down"));

        assertThat(request.isAnswered()).isTrue();
        assertThat(request.answer(BLOCK)).isFalse();
        assertThat(answers).containsExactly("null java.lang.IllegalStateException: down");
    }

    @Test
    void aPostponementIsTakenNoteOfOnce() {
        BlockRequest request = request(false);
        request.sent(0);
        assertThat(request.takePostponed()).isNull();
        assertThat(request.hasFailed()).isFalse();

        request.postpone("locked");
        assertThat(request.takePostponed()).isEqualTo("locked");
        assertThat(request.takePostponed()).isNull();
        assertThat(request.hasFailed()).isTrue();
    }

    @Test
    void itIsPostponedSinceItWasSentFirst() {
        BlockRequest request = request(false);
        request.sent(101);
        request.postpone("locked");
        request.takePostponed();
        request.sent(201);
        request.postpone("locked");
        request.takePostponed();

        assertThat(request.nanosPostponed(301)).isEqualTo(200);
        assertThat(request.sentAt()).isEqualTo(201);
    }

    @Test
    void aRetryHasFailedBefore() {
        assertThat(request(true).hasFailed()).isTrue();
        assertThat(request(true).wanted()).isEqualTo(8);
    }

    private BlockRequest request(boolean isRetry) {
        return new BlockRequest(
                new NoSource(), 8, isRetry, (request, block, failure) -> answers.add(block + " " + failure));
    }

    private record NoSource() implements GroupedSource {

        @Override
        public Block reserve(long wanted) {
            throw new AssertionError("Nobody asks it");
        }

        @Override
        public BlockGroup group() {
            throw new AssertionError("Nobody asks for it");
        }
    }
}
