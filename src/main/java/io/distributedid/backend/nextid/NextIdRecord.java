package io.distributedid.backend.nextid;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.process.Pages;
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
 * The record of a function's shard, form and layout, in PostgreSQL's catalog: the comments of the function and of its
 * sequence.
 *
 * <pre>
 * COMMENT ON FUNCTION app.next_id() IS 'distributedid 1 app.next_id: shard=5, form=hardened,
 *     time(ms):40, shard:13, sequence:10 from 2011-... until 2046'
 * </pre>
 *
 * <p>The whole database has one catalog, and all users may read it: no search_path, schema or privilege hides a
 * function. A dump, a copy to another server and a renamed schema keep the record; dropping the function drops it.
 *
 * <p>Two functions of a database that have such a comment must not
 *
 * <ol>
 *   <li>make ids of the same shard, unless both use the same sequence, or both lie in the same schema and the same
 *       settings name both, for different sequences of ids;
 *   <li>have the same name and different layouts or epochs: some ids of one would be ids of another shard.
 * </ol>
 *
 * <p>Both rules are checked when a function is created, under a lock of the database. The first rule and the function's
 * own comment are checked before a process uses the first id of a shard; later ids cost nothing. Functions in other
 * databases, and functions without our comment, are not found.
 *
 * @param names all functions that the settings name, without schema
 */
record NextIdRecord(FunctionName function, NextIdForm form, IdLayout layout, Set<String> names) {

    /** Describes the first function that breaks a rule, or null. LIKE comes first: fast with thousands of functions. */
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
                    + " the function that is not used any more" + Pages.onCall("function-twice");

    static NextIdRecord of(FunctionName function, NextIdForm form, IdLayout layout, Set<FunctionName> named) {
        return new NextIdRecord(
                function,
                form,
                layout,
                named.stream().map(NextIdRecord::local).collect(Collectors.toCollection(TreeSet::new)));
    }

    /** The name without schema, as the catalog has it. */
    private static String local(FunctionName function) {
        String name = function.name();
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    NextIdRecord in(FunctionName place) {
        return new NextIdRecord(place, form, layout, names);
    }

    /** The end of a function's comment. */
    String ids(long shard) {
        return "shard=" + shard + ", form=" + form.label() + ", " + layout;
    }

    /** The end of a sequence's comment. It has no form, since the form may change. */
    String state(long shard) {
        return "shard=" + shard + ", " + layout;
    }

    /** The SQL expression that finds a conflict with a function before it is created. */
    String conflictOfNew(long shard) {
        int dot = function.name().lastIndexOf('.');
        return conflict(
                shard,
                "'" + function + "'",
                "to_regnamespace('" + function.name().substring(0, dot) + "')",
                LAYOUTS);
    }

    /** The message of a refusal, as a pattern of {@code format} with the conflict as its argument. */
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

    /** Refuses another function that makes the same ids. Returns the function's own comment; null if it has none. */
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

    /** Refuses settings that differ from the comment that {@link #requireAlone} has returned. */
    void requireSame(@Nullable String comment, long shard) {
        if (comment != null && comment.startsWith("distributedid ") && !comment.endsWith(": " + ids(shard))) {
            throw new IdConfigurationException("The settings must match the function: function=" + function
                    + " makes " + comment.substring(comment.indexOf(": ") + 2) + ", settings: " + ids(shard) + ". Set "
                    + "distributedid.next_id.layout, distributedid.next_id.epoch and "
                    + "distributedid.next_id.form as they were when the function was created"
                    + Pages.onCall("function-twice"));
        }
    }
}
