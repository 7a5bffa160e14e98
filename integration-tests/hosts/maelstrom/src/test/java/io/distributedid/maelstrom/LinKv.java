package io.distributedid.maelstrom;

import java.util.HashMap;
import java.util.Map;

/** Maelstrom's service {@code lin-kv}: linearizable, since one message follows the other. For one thread at a time. */
final class LinKv {

    private final Map<String, Object> values = new HashMap<>();

    Message answer(Message request) {
        String key = request.text("key");
        Object value = values.get(key);
        switch (request.type()) {
            case "read":
                return value == null ? noKey(request) : request.answer("read_ok", Map.of("value", value));
            case "write":
                values.put(key, request.body().get("value"));
                return request.answer("write_ok", Map.of());
            case "cas":
                boolean creates =
                        request.find("create_if_not_exists", Boolean.class).orElse(false);
                if (value == null && !creates) {
                    return noKey(request);
                }
                if (value != null && !value.equals(request.body().get("from"))) {
                    return request.refusal(Errors.PRECONDITION_FAILED, "the value is another one");
                }
                values.put(key, request.body().get("to"));
                return request.answer("cas_ok", Map.of());
            default:
                return request.refusal(Errors.NOT_SUPPORTED, "not supported: " + request.type());
        }
    }

    static Message noKey(Message request) {
        return request.refusal(Errors.KEY_DOES_NOT_EXIST, "key does not exist");
    }
}
