package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecentBlocksTest {

    private final RecentBlocks recent = new RecentBlocks();

    @ParameterizedTest
    @CsvSource({
        "1001, 2, 10, false",
        "1000, 2, 10, true",
        "1018, 2, 1, true",
        "1020, 2, 10, false",
        "990, 2, 5, false",
        "990, 2, 6, true",
        "1004, 1, 1, true",
        "1005, 1, 1, false"
    })
    void aBlockWithIdsOfAnEarlierOneIsRefused(long first, long step, long count, boolean refused) {
        recent.add("photos", new Block(1000, 2, 10), "http://a:1");
        Block next = new Block(first, step, count);

        if (refused) {
            assertThatThrownBy(() -> recent.add("photos", next, "http://b:1"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("An issuing service gave ids that it had given before: seq=photos,"
                            + " http://b:1 gave " + next + ", http://a:1 had given " + new Block(1000, 2, 10));
        } else {
            assertThatCode(() -> recent.add("photos", next, "http://b:1")).doesNotThrowAnyException();
        }
    }

    @Test
    void onlyTheLastBlocksAreKept() {
        for (int i = 0; i <= RecentBlocks.KEPT; i++) {
            recent.add("photos", new Block(1 + i * 10L, 1, 10), "http://a:1");
        }

        recent.add("photos", new Block(1, 1, 1), "http://a:1");
        assertThatThrownBy(() -> recent.add("photos", new Block(31, 1, 1), "http://a:1"))
                .isInstanceOf(IdConfigurationException.class);
    }
}
