package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Another hash would look for keys on other servers. */
class KeyHashTest {

    /** Computed by another program. */
    @ParameterizedTest
    @CsvSource({
        "0, c1e42af088ff1b2c, 0",
        "1, 7c3832dde020d3d6, 1",
        "42, 810b196a56ee3cec, 2",
        "9223372036854775807, f5b966379133500c, 1",
        "a, 82a2a958a9bece5b, 1",
        "alice@example.com, 53e4b3bc79050458, 2",
        "Z\u00fcrich, 24b22821293c05d0, 1",
        "\u65e5\u672c, 1230c55089fe4e43, 0",
        "\ud83d\ude00, da89b0991f06f386, 2"
    })
    void theHashIsTheSameForEver(String key, String hash, int serverOfThree) {
        assertThat(KeyHash.of(key)).isEqualTo(Long.parseUnsignedLong(hash, 16));
        assertThat(KeyHash.server(KeyHash.of(key), 3)).isEqualTo(serverOfThree);
    }

    @Test
    void keysAreSpreadOverServers() {
        int[] keys = new int[3];
        IntStream.range(0, 12_000)
                .mapToObj(Integer::toString)
                .forEach(key -> keys[KeyHash.server(KeyHash.of(key), 3)]++);
        for (int server : keys) {
            assertThat(server).isBetween(3_800, 4_200);
        }
    }
}
