package benchmarks.scale;

import benchmarks.RoundTrips;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server of this machine as if it stood in the next zone: each way takes 1 ms. */
final class Distant implements AutoCloseable {

    static final Duration DISTANCE = Duration.ofMillis(1);

    private static final Pattern PORT = Pattern.compile(":(\\d+)/");

    private final RoundTrips proxy;

    private final String url;

    /**
     * Listens for clients.
     *
     * @param near the URL of the server
     */
    Distant(String near) throws IOException {
        Matcher port = PORT.matcher(near);
        if (!port.find()) {
            throw new IllegalArgumentException("A URL needs a port: url=" + near);
        }
        proxy = new RoundTrips(Integer.parseInt(port.group(1)), DISTANCE);
        url = near.substring(0, port.start(1)) + proxy.port() + near.substring(port.end(1));
    }

    /** Of several servers, in their order. */
    static List<Distant> all(Collection<String> near) throws IOException {
        List<Distant> all = new ArrayList<>();
        for (String url : near) {
            all.add(new Distant(url));
        }
        return all;
    }

    /** Leads to the server over the distance. */
    String url() {
        return url;
    }

    /** Round trips so far. */
    long trips() {
        return proxy.count();
    }

    /** Round trips to all of them so far. */
    static long trips(Collection<Distant> all) {
        return all.stream().mapToLong(Distant::trips).sum();
    }

    @Override
    public void close() throws IOException {
        proxy.close();
    }
}
