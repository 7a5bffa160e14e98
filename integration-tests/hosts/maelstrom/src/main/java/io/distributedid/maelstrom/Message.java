package io.distributedid.maelstrom;

import io.distributedid.internal.service.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One line of Maelstrom's protocol: {@code {"src": "c1", "dest": "n1", "body": {"type": "generate", "msg_id": 1}}}.
 *
 * @param body texts, whole numbers, booleans, and lists of these, by name
 */
public record Message(String src, String dest, Map<String, Object> body) {

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is no such message
     */
    public static Message parse(String line) {
        Object read = Json.value(line.getBytes(StandardCharsets.UTF_8));
        if (read instanceof Map<?, ?> message
                && message.get("src") instanceof String src
                && message.get("dest") instanceof String dest
                && message.get("body") instanceof Map<?, ?> members) {
            Map<String, Object> body = new LinkedHashMap<>();
            members.forEach((name, value) -> body.put((String) name, value));
            return new Message(src, dest, body);
        }
        throw new IllegalArgumentException("A message is an object with src, dest and body: " + line);
    }

    /** The line, without its end. */
    public String text() {
        return written(Map.of("src", src, "dest", dest, "body", body));
    }

    private static String written(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(each -> quoted((String) each.getKey()) + ":" + written(each.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Message::written).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String text ? quoted(text) : String.valueOf(value);
    }

    private static String quoted(String text) {
        return text.chars()
                .mapToObj(each -> each == '"' || each == '\\' || each < ' '
                        ? String.format("\\u%04x", each)
                        : String.valueOf((char) each))
                .collect(Collectors.joining("", "\"", "\""));
    }

    public String type() {
        return text("type");
    }

    /** @throws IllegalArgumentException if the body has no such text */
    public String text(String name) {
        return find(name, String.class).orElseThrow(() -> missing(name));
    }

    /** @throws IllegalArgumentException if the body has no such number */
    public long number(String name) {
        return find(name, Long.class).orElseThrow(() -> missing(name));
    }

    /** @throws IllegalArgumentException if the body has no list of texts of this name */
    public List<String> texts(String name) {
        if (body.get(name) instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw missing(name);
    }

    public <T> Optional<T> find(String name, Class<T> type) {
        return Optional.ofNullable(body.get(name)).filter(type::isInstance).map(type::cast);
    }

    /** The message to which this is the answer. */
    public Optional<Long> inReplyTo() {
        return find("in_reply_to", Long.class);
    }

    /** An answer to this message. */
    public Message answer(String type, Map<String, Object> more) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("type", type);
        find("msg_id", Long.class).ifPresent(id -> answer.put("in_reply_to", id));
        answer.putAll(more);
        return new Message(dest, src, answer);
    }

    /** An answer with one of Maelstrom's errors. */
    public Message refusal(int code, String text) {
        return answer("error", Map.of("code", (long) code, "text", text));
    }

    private IllegalArgumentException missing(String name) {
        return new IllegalArgumentException(
                "The message lacks \"" + name + "\", or has it with another type: " + text());
    }
}
