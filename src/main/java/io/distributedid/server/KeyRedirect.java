package io.distributedid.server;

import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.service.ServiceAddress;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Sends a caller to the server that gives the numbers of a key: 307 with its address, so that the same request follows.
 * While sections move, two servers may each name the other. So the address counts the servers that were asked, and the
 * last one answers 503 instead.
 */
final class KeyRedirect {

    static final String PARAMETER = "redirects";

    static final int MOST = 3;

    private static final Pattern WRITTEN = Pattern.compile("&" + PARAMETER + "=[^&]*|^" + PARAMETER + "=[^&]*&");

    private KeyRedirect() {}

    /**
     * The answer to a request for a key of another server.
     *
     * @param target the path of the request, with its parameters
     * @param detail who gives its numbers
     * @param owner the address of that server, as it names itself
     * @param redirects how often the request was sent to another server already
     */
    static Problem problem(String target, String detail, String owner, int redirects, Optional<SectionTable> table) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (!owner.isEmpty()) {
            members.put(Problem.ACTIVE, owner);
        }
        table.ifPresent(known -> members.put(Problem.TABLE, Long.toString(known.version())));
        Optional<URI> address = ServiceAddress.parse(owner);
        if (address.isEmpty() || redirects >= MOST) {
            return new Problem(ProblemType.STANDBY, detail, members);
        }
        members.put(Problem.LOCATION, address.get() + withRedirects(target, redirects + 1));
        return new Problem(ProblemType.OTHER_SERVER, detail, members);
    }

    private static String withRedirects(String target, int redirects) {
        int end = target.indexOf('?') + 1;
        String others = WRITTEN.matcher(target.substring(end)).replaceAll("");
        return target.substring(0, end) + others + "&" + PARAMETER + "=" + redirects;
    }
}
