package io.distributedid.backend.nextid;

import io.distributedid.spi.Settings;

/** The name of a function and its sequence, in SQL without quotes: {@code next_id} or {@code schema.next_id}. */
record FunctionName(String name) {

    private static final String SUFFIX = "_seq";

    /** PostgreSQL truncates longer names, so that two could become one. */
    private static final int LONGEST = 63 - SUFFIX.length();

    static FunctionName of(Settings settings) {
        String name = settings.get(NextIdSettings.FUNCTION);
        if (name.length() - name.lastIndexOf('.') - 1 > LONGEST) {
            throw settings.invalid(NextIdSettings.FUNCTION, name, "a name of at most " + LONGEST + " characters");
        }
        return new FunctionName(name);
    }

    boolean hasSchema() {
        return name.indexOf('.') >= 0;
    }

    /** Adds the schema, unless the name has one. */
    FunctionName inSchema(String schema) {
        return hasSchema() ? this : new FunctionName(schema + "." + name);
    }

    String sequence() {
        return name + SUFFIX;
    }

    @Override
    public String toString() {
        return name;
    }
}
