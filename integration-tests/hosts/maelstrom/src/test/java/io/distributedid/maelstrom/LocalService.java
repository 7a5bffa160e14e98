package io.distributedid.maelstrom;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** A service that answers at once, on the thread of the caller. Thread-safe. */
final class LocalService {

    private static final Duration TIMEOUT = Duration.ofMillis(100);

    private final Function<Message, Message> service;

    private Optional<String> lost = Optional.empty();

    private boolean doubles;

    LocalService(Function<Message, Message> service) {
        this.service = service;
    }

    /** From now on each request arrives twice, and the first answer is lost. */
    synchronized void doubles() {
        doubles = true;
    }

    /** From now on the answers to requests of this type are lost. */
    synchronized void losesAnswersTo(String type) {
        lost = Optional.of(type);
    }

    /** Those who ask it. */
    Peers peers(String self) {
        Peers[] peers = new Peers[1];
        peers[0] = new Peers(
                self,
                request -> answer(request)
                        .ifPresent(
                                answer -> peers[0].answered(answer.inReplyTo().orElseThrow(), answer)),
                TIMEOUT);
        return peers[0];
    }

    private synchronized Optional<Message> answer(Message request) {
        // As text, so that it is one that can be sent.
        Message sent = Message.parse(request.text());
        Message answer = service.apply(sent);
        if (doubles) {
            answer = service.apply(sent);
        }
        return lost.equals(Optional.of(request.type())) ? Optional.empty() : Optional.of(Message.parse(answer.text()));
    }
}
