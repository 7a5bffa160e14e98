package io.distributedid.backend.nextid;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a function makes, as PostgreSQL's catalog remembers it: in the comment of the function, and in that of its
 * sequence.
 *
 * <pre>
 * COMMENT ON FUNCTION app.next_id() IS
 *     'distributedid 1 app.next_id: shard=5, form=hardened, time(ms):40, shard:13, sequence:10 from 2011-... until 2046'
 * </pre>
 *
 * <p>The catalog is one for the whole database, and everybody may read it: no search_path, schema or privilege hides a
 * function. The record goes with the function: into a dump, to another server, with a schema that gets another name;
 * and it ends with it.
 *
 * <p>Of all functions in a database that have such a comment, none may
 *
 * <ol>
 *   <li>make ids of the same shard, unless it works on the same sequence, or lies in the same schema and the same
 *       settings name both, for different sequences of ids;
 *   <li>have the same name and another layout or epoch: some of its ids would be those of another shard.
 * </ol>
 *
 * <p>Both are looked at when a function is created, under a lock of the database; the first, and the function's own
 * comment, before a process uses the first id of a shard. It costs nothing afterwards. Functions in other databases,
 * and functions without our comment, are not seen.
 *
 * @param function as it is called
 * @param form how it counts
 * @param layout with the epoch
 * @param names all functions that the settings name, without schema
 */
record NextIdRecord(FunctionName function, NextIdForm form, IdLayout layout, Set<String> names) {

    /**
     * Says the first function that must not be there, or null. Patterns come first, which is fast where there are
     * thousands.
     */
    private static final String CONFLICT = """
            SELECT format('%I.%I: %s', n.nspname, p.proname, substring(d.description FROM ': (shard=.*)$'))
            FROM pg_catalog.pg_description d
              JOIN pg_catalog.pg_proc p ON p.oid = d.objoid
              JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
            WHERE d.classoid = 'pg_catalog.pg_proc'::regclass AND d.objsubid = 0
              AND p.oid IS DISTINCT FROM to_regprocedure('{function}()')
              AND (d.description LIKE 'distributedid %: shard={shard}, %'
                  AND (substring(d.description FROM '^distributedid [0-9]+ (.*): shard=') = {place}) IS NOT TRUE
                  AND (p.pronamespace = {schema} AND p.proname = ANY (ARRAY[{names}]::text[])) IS NOT TRUE{layouts})
            ORDER BY p.oid LIMIT 1""";

    private static final String LAYOUTS = """

                OR d.description LIKE 'distributedid %: shard=%' AND p.proname = '{name}'
                  AND right(d.description, {length}) <> ', {layout}'""";

    private static final String RULE = "Two functions of a database must not make the same ids: function=";

    private static final String REMEDY =
            ". Give each schema a shard of its own, and all of them one layout and epoch; or drop"
                    + " the function that is not used any more";

    static NextIdRecord of(FunctionName function, NextIdForm form, IdLayout layout, Set<FunctionName> named) {
        return new NextIdRecord(
                function,
                form,
                layout,
                named.stream().map(NextIdRecord::local).collect(Collectors.toCollection(TreeSet::new)));
    }

    /** Without its schema, as the catalog has it. */
    private static String local(FunctionName function) {
        String name = function.name();
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    /** The same function elsewhere. */
    NextIdRecord in(FunctionName place) {
        return new NextIdRecord(place, form, layout, names);
    }

    /** What a comment says at its end. */
    String ids(long shard) {
        return "shard=" + shard + ", form=" + form.label() + ", " + layout;
    }

    /** What the comment of a sequence says at its end. The form is free to change. */
    String state(long shard) {
        return "shard=" + shard + ", " + layout;
    }

    /** An expression for a function that is about to be created. */
    String conflictOfNew(long shard) {
        int dot = function.name().lastIndexOf('.');
        return conflict(
                shard,
                "'" + function + "'",
                "to_regnamespace('" + function.name().substring(0, dot) + "')",
                LAYOUTS);
    }

    /** What is raised, as a pattern of {@code format} with the conflict as its argument. */
    String refusal(long shard) {
        return RULE + function + " " + state(shard) + ", found %s" + REMEDY;
    }

    private String conflict(long shard, String place, String schema, String layouts) {
        return CONFLICT.replace("{layouts}", layouts)
                .replace("{function}", function.name())
                .replace("{shard}", Long.toString(shard))
                .replace("{place}", place)
                .replace("{schema}", schema)
                .replace("{names}", names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ")))
                .replace("{name}", local(function))
                .replace("{length}", Integer.toString(layout.toString().length() + 2))
                .replace("{layout}", layout.toString());
    }

    /**
     * Looks for other functions that make the same ids.
     *
     * @throws IdConfigurationException if there is one
     * @return what the function's own comment says; null if it has none
     */
    @Nullable
    String requireAlone(Connection connection, long shard) throws SQLException {
        String own = "obj_description(to_regprocedure('" + function + "()'), 'pg_proc')";
        String sql = "SELECT " + own + ", ("
                + conflict(
                        shard,
                        "substring(" + own + " FROM '^distributedid [0-9]+ (.*): shard=')",
                        "(SELECT pronamespace FROM pg_catalog.pg_proc WHERE oid = to_regprocedure('" + function
                                + "()'))",
                        "")
                + ")";
        try (PreparedStatement select = connection.prepareStatement(sql);
                ResultSet row = select.executeQuery()) {
            row.next();
            String other = row.getString(2);
            if (other != null) {
                throw new IdConfigurationException(String.format(refusal(shard), other));
            }
            return row.getString(1);
        }
    }

    /**
     * Compares the settings with what the function's comment says.
     *
     * @param comment as {@link #requireAlone} returned it
     * @throws IdConfigurationException if they differ
     */
    void requireSame(@Nullable String comment, long shard) {
        if (comment != null && comment.startsWith("distributedid ") && !comment.endsWith(": " + ids(shard))) {
            throw new IdConfigurationException("The settings must say what the function makes: function=" + function
                    + " makes " + comment.substring(comment.indexOf(": ") + 2) + ", settings: " + ids(shard) + ". Set "
                    + DistributedIdSettings.NEXT_ID_LAYOUT + ", " + DistributedIdSettings.NEXT_ID_EPOCH + " and "
                    + DistributedIdSettings.NEXT_ID_FORM + " as they were when the function was created");
        }
    }
}
