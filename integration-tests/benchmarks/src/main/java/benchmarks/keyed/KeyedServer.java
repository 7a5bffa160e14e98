package benchmarks.keyed;

import benchmarks.http.ServerCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Commands that start an issuing service which gives numbers per key from its memory. */
final class KeyedServer {

    static final String SEQUENCE = "messages";

    /** Of requests for a number, without the key. */
    static final String PATH = "/v1/keyed/" + SEQUENCE + "/numbers?key=";

    private KeyedServer() {}

    /** All settings are the defaults. Its store is H2 in files, as that of ids. */
    static List<String> alone() throws IOException {
        return ServerCommand.service(settings(freePort(), ServerCommand.inFile("numbers")));
    }

    /**
     * One of several with the same store.
     *
     * @param store the URL of a MySQL database
     */
    static List<String> sharing(int port, String store, int sections) throws ClassNotFoundException {
        List<String> all = new ArrayList<>(settings(port, store));
        all.add("distributedid.keyed.section.sections=" + sections);
        return ServerCommand.service(all, ServerCommand.locationOf(Class.forName("com.mysql.cj.jdbc.Driver")));
    }

    private static List<String> settings(int port, String store) {
        return List.of(
                "distributedid.keyed.backend=section",
                "distributedid.keyed.section.store=" + store,
                "distributedid.create_tables=true",
                "distributedid.keyed.section.address=http://127.0.0.1:" + port,
                "distributedid.server.keyed=" + SEQUENCE,
                "distributedid.server.port=" + port);
    }

    /** A server must know its own address before it listens. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
