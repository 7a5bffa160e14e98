package io.distributedid.backend.nextid;

import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import java.util.Map;

/**
 * The function and the sequence of one shard, in SQL.
 *
 * <p><b>Form {@code instagram}</b>: {@code time << 23 | shard << 10 | nextval(sequence) % 1024}, with the time of
 * {@code clock_timestamp()} in milliseconds since the epoch. An id comes twice if the clock goes back and the counter
 * meets the same remainder, or if more than 1,024 are made in a millisecond.
 *
 * <p><b>Form {@code hardened}</b>: the state is the sequence's value, {@code time << 10 | counter}. An id is the state
 * with the shard between time and counter. Each call runs under a lock of its sequence:
 *
 * <pre>
 * pg_advisory_xact_lock(..., sequence)
 * setval(sequence, time(last_value + 1) &lt; now ? now &lt;&lt; 10 | random : last_value + 1)
 * </pre>
 *
 * {@code next_id(n)} takes n states at once: it adds {@code n - 1} to the value that it sets.
 *
 * <p>No id comes twice:
 *
 * <ol>
 *   <li>Only {@code setval} can lower a sequence, and only these functions call it. They hold the lock from before they
 *       read {@code last_value} until after they set it, and they set it above the value that they read. So the states
 *       of each call lie above those of all earlier calls, whatever the clock shows. Another client's {@code nextval}
 *       only leaves a gap.
 *   <li>Within a shard, an id grows with its state: the time is its highest field, and the shard is constant.
 *   <li>Sequences are not transactional: a rollback does not undo {@code setval}. After a crash, the state lies at or
 *       above the state of every committed row: the log record of {@code setval} precedes that of the row's commit, and
 *       recovery replays the log up to the first missing record. This holds for {@code synchronous_commit=off} too.
 * </ol>
 *
 * <p>The lock must not outlive the call, else all inserts of the shard would wait for the end of one transaction. Nor
 * may it leak in a session, else they would wait for ever. Hence the call takes it in a block that always ends with an
 * exception of its own: PostgreSQL rolls the block back, and with it the lock, but neither sequence nor variables. An
 * error, a timeout or a cancellation rolls the block back in the same way, at any point and any number of times. A
 * session lock ({@code pg_advisory_lock}) would need an exception handler to release it, and a second cancellation may
 * interrupt that handler.
 *
 * <p>If the clock goes back, or in a burst, ids continue from the last state. Their time then runs ahead of the clock
 * until the clock has caught up.
 *
 * <p>The comments of the function and of its sequence record shard, form and layout, see {@link NextIdRecord}.
 *
 * @param clock an SQL expression of type {@code timestamptz}
 */
record NextIdFunction(NextIdRecord record, long shard, String clock) {

    static final String CLOCK = "clock_timestamp()";

    /** Our SQLState for a refusal to create a function. */
    static final String OTHER_FUNCTION = "IDOTH";

    /** Raise it whenever {@link #HARDENED} or {@link #INSTAGRAM} changes: existing functions are then replaced. */
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
              -- Of two concurrent transactions the second waits here, and then sees the functions of the first.
              PERFORM pg_advisory_xact_lock({lock}, 0);
              IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
                RAISE EXCEPTION USING ERRCODE = '{other}', MESSAGE = format(
                  'To create a function, a transaction must see the functions of other transactions:'
                  ' function={function} isolation=%s, allowed: read committed',
                  current_setting('transaction_isolation'));
              END IF;
              other := ({conflict});
              IF other IS NOT NULL THEN
                RAISE EXCEPTION USING ERRCODE = '{other}', MESSAGE = format(
                  '{refusal}', other);
              END IF;
              found := obj_description(to_regprocedure('{function}()'), 'pg_proc');
              IF to_regprocedure('{function}()') IS NOT NULL
                  AND right(found, length(wanted)) IS DISTINCT FROM wanted THEN
                RAISE EXCEPTION USING ERRCODE = '{other}', MESSAGE = format(
                  'A function must keep its shard, form and layout: function={function} found=%s, wanted: %s',
                  found, wanted);
              END IF;
              other := obj_description(to_regclass('{sequence}'), 'pg_class');
              IF other LIKE 'distributedid %' AND right(other, length(state)) <> state THEN
                RAISE EXCEPTION USING ERRCODE = '{other}', MESSAGE = format(
                  'A function''s sequence must keep its shard and layout: sequence={sequence} found=%s, wanted: %s',
                  other, state);
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
                  'The server''s clock must be in the time range of the ids: clock=%s, allowed: {layout}', instant);
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

    /** The first key of our two-key advisory locks; the second is the sequence. */
    private static final int LOCK = 0x64696431;

    /** One statement. It creates what is missing, and refuses to change which ids a function makes. */
    String ddl() {
        FunctionName name = record.function();
        if (name.hasSchema()) {
            return create(record);
        }
        // Without a schema, the body would use a sequence found by the caller's search_path.
        return "DO $here$ BEGIN EXECUTE replace($text$" + create(record.in(name.inSchema(SCHEMA))) + "$text$, '"
                + SCHEMA + "', quote_ident(current_schema())); END $here$";
    }

    private String create(NextIdRecord qualified) {
        FunctionName name = qualified.function();
        String ids = qualified.ids(shard);
        boolean hardened = form() == NextIdForm.HARDENED;
        return fill(
                CREATE,
                Map.ofEntries(
                        Map.entry("conflict", qualified.conflictOfNew(shard)),
                        Map.entry("refusal", qualified.refusal(shard)),
                        Map.entry("function", name.name()),
                        Map.entry("sequence", name.sequence()),
                        Map.entry("ids", ids),
                        Map.entry("state", qualified.state(shard)),
                        Map.entry("version", VERSION),
                        Map.entry("comment", "distributedid " + VERSION + " " + name + ": " + ids),
                        Map.entry("lock", LOCK + 1),
                        Map.entry("other", OTHER_FUNCTION),
                        Map.entry(
                                "limit",
                                hardened ? " MAXVALUE " + (layout().time().maxTick() << bits() | mask()) : ""),
                        Map.entry(
                                "or_incomplete",
                                hardened ? " OR to_regprocedure('" + name + "(integer)') IS NULL" : ""),
                        Map.entry(
                                "functions",
                                hardened ? one(name, HARDENED) + "\n" + many(name) : one(name, INSTAGRAM))));
    }

    private String one(FunctionName name, String template) {
        String body = fill(template, Map.of("more", "", "return", "RETURN", "state", "last", "from", ""));
        return fill(FUNCTION, Map.of("signature", name + "() RETURNS bigint", "body", body(name, body)));
    }

    /** An amount below one returns no id, and must not lower the sequence. */
    private String many(FunctionName name) {
        String body = fill(
                HARDENED,
                Map.ofEntries(
                        Map.entry("more", "greatest(amount, 1) - 1 + "),
                        Map.entry("return", "RETURN QUERY SELECT"),
                        Map.entry("state", "state"),
                        Map.entry("from", " FROM generate_series(last - amount + 1, last) AS state")));
        return fill(
                FUNCTION,
                Map.of("signature", name + "(amount integer) RETURNS SETOF bigint", "body", body(name, body)));
    }

    private String body(FunctionName name, String template) {
        long unit = layout().time().unit().toMillis();
        String tick = fill(
                TICK,
                Map.ofEntries(
                        Map.entry("clock", clock),
                        Map.entry("epoch", layout().time().epoch().toEpochMilli()),
                        Map.entry("end", (layout().time().maxTick() + 1) * unit),
                        Map.entry("divide", unit == 1 ? "" : "  tick := tick / " + unit + ";\n"),
                        Map.entry("layout", layout())));
        return fill(
                template,
                Map.ofEntries(
                        Map.entry("tick", form() == NextIdForm.HARDENED ? tick.indent(2) : tick),
                        Map.entry("lock", LOCK),
                        Map.entry("sequence", name.sequence()),
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
