package io.distributedid.maelstrom;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Answers {@code read} and {@code cas} from a cell as {@code lin-kv} does, whatever the key. */
final class CellRequest {

    private CellRequest() {}

    static Message answer(Message message, Cell cell) throws IOException, InterruptedException {
        Optional<String> text = cell.read();
        if (message.type().equals("read")) {
            return text.map(value -> message.answer("read_ok", Map.of("value", value)))
                    .orElseGet(() -> noKey(message));
        }
        boolean creates = message.find("create_if_not_exists", Boolean.class).orElse(false);
        if (text.isEmpty() && !creates) {
            return noKey(message);
        }
        if (text.isPresent() && !text.get().equals(message.text("from"))) {
            return message.refusal(Errors.PRECONDITION_FAILED, "The value is another one");
        }
        return cell.compareAndSet(text, message.text("to"))
                ? message.answer("cas_ok", Map.of())
                : message.refusal(Errors.PRECONDITION_FAILED, "The value was changed meanwhile");
    }

    private static Message noKey(Message message) {
        return message.refusal(Errors.KEY_DOES_NOT_EXIST, "There is no such key");
    }
}
