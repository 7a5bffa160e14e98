package sphere;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which databases ShardingSphere has asked, as it logs with {@code sql-show}. */
final class SqlLog extends Handler {

    private static final Pattern ACTUAL = Pattern.compile("Actual SQL: (\\w+) ::: .*", Pattern.DOTALL);

    /** Kept, since the log manager does not. */
    private final Logger logger = Logger.getLogger("ShardingSphere-SQL");

    private final List<String> databases = new CopyOnWriteArrayList<>();

    SqlLog() {
        logger.addHandler(this);
        logger.setLevel(Level.INFO);
        logger.setUseParentHandlers(false);
    }

    /** The databases of the statements since the last call. */
    List<String> databases() {
        List<String> asked = List.copyOf(databases);
        databases.clear();
        return asked;
    }

    @Override
    public void publish(LogRecord record) {
        Matcher actual = ACTUAL.matcher(record.getMessage());
        if (actual.matches()) {
            databases.add(actual.group(1));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
