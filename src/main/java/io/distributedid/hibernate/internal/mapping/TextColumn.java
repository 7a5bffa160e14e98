package io.distributedid.hibernate.internal.mapping;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/** The length of a text column in characters, by {@code @Column(length)} or a {@code columnDefinition}. */
final class TextColumn {

    /**
     * {@code varchar(20)}, {@code NVARCHAR2 (20 CHAR) NOT NULL}, {@code character varying(20)}; {@code char} alone is
     * one.
     */
    private static final Pattern DEFINITION = Pattern.compile(
            "\\s*(?:national\\s+)?"
                    + "(?:n?char|n?varchar2?|character|nchar\\s+varying|char\\s+varying|character\\s+varying)"
                    + "\\s*\\(\\s*(\\d{1,9})\\s*(?:char|byte)?\\s*\\).*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private TextColumn() {}

    /** Empty if the length is not set, or its definition can't be parsed. */
    static OptionalInt length(@Nullable Value value) {
        if (value == null || value.getColumns().size() != 1) {
            return OptionalInt.empty();
        }
        Column column = value.getColumns().get(0);
        String definition = column.getSqlType();
        if (definition != null) {
            return length(definition);
        }
        Long length = column.getLength();
        return length == null ? OptionalInt.empty() : OptionalInt.of((int) Math.min(length, Integer.MAX_VALUE));
    }

    static OptionalInt length(String sqlType) {
        Matcher text = DEFINITION.matcher(sqlType);
        return text.matches() ? OptionalInt.of(Integer.parseInt(text.group(1))) : OptionalInt.empty();
    }
}
