package io.distributedid.maelstrom;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.function.Consumer;

/** The program: one message a line on standard input and output, all else on standard error. */
public final class Main {

    private static final int WRONG_ARGUMENTS = 2;

    /** Writes each message at once, so that a process that is killed leaves at most its last line cut off. */
    private record Lines(OutputStream out) implements Consumer<Message> {

        @Override
        public void accept(Message message) {
            byte[] line = (message.text() + "\n").getBytes(StandardCharsets.UTF_8);
            try {
                synchronized (out) {
                    out.write(line);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Main() {}

    public static void main(String[] args) throws IOException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(Options.USAGE);
            System.exit(WRONG_ARGUMENTS);
            return;
        }
        Node node = new Node(options, new Lines(new FileOutputStream(FileDescriptor.out)), InstantSource.system());
        Runtime.getRuntime().addShutdownHook(new Thread(node::close));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            node.take(Message.parse(line));
        }
        // Nobody listens any more, so nothing can be handed back.
        Runtime.getRuntime().halt(0);
    }
}
