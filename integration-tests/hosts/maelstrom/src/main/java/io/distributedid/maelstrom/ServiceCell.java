package io.distributedid.maelstrom;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A key of Maelstrom's {@code lin-kv} or {@code lww-kv}, or of a node that answers the same messages.
 *
 * @param peers ask it
 * @param service its name
 * @param key any
 * @param createdByWrite whether a missing key is first written with an empty text, because the service creates none by
 *     compare-and-set. Such a write may undo what another node has done meanwhile: this is for {@code lww-kv}, which
 *     promises nothing anyway
 */
record ServiceCell(Peers peers, String service, String key, boolean createdByWrite) implements Cell {

    @Override
    public Optional<String> read() throws IOException, InterruptedException {
        Message answer = peers.ask(service, "read", Map.of("key", key));
        if (answer.type().equals("read_ok")) {
            return Optional.of(answer.text("value"));
        }
        if (code(answer) != Errors.KEY_DOES_NOT_EXIST) {
            throw failure(answer);
        }
        if (createdByWrite) {
            Message written = peers.ask(service, "write", Map.of("key", key, "value", ""));
            if (!written.type().equals("write_ok")) {
                throw failure(written);
            }
            return Optional.of("");
        }
        return Optional.empty();
    }

    @Override
    public boolean compareAndSet(Optional<String> expected, String next) throws IOException, InterruptedException {
        Map<String, Object> request = new HashMap<>(Map.of("key", key, "from", expected.orElse(""), "to", next));
        if (expected.isEmpty()) {
            request.put("create_if_not_exists", true);
        }
        Message answer = peers.ask(service, "cas", request);
        if (answer.type().equals("cas_ok")) {
            return true;
        }
        long code = code(answer);
        if (code == Errors.PRECONDITION_FAILED || code == Errors.KEY_DOES_NOT_EXIST) {
            return false;
        }
        throw failure(answer);
    }

    private static long code(Message answer) {
        return answer.type().equals("error") ? answer.number("code") : -1;
    }

    private IOException failure(Message answer) {
        return new IOException(label() + " answered " + answer.text());
    }

    @Override
    public String label() {
        return service + " key=" + key;
    }
}
