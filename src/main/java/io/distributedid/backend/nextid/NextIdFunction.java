package io.distributedid.backend.nextid;

import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import java.util.Map;

/**
 * The function and the sequence of one shard, in SQL.
 *
 * <p><b>NextIdForm {@code instagram}</b>: {@code time << 23 | shard << 10 | nextval(sequence) % 1024}, with the time of
 * {@code clock_timestamp()} in milliseconds since the epoch. An id comes twice if the clock goes back and the counter
 * meets the same remainder, and if more than 1,024 are made in a millisecond.
 *
 * <p><b>NextIdForm {@code hardened}</b>: the state is the sequence's value, {@code time << 10 | counter}, and an id is
 * the state with the shard put in between. One call, under a lock of its sequence:
 *
 * <pre>
 * pg_advisory_xact_lock(..., sequence)
 * setval(sequence, time(last_value + 1) &lt; now ? now &lt;&lt; 10 | random : last_value + 1)
 * </pre>
 *
 * and {@code next_id(n)} takes n states at once: {@code n - 1} more are added to what is set.
 *
 * <p>No id comes twice:
 *
 * <ol>
 *   <li>Only {@code setval} can lower a sequence, and only these functions call it, under the lock from before
 *       {@code last_value} is read until after it is set, to a value above the one that was read. So the states of each
 *       call lie above those of all calls before, whatever the clock says. A {@code nextval} by somebody else only
 *       leaves a gap.
 *   <li>Of one shard an id grows with its state: the time stands first, and the shard is always the same.
 *   <li>Sequences are not part of transactions: a rollback gives no state back. After a crash the state lies at or
 *       above every one that a committed row holds, since its record in the log was written before that of the row's
 *       commit, and the log is read up to its first loss. That holds for {@code synchronous_commit=off} too.
 * </ol>
 *
 * <p>The lock must not outlive the call, else every insert of the shard would wait for the end of one transaction; and
 * it must not leak in a session, else they would wait for ever. Hence it is taken in a block that ends with an
 * exception of our own: PostgreSQL rolls the block back, and with it the lock, but neither sequence nor variables. An
 * error, a timeout or a cancellation, at whatever point and how often, rolls the block back in the same way. A lock of
 * the session ({@code pg_advisory_lock}) would have to be given back in an exception handler, in which the next
 * cancellation may strike.
 *
 * <p>A clock that went back, and a burst, go on from the last state: the time in the ids then runs ahead of the clock
 * until that has caught up.
 *
 * <p>What a function makes stands in its comment and in that of its sequence, see {@link NextIdRecord}.
 *
 * @param record its name, form and layout
 * @param shard fits the layout
 * @param clock an expression of type {@code timestamptz}
 */
record NextIdFunction(NextIdRecord record, long shard, String clock) {

    static final String CLOCK = "clock_timestamp()";

    /** The SQLState of a function that is there and makes other ids. */
    static final String OTHER_FUNCTION = "IDOTH";

    /**
     * To be raised whenever {@link #HARDENED} or {@link #INSTAGRAM} changes, so that functions that exist are replaced.
     */
    private static final int VERSION = 1;

    private static final String SCHEMA = "@schema@";

    private static final String CREATE = """
            DO $ddl$
            DECLARE
              found text;
              other text;
              wanted CONSTANT text := '{ids}';
              state CONSTANT text := '{state}';
            BEGIN
              -- Of two that create functions at once the second waits, and finds what the first has created.
              PERFORM pg_advisory_xact_lock({lock}, 0);
              IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
                RAISE EXCEPTION USING ERRCODE = '{other}', MESSAGE = format(
                  'A function must be created where the ones of others are seen: function={function} isolation=%s,'
                  ' allowed: read committed', current_setting('transaction_isolation'));
              END IF;
              other := ({conflict});
              IF other IS NOT NULL THEN
                RAISE EXCEPTION USING ERRCODE = '{other}', MESSAGE = format(
                  '{refusal}', other);
              END IF;
              found := obj_description(to_regprocedure('{function}()'), 'pg_proc');
              IF to_regprocedure('{function}()') IS NOT NULL AND right(found, length(wanted)) IS DISTINCT FROM wanted THEN
                RAISE EXCEPTION USING ERRCODE = '{other}', MESSAGE = format(
                  'A function must go on making the ids that it made: function={function} found=%s, wanted: %s', found, wanted);
              END IF;
              other := obj_description(to_regclass('{sequence}'), 'pg_class');
              IF other LIKE 'distributedid %' AND right(other, length(state)) <> state THEN
                RAISE EXCEPTION USING ERRCODE = '{other}', MESSAGE = format(
                  'A sequence must go on with the ids that were made from it: sequence={sequence} found=%s, wanted: %s', other, state);
              END IF;
              IF to_regclass('{sequence}') IS NULL THEN
                CREATE SEQUENCE {sequence}{limit};
                COMMENT ON SEQUENCE {sequence} IS 'distributedid {version} {sequence}: {state}';
              END IF;
              IF found IS DISTINCT FROM '{comment}'{or_incomplete} THEN
            {functions}
                COMMENT ON FUNCTION {function}() IS '{comment}';
              END IF;
            END $ddl$""";

    private static final String FUNCTION =
            "    CREATE OR REPLACE FUNCTION {signature} LANGUAGE plpgsql AS $next_id${body}$next_id$;";

    private static final String TICK = """
              instant := {clock};
              tick := floor(extract(epoch FROM instant) * 1000)::bigint - {epoch};
              IF tick < 0 OR tick >= {end} THEN
                RAISE EXCEPTION USING ERRCODE = 'datetime_field_overflow', MESSAGE = format(
                  'The server''s clock must lie in the time of the ids: clock=%s, allowed: {layout}', instant);
              END IF;
            {divide}""";

    private static final String INSTAGRAM = """

            DECLARE
              instant timestamptz;
              tick bigint;
              counter bigint;
            BEGIN
              counter := nextval('{sequence}') % {count};
            {tick}  RETURN (tick << {time_shift}) | ({shard}::bigint << {shard_shift}) | (counter << {sequence_shift});
            END
            """;

    private static final String HARDENED = """

            DECLARE
              instant timestamptz;
              tick bigint;
              last bigint;
            BEGIN
              BEGIN
                PERFORM pg_advisory_xact_lock({lock}, '{sequence}'::regclass::oid::int);
            {tick}    SELECT setval('{sequence}', {more}CASE WHEN ((last_value + 1) >> {bits}) < tick
                    THEN (tick << {bits}) | floor(random() * {count})::bigint ELSE last_value + 1 END)
                  INTO last FROM {sequence};
                -- Rolls this block back and so gives the lock back. Sequences and variables stay as they are.
                RAISE EXCEPTION USING ERRCODE = 'IDEND';
              EXCEPTION WHEN SQLSTATE 'IDEND' THEN
                NULL;
              END;
              {return} (({state} >> {bits}) << {time_shift}) | ({shard}::bigint << {shard_shift})
                | (({state} & {mask}) << {sequence_shift}){from};
            END
            """;

    /** The first number of our advisory locks that have two; the second is the sequence. */
    private static final int LOCK = 0x64696431;

    /** One statement, which creates what is missing and refuses to change what ids a function makes. */
    String ddl() {
        FunctionName name = record.function();
        if (name.hasSchema()) {
            return create(record);
        }
        // A body that leaves the schema open would take the sequence of whichever schema the caller's search_path has
        // first.
        return "DO $here$ BEGIN EXECUTE replace($text$" + create(record.in(name.inSchema(SCHEMA))) + "$text$, '"
                + SCHEMA + "', quote_ident(current_schema())); END $here$";
    }

    private String create(NextIdRecord own) {
        FunctionName place = own.function();
        String ids = own.ids(shard);
        boolean hardened = form() == NextIdForm.HARDENED;
        return fill(
                CREATE,
                Map.ofEntries(
                        Map.entry("conflict", own.conflictOfNew(shard)),
                        Map.entry("refusal", own.refusal(shard)),
                        Map.entry("function", place.name()),
                        Map.entry("sequence", place.sequence()),
                        Map.entry("ids", ids),
                        Map.entry("state", own.state(shard)),
                        Map.entry("version", VERSION),
                        Map.entry("comment", "distributedid " + VERSION + " " + place + ": " + ids),
                        Map.entry("lock", LOCK + 1),
                        Map.entry("other", OTHER_FUNCTION),
                        Map.entry(
                                "limit",
                                hardened ? " MAXVALUE " + (layout().time().maxTick() << bits() | mask()) : ""),
                        Map.entry(
                                "or_incomplete",
                                hardened ? " OR to_regprocedure('" + place + "(integer)') IS NULL" : ""),
                        Map.entry(
                                "functions",
                                hardened ? one(place, HARDENED) + "\n" + many(place) : one(place, INSTAGRAM))));
    }

    private String one(FunctionName place, String template) {
        String body = fill(template, Map.of("more", "", "return", "RETURN", "state", "last", "from", ""));
        return fill(FUNCTION, Map.of("signature", place + "() RETURNS bigint", "body", body(place, body)));
    }

    /** An amount below one gets none, and must not lower the sequence. */
    private String many(FunctionName place) {
        String body = fill(
                HARDENED,
                Map.of(
                        "more",
                        "greatest(amount, 1) - 1 + ",
                        "return",
                        "RETURN QUERY SELECT",
                        "state",
                        "state",
                        "from",
                        " FROM generate_series(last - amount + 1, last) AS state"));
        return fill(
                FUNCTION,
                Map.of("signature", place + "(amount integer) RETURNS SETOF bigint", "body", body(place, body)));
    }

    private String body(FunctionName place, String template) {
        long unit = layout().time().unit().toMillis();
        String tick = fill(
                TICK,
                Map.of(
                        "clock",
                        clock,
                        "epoch",
                        layout().time().epoch().toEpochMilli(),
                        "end",
                        (layout().time().maxTick() + 1) * unit,
                        "divide",
                        unit == 1 ? "" : "  tick := tick / " + unit + ";\n",
                        "layout",
                        layout()));
        return fill(
                template,
                Map.ofEntries(
                        Map.entry("tick", form() == NextIdForm.HARDENED ? tick.indent(2) : tick),
                        Map.entry("lock", LOCK),
                        Map.entry("sequence", place.sequence()),
                        Map.entry("shard", shard),
                        Map.entry("bits", bits()),
                        Map.entry("count", mask() + 1),
                        Map.entry("mask", mask()),
                        Map.entry("time_shift", NextIdSettings.shift(layout(), IdField.TIME)),
                        Map.entry("shard_shift", NextIdSettings.shift(layout(), IdField.SHARD)),
                        Map.entry("sequence_shift", NextIdSettings.shift(layout(), IdField.SEQUENCE))));
    }

    private NextIdForm form() {
        return record.form();
    }

    private IdLayout layout() {
        return record.layout();
    }

    private int bits() {
        return layout().bits(IdField.SEQUENCE);
    }

    private long mask() {
        return layout().max(IdField.SEQUENCE);
    }

    private static String fill(String template, Map<String, ?> values) {
        String text = template;
        for (Map.Entry<String, ?> value : values.entrySet()) {
            text = text.replace("{" + value.getKey() + "}", value.getValue().toString());
        }
        return text;
    }
}
