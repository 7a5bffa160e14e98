package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.spi.Block;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockRequestTest {

    private static final Block BLOCK = new Block(1, 1, 8);

    private final List<String> answers = new ArrayList<>();

    @Test
    void onlyTheFirstAnswerCounts() {
        BlockRequest request = request();
        assertThat(request.isAnswered()).isFalse();

        assertThat(request.answer(BLOCK)).isTrue();
        assertThat(request.answer(new Block(9, 1, 8))).as("a gap").isFalse();
        request.fail(new IllegalStateException("late"));

        assertThat(request.isAnswered()).isTrue();
        assertThat(answers).containsExactly("ReservedBlock[block=Block[first=1, step=1, count=8], age=PT0S] null");
    }

    @Test
    void afterAFailureABlockIsAGap() {
        BlockRequest request = request();
        request.fail(new IllegalStateException("down"));

        assertThat(request.isAnswered()).isTrue();
        assertThat(request.answer(BLOCK)).isFalse();
        assertThat(answers).containsExactly("null java.lang.IllegalStateException: down");
    }

    @Test
    void aPostponementIsTakenNoteOfOnce() {
        BlockRequest request = request();
        request.sent(0);
        assertThat(request.takePostponed()).isNull();
        assertThat(request.isPostponed()).isFalse();

        request.postpone("locked");
        assertThat(request.isPostponed()).isTrue();
        assertThat(request.takePostponed()).isEqualTo("locked");
        assertThat(request.takePostponed()).isNull();
    }

    @Test
    void itIsPostponedSinceItWasSentFirst() {
        BlockRequest request = request();
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
    void aBatchOfOneGivesItsBlockOrThrowsWhatIsWrong() throws Exception {
        assertThat(BlockRequest.reserve(new NoSource(), 8, all -> all.get(0).answer(BLOCK)))
                .isEqualTo(BLOCK);
        assertThatThrownBy(() -> BlockRequest.reserve(
                        new NoSource(), 8, all -> all.get(0).fail(new IllegalStateException("down"))))
                .hasMessage("down");
        assertThatThrownBy(() -> BlockRequest.reserve(
                        new NoSource(), 8, all -> all.get(0).postpone("locked")))
                .isInstanceOf(SQLTransientException.class)
                .hasMessage("locked");
    }

    private BlockRequest request() {
        return new BlockRequest(new NoSource(), 8, (request, block, failure) -> answers.add(block + " " + failure));
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
