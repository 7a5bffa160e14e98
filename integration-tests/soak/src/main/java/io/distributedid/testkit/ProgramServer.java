package io.distributedid.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Any program that listens at one port of its own: a {@link RealServer} without a class of its own. */
public final class ProgramServer extends RealServer {

    private static final int ANSWER_MILLIS = 1000;

    /** What a server is. */
    public interface Program {

        /**
         * Writes its files, and says how it is started.
         *
         * @param data a folder of its own; exists
         */
        List<String> command(Path data, int port) throws IOException;
    }

    /** What a server is asked to see whether it is ready; the first byte of its answer is compared. */
    public record Greeting(byte[] question, char answer) {

        /** A connection is enough. */
        public static final Greeting NONE = new Greeting(new byte[0], ' ');
    }

    private final Greeting greeting;

    private ProgramServer(Path home, int port, List<String> command, Greeting greeting) {
        super(home, port, command);
        this.greeting = greeting;
    }

    /**
     * Starts a program.
     *
     * @param dir an empty folder, or one that is still to be made; {@link #close()} deletes it
     */
    public static ProgramServer start(Path dir, Program program, Greeting greeting) {
        ProgramServer server = prepare(dir, program, greeting);
        server.launch();
        return server;
    }

    /** As {@link #start}; {@link #restart} starts it. */
    public static ProgramServer prepare(Path dir, Program program, Greeting greeting) {
        try {
            Path nothing = Files.createTempDirectory("program");
            Path home = newHome(dir, nothing);
            Files.delete(nothing);
            int port = Ports.take();
            return new ProgramServer(home, port, program.command(home.resolve("data"), port), greeting);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    boolean greets() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), ANSWER_MILLIS);
            if (greeting.question.length == 0) {
                return true;
            }
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(greeting.question);
            return socket.getInputStream().read() == greeting.answer;
        } catch (IOException e) {
            return false;
        }
    }
}
