package io.distributedid.cli;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.CoreSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Decodes an id. */
@Command(
        name = "decode",
        description = {"Decode an id: when it was made, and by whom. Ids that hold the time need no server."},
        footer = {"", "Example:", "  distributedid decode photos 382500178340355880 -D distributedid.backend=snowflake"
        })
final class DecodeCommand extends JsonCommand {

    /** A name for all sequences without settings of their own. */
    private static final String ANY = "any";

    @Parameters(
            index = "0..1",
            arity = "1..2",
            paramLabel = "SEQ ID",
            hideParamSyntax = true,
            description = "The sequence and the id, or the id alone if all sequences are configured alike.")
    private List<String> arguments = List.of();

    @Override
    public Integer call() {
        long id = id(arguments.get(arguments.size() - 1));
        CommandSettings settings = options().read();
        try (DistributedIds ids = settings.open()) {
            print(arguments.size() == 2 ? ids.decode(arguments.get(0), id) : decode(settings, ids, id));
            return 0;
        }
    }

    private static long id(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IdConfigurationException(
                    "An id must be a whole number: ID=" + text + ", allowed: 1 to " + Long.MAX_VALUE, e);
        }
    }

    private static DecodedId decode(CommandSettings settings, DistributedIds ids, long id) {
        Set<String> own = settings.settings().sequences();
        Set<String> names = new TreeSet<>(own);
        if (own.isEmpty() || settings.settings().find(CoreSettings.BACKEND).isPresent()) {
            names.add(ANY);
        }
        Map<DecodedId, String> found = new LinkedHashMap<>();
        names.forEach(name -> found.putIfAbsent(ids.decode(name, id), name));
        if (found.size() > 1) {
            throw new IdConfigurationException("An id needs its sequence, if sequences have different layouts: ID=" + id
                    + ", allowed: SEQ ID with one of " + own);
        }
        return found.keySet().iterator().next();
    }

    /** The JSON is that of an issuing service. */
    private void print(DecodedId decoded) {
        TextTable table = new TextTable("id", Long.toString(decoded.id()));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", decoded.id());
        decoded.time().ifPresent(time -> {
            table.add("time", time.toString());
            json.put("time", time);
        });
        decoded.fields().forEach((name, value) -> table.add(name, value.toString()));
        table.add("bits", decoded.bits());
        json.put("fields", decoded.fields());
        json.put("bits", decoded.bits());
        result(table.toString(), json);
    }
}
