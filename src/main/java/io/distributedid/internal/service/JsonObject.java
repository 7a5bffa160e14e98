package io.distributedid.internal.service;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON object, each read as the type that it must have. Other members are allowed: a newer service may
 * answer more. Every method throws {@link IllegalArgumentException} if a member has another type.
 */
public record JsonObject(Map<?, ?> members) {

    /** Reads the one object of an answer. */
    public static JsonObject read(byte[] utf8) {
        return of(Json.read(utf8), "the answer");
    }

    private static JsonObject of(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> members) {
            return new JsonObject(members);
        }
        throw new IllegalArgumentException(what + " is no object");
    }

    public String text(String name) {
        return find(name).orElseThrow(() -> missing(name));
    }

    /** A text; empty if there is no such member. */
    public Optional<String> find(String name) {
        Object value = members.get(name);
        if (value instanceof String text) {
            return Optional.of(text);
        }
        return nothing(name, "a text");
    }

    /** A number that is written as text, since JavaScript knows only 53 bits. */
    public long id(String name) {
        return findId(name).orElseThrow(() -> missing(name));
    }

    public Optional<Long> findId(String name) {
        return find(name).map(text -> id(name, text));
    }

    private static long id(String name, @Nullable Object value) {
        Long id = value instanceof String text ? Json.whole(text) : null;
        if (id == null) {
            throw new IllegalArgumentException(name + " must be a number in quotes: " + value);
        }
        return id;
    }

    public boolean flag(String name) {
        if (members.get(name) instanceof Boolean flag) {
            return flag;
        }
        throw new IllegalArgumentException(name + " must be true or false");
    }

    /** A number of 0 or more. */
    public Optional<Long> findCount(String name) {
        Object value = members.get(name);
        if (value instanceof Long number && number >= 0) {
            return Optional.of(number);
        }
        return nothing(name, "a number from 0");
    }

    public List<Long> ids(String name) {
        return list(name).stream().map(each -> id(name, each)).toList();
    }

    public List<JsonObject> objects(String name) {
        return list(name).stream().map(each -> of(each, name)).toList();
    }

    public Optional<JsonObject> findObject(String name) {
        Object value = members.get(name);
        return value == null ? nothing(name, "an object") : Optional.of(of(value, name));
    }

    public List<String> texts(String name) {
        List<?> list = list(name);
        if (!list.stream().allMatch(String.class::isInstance)) {
            throw new IllegalArgumentException(name + " must be an array of texts");
        }
        return list.stream().map(String.class::cast).toList();
    }

    /** Small numbers that are no ids. */
    public List<Long> numbers(String name) {
        List<?> list = list(name);
        if (!list.stream().allMatch(Long.class::isInstance)) {
            throw new IllegalArgumentException(name + " must be an array of numbers");
        }
        return list.stream().map(Long.class::cast).toList();
    }

    private List<?> list(String name) {
        if (members.get(name) instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException(name + " must be an array");
    }

    private <T> Optional<T> nothing(String name, String expected) {
        if (members.containsKey(name)) {
            throw new IllegalArgumentException(name + " must be " + expected);
        }
        return Optional.empty();
    }

    private static IllegalArgumentException missing(String name) {
        return new IllegalArgumentException(name + " is missing");
    }
}
