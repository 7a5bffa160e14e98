package io.distributedid.server;

import io.vertx.core.buffer.Buffer;

/**
 * An answer with ids or numbers, as JSON. Most requests get one. It is written without a tree of objects, which would
 * cost a server a fifth of its ids a second. For one thread.
 */
final class NumbersAnswer {

    private final StringBuilder text = new StringBuilder(128).append('{');

    private final boolean asNumbers;

    /** @param asNumbers whether numbers are written as numbers and not as texts */
    NumbersAnswer(String sequence, boolean asNumbers) {
        this.asNumbers = asNumbers;
        put("sequence", sequence);
    }

    /** @param value without control characters */
    NumbersAnswer put(String name, String value) {
        name(name)
                .append('"')
                .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                .append('"');
        return this;
    }

    /** @throws Problem if readers of JSON would round the number */
    NumbersAnswer put(String name, long number) {
        name(name);
        add(number);
        return this;
    }

    /** @throws Problem if readers of JSON would round a number */
    NumbersAnswer put(String name, long[] numbers) {
        name(name).append('[');
        for (int i = 0; i < numbers.length; i++) {
            if (i > 0) {
                text.append(',');
            }
            add(numbers[i]);
        }
        text.append(']');
        return this;
    }

    private StringBuilder name(String name) {
        if (text.length() > 1) {
            text.append(',');
        }
        return text.append('"').append(name).append("\":");
    }

    private void add(long number) {
        if (asNumbers) {
            Query.requireExact(number);
            text.append(number);
        } else {
            text.append('"').append(number).append('"');
        }
    }

    Buffer json() {
        return Buffer.buffer(text.append('}').toString());
    }
}
