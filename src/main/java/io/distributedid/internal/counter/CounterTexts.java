package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Pages;
import java.util.Arrays;
import java.util.List;

/**
 * How headers and rows of counters are kept in rows of a ledger. Fields that are empty are left out. The members of a
 * header are one field, an identity a line.
 *
 * <pre>
 * sequence         token=7f3a increment=2 offset=1 members=... era=3 command=51c0 target=... next=9b2e format=1
 * sequence/photos  identity=server_uuid%20...%20schema%20app era=3 command=51c0
 * </pre>
 *
 * The state of a header is that of its row in the ledger. A counter's row is OPEN; CLOSED if a command has closed it,
 * or with the command {@code new} if nobody has opened it yet; or LOST, closed or not.
 */
public final class CounterTexts {

    private static final String INCREMENT = "increment";

    private static final String OFFSET = "offset";

    private static final String MEMBERS = "members";

    private static final String ERA = "era";

    private static final String COMMAND = "command";

    private static final String TARGET = "target";

    private static final String NEXT = "next";

    private static final String IDENTITY = "identity";

    private static final String LINE = "\n";

    private CounterTexts() {}

    /** The header as the ledger keeps it. */
    public static Row row(String name, Header header) {
        Fields text = Fields.NONE
                .with(Fields.TOKEN, header.token())
                .with(INCREMENT, header.numbering().increment())
                .with(OFFSET, header.numbering().offset())
                .with(MEMBERS, String.join(LINE, header.members()))
                .with(ERA, header.era());
        text = unlessEmpty(text, COMMAND, header.command());
        text = unlessEmpty(text, TARGET, header.target());
        text = unlessEmpty(text, NEXT, header.next());
        Row.State state = Row.State.valueOf(header.state().name());
        return new Row(name, header.version(), 0, state, text.with(Fields.FORMAT, Fields.KNOWN_FORMAT));
    }

    /**
     * The header that a row of the ledger keeps.
     *
     * @throws IdConfigurationException if the row keeps none
     */
    public static Header header(Row row) {
        Header.State state = Arrays.stream(Header.State.values())
                .filter(each -> each.name().equals(row.state().name()))
                .findAny()
                .orElseThrow(() -> unknown(row));
        return new Header(
                row.version(),
                state,
                field(row, Fields.TOKEN),
                new Numbering(number(row, INCREMENT), number(row, OFFSET)),
                List.of(field(row, MEMBERS).split(LINE, -1)),
                number(row, ERA),
                row.text().get(COMMAND).orElse(""),
                row.text().get(TARGET).orElse(""),
                row.text().get(NEXT).orElse(""));
    }

    /** The row of a counter as the ledger keeps it. */
    public static Row row(String name, CounterRow row) {
        Fields text = Fields.NONE.with(IDENTITY, row.identity()).with(ERA, row.era());
        Row.State open = row.isOpen() ? Row.State.OPEN : Row.State.CLOSED;
        return new Row(
                name,
                row.version(),
                row.number(),
                row.isLost() ? Row.State.LOST : open,
                unlessEmpty(text, COMMAND, row.command()));
    }

    /**
     * The row of a counter that a row of the ledger keeps.
     *
     * @throws IdConfigurationException if the row keeps none
     */
    public static CounterRow counterRow(Row row) {
        CounterRow found = new CounterRow(
                row.version(),
                row.state() == Row.State.LOST,
                row.number(),
                field(row, IDENTITY),
                number(row, ERA),
                row.text().get(COMMAND).orElse(""));
        if (row(row.name(), found).state() != row.state()) {
            throw unknown(row);
        }
        return found;
    }

    private static Fields unlessEmpty(Fields text, String name, String value) {
        return value.isEmpty() ? text : text.with(name, value);
    }

    private static String field(Row row, String name) {
        return row.text().get(name).orElseThrow(() -> unknown(row));
    }

    private static long number(Row row, String name) {
        try {
            return Long.parseLong(field(row, name));
        } catch (NumberFormatException e) {
            throw unknown(row);
        }
    }

    private static IdConfigurationException unknown(Row row) {
        return new IdConfigurationException("A row of the ledger has a state or a text that no counter has: row="
                + row.name() + " state=" + row.state() + " text=" + row.text() + ", allowed: for a table, state="
                + Arrays.toString(Header.State.values()) + " with "
                + List.of(Fields.TOKEN, INCREMENT, OFFSET, MEMBERS, ERA)
                + "; for a counter, OPEN, or CLOSED with " + COMMAND + ", or LOST, each with " + List.of(IDENTITY, ERA)
                + ". Undo the change that was made by hand" + Pages.onCall("changed-by-hand"));
    }
}
