package io.distributedid.internal.keyed.owner;

import io.distributedid.internal.tenure.TenureRow;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A row as the text of a node: {@code max_number lease_nanos token owner}, as in {@code 20000 5000000000 1x2y.3z
 * https://ids1:8443}. Without owner it ends with the token.
 */
final class SectionRowText {

    static final String FORM = "max_number lease_nanos token owner";

    private static final Pattern ROW = Pattern.compile("(\\d{1,19}) (\\d{1,19}) (\\S+)(?: (.+))?");

    private SectionRowText() {}

    static String of(TenureRow row) {
        String text = row.bound() + " " + row.lease() + " " + row.token();
        return row.isHandedBack() ? text : text + " " + row.owner();
    }

    /** Empty if it is no row. */
    static Optional<TenureRow> parse(String text) {
        Matcher row = ROW.matcher(text.strip());
        if (!row.matches()) {
            return Optional.empty();
        }
        try {
            String owner = Optional.ofNullable(row.group(4)).orElse("");
            return Optional.of(
                    new TenureRow(owner, Long.parseLong(row.group(1)), Long.parseLong(row.group(2)), row.group(3)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
