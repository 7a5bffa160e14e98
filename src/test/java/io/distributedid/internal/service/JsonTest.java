package io.distributedid.internal.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    private static final String BLOCKS = "{\"sequence\":\"photos\",\"token\":\"a1b2\",\"blocks\":[{\"first\":\"1001\","
            + "\"step\":\"2\",\"count\":\"500\",\"ageMillis\":12}],\"more\":[true,false,null,-7,\"\\u00e9\\n\"]}";

    @Test
    void valuesAreReadAsTheyAreWritten() {
        assertThat(read(BLOCKS))
                .isEqualTo(Map.of(
                        "sequence",
                        "photos",
                        "token",
                        "a1b2",
                        "blocks",
                        List.of(Map.of("first", "1001", "step", "2", "count", "500", "ageMillis", 12L)),
                        "more",
                        Arrays.asList(true, false, null, -7L, "\u00e9\n")));
        assertThat(read(" [ ] ")).isEqualTo(List.of());
        assertThat(read("{ }")).isEqualTo(Map.of());
        assertThat(read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"")).isEqualTo("\"\\/\b\f\n\r\tA");
        assertThat(read(Long.toString(Long.MIN_VALUE))).isEqualTo(Long.MIN_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1",
                "[1,]",
                "[,1]",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "{a:1}",
                "{\"a\":1,\"a\":2}",
                "1 2",
                "[1]x",
                "01",
                "-0",
                "+1",
                "1.0",
                "1e3",
                "9223372036854775808",
                "-",
                "nul",
                "True",
                "'a'",
                "\"a",
                "\"\\x\"",
                "\"\\u00g1\"",
                "\"\\u" + "\u0661\u0661\u0661\u0661\"",
                "\"\n\"",
                "[[[[[[[[[[1]]]]]]]]]]",
                "NaN"
            })
    void allElseIsRefused(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not the JSON of an issuing service at character ");
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        assertThatThrownBy(() -> Json.value(new byte[] {'"', (byte) 0xC3, '"'})).hasMessage("no UTF-8");
    }

    /** Whatever comes is read or refused with the one exception: no other one, and no loop. */
    @Test
    void noTextBreaksTheReader() {
        Random random = new Random(7);
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = BLOCKS.getBytes(UTF_8);
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte)
                        (random.nextBoolean()
                                ? "{}[]\",:\\u0123456789-+.eE tfn".charAt(random.nextInt(28))
                                : random.nextInt());
            }
            byte[] part = Arrays.copyOf(bytes, random.nextInt(8) == 0 ? random.nextInt(bytes.length) : bytes.length);
            try {
                Json.value(part);
            } catch (IllegalArgumentException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1, 49_999);
    }

    @Test
    void whatWasWrittenIsReadBack() {
        Random random = new Random(11);
        for (int i = 0; i < 5_000; i++) {
            Object value = value(random, 0);
            assertThat(read(written(value))).isEqualTo(value);
        }
    }

    private static Object value(Random random, int depth) {
        switch (random.nextInt(depth < 4 ? 6 : 4)) {
            case 0:
                return random.nextLong();
            case 1:
                return random.nextBoolean();
            case 2:
                return null;
            case 3:
                return text(random);
            case 4:
                return IntStream.range(0, random.nextInt(4))
                        .mapToObj(each -> value(random, depth + 1))
                        .collect(Collectors.toList());
            default:
                Map<String, Object> members = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    members.put(text(random), value(random, depth + 1));
                }
                return members;
        }
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(6), 0, 0x500)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String written(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(JsonTest::written).collect(Collectors.joining(" , ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(each -> written(each.getKey()) + " : " + written(each.getValue()))
                    .collect(Collectors.joining(",", "{", "\n}"));
        }
        if (value instanceof String text) {
            StringBuilder all = new StringBuilder("\"");
            text.chars()
                    .forEach(c -> all.append(
                            c < ' ' || c == '"' || c == '\\' || c % 5 == 0
                                    ? String.format("\\u%04x", c)
                                    : String.valueOf((char) c)));
            return all.append('"').toString();
        }
        return String.valueOf(value);
    }

    private static Object read(String text) {
        return Json.value(text.getBytes(UTF_8));
    }
}
