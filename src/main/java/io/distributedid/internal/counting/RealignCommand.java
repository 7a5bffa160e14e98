package io.distributedid.internal.counting;

import java.util.List;
import java.util.stream.Stream;

/**
 * An operator's {@code repair} (the same list of servers) or {@code move} (another one).
 *
 * @param id random; another one when the command is repeated
 * @param from names the list that has the counter, see {@link ServerList#place}
 * @param to names the list that gets it: the same for {@code repair}
 * @param source the addresses of the servers of {@code from}, in its order
 * @param target the addresses of the servers of {@code to}, in its order
 * @param above all ids in use lie at or below, as the operator says; 0 if he does not
 * @param place the token that the application's database remembers; empty if none
 */
public record RealignCommand(
        String id, String from, String to, List<String> source, List<String> target, long above, String place) {

    public RealignCommand {
        source = List.copyOf(source);
        target = List.copyOf(target);
    }

    boolean isRepair() {
        return from.equals(to);
    }

    /** All servers, each once, those of the old list first: the list of what a look at them shows. */
    public List<String> servers() {
        return Stream.concat(source.stream(), target.stream()).distinct().toList();
    }
}
