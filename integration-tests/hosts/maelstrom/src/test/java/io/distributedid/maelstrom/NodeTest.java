package io.distributedid.maelstrom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.spi.Block;
import io.distributedid.testkit.Await;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node says to Maelstrom, line by line. */
class NodeTest {

    private static final long PATIENCE_SECONDS = 60;

    private final BlockingQueue<Message> said = new LinkedBlockingQueue<>();

    @TempDir
    private Path folder;

    private final List<Node> nodes = new ArrayList<>();

    private Node node(String... options) {
        Node node = new Node(Options.parse(options), said::add, InstantSource.system());
        nodes.add(node);
        return node;
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
    }

    private Node started(String name, String... options) throws Exception {
        Node node = node(options);
        node.take(init(name));
        assertThat(answer().type()).isEqualTo("init_ok");
        return node;
    }

    private static Message init(String name) {
        return request("init", Map.of("node_id", name, "node_ids", List.of("n0", "n1", "n2")));
    }

    private static Message request(String type, Map<String, Object> more) {
        Map<String, Object> body = new HashMap<>(more);
        body.put("type", type);
        body.put("msg_id", 5L);
        return Message.parse(new Message("c1", "n0", body).text());
    }

    /** The next message to the client. */
    private Message answer() throws InterruptedException {
        while (true) {
            Message message = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(message).as("an answer").isNotNull();
            if (message.dest().equals("c1")) {
                return message;
            }
        }
    }

    private void assertRefused(int code, String text) throws Exception {
        Message answer = answer();
        assertThat(answer.type()).isEqualTo("error");
        assertThat(answer.number("code")).isEqualTo(code);
        assertThat(answer.inReplyTo()).contains(5L);
        assertThat(answer.text("text")).contains(text);
    }

    @Test
    void aLineIsReadAndWrittenAsMaelstromDoes() {
        Message message =
                Message.parse("{\"id\":7,\"src\":\"c1\",\"dest\":\"n1\",\"body\":{\"type\":\"init\",\"msg_id\":1,"
                        + "\"node_id\":\"n1\",\"node_ids\":[\"n1\",\"n2\"]}}");

        assertThat(message.texts("node_ids")).containsExactly("n1", "n2");
        assertThat(Message.parse(message.answer("init_ok", Map.of()).text()))
                .isEqualTo(new Message("n1", "c1", Map.of("type", "init_ok", "in_reply_to", 1L)));
        assertThatThrownBy(() -> Message.parse("{\"src\":\"c1\"}"))
                .hasMessage("A message is an object with src, dest and body: {\"src\":\"c1\"}");
    }

    @Test
    void beforeInitNothingIsGiven() throws Exception {
        node("lin-kv").take(request("generate", Map.of()));

        assertRefused(Errors.TEMPORARILY_UNAVAILABLE, "This node has got no init yet");
    }

    @Test
    void withoutAWorkerNumberNothingIsGiven() throws Exception {
        Node node = started("n1", "lin-kv");
        node.take(request("generate", Map.of()));

        assertRefused(Errors.TEMPORARILY_UNAVAILABLE, "This node has no worker number yet");
    }

    @Test
    void whatIsNotOfTheWorkloadIsRefused() throws Exception {
        Node node = started("n1", "lin-kv");
        node.take(request("echo", Map.of("echo", "hello")));
        assertRefused(Errors.NOT_SUPPORTED, "This node does not answer echo");
        node.take(request("read", Map.of("key", "workers")));
        assertRefused(Errors.NOT_SUPPORTED, "This node does not answer read");
        node.take(request("reserve", Map.of("count", 10L)));
        assertRefused(Errors.NOT_SUPPORTED, "This node does not answer reserve");
        node("lin-kv").take(request("init", Map.of("node_id", "n1")));
        assertRefused(Errors.MALFORMED_REQUEST, "The message lacks \"node_ids\"");
    }

    @Test
    void theFirstNodeAnswersAsLinKvDoes() throws Exception {
        Node node = started("n0", "first-node", "folder=" + folder);
        String text = read(node);
        node.take(request("cas", Map.of("key", "workers", "from", text + "?", "to", "x")));
        assertRefused(Errors.PRECONDITION_FAILED, "The value is another one");
    }

    private String read(Node node) throws Exception {
        for (int i = 0; i < 1_000; i++) {
            node.take(request("read", Map.of("key", "workers")));
            Message answer = answer();
            // Its own lease writes the first text.
            if (answer.type().equals("read_ok")) {
                return answer.text("value");
            }
            assertThat(answer.number("code")).isEqualTo(Errors.KEY_DOES_NOT_EXIST);
            Thread.sleep(5);
        }
        throw new AssertionError("The first node has not leased a number");
    }

    @Test
    void theFirstTwoNodesCountOddAndEvenNumbersAndGoOnAfterAStart() throws Exception {
        for (int start = 0; start < 2; start++) {
            long numbers = 10L * start;
            assertThat(reserve(started("n0", "tickets", "folder=" + folder)))
                    .isEqualTo(new Block(1 + 2 * numbers, 2, 10));
            assertThat(reserve(started("n1", "tickets", "folder=" + folder)))
                    .isEqualTo(new Block(2 + 2 * numbers, 2, 10));
        }
        started("n0", "tickets", "folder=" + folder).take(request("reserve", Map.of("count", 0L)));
        assertRefused(Errors.MALFORMED_REQUEST, "count=0, allowed: 1 to 1000000");
    }

    @Test
    void aNodeThatIsClosedWritesNoFileAnyMore() throws Exception {
        CountDownLatch leases = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Thread test = Thread.currentThread();
        Node node = new Node(Options.parse("first-node", "folder=" + folder), said::add, () -> {
            if (Thread.currentThread() != test) {
                leases.countDown();
                await(goesOn);
            }
            return Instant.now();
        });
        node.take(init("n0"));
        leases.await();
        AtomicBoolean leasedStill = new AtomicBoolean();
        Thread closing = new Thread(() -> {
            node.close();
            leasedStill.set(goesOn.getCount() > 0);
        });
        closing.start();
        Await.until(
                "close waits, or has ended",
                () -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
        goesOn.countDown();
        closing.join();

        assertThat(leasedStill).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Block reserve(Node node) throws Exception {
        node.take(request("reserve", Map.of("count", 10L)));
        Message answer = answer();
        return new Block(answer.number("first"), answer.number("step"), answer.number("count"));
    }

    @Test
    void wrongOptionsAreRefused() {
        assertThatThrownBy(() -> Options.parse()).hasMessage("The mode is missing");
        assertThatThrownBy(() -> Options.parse("raft"))
                .hasMessage("There is no such mode: mode=raft, allowed: lin-kv, first-node, tickets, lww-kv");
        assertThatThrownBy(() -> Options.parse("tickets"))
                .hasMessage("The mode needs a folder for its files: mode=tickets. Add folder=DIR");
        assertThatThrownBy(() -> Options.parse("lin-kv", "folder=/tmp"))
                .hasMessage("The mode keeps no files: mode=lin-kv. Leave out folder=/tmp");
        assertThatThrownBy(() -> Options.parse("lin-kv", "window=99"))
                .hasMessage("The window is out of range: window=99, allowed: 100 to 600000");
        assertThatThrownBy(() -> Options.parse("lin-kv", "wndow=99"))
                .hasMessage("There is no such option: wndow=99, allowed: folder=DIR, window=MILLIS");
    }
}
