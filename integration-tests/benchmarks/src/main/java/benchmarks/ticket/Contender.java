package benchmarks.ticket;

import benchmarks.Chart.Side;
import benchmarks.ticket.OneByOne.Answer;
import java.util.List;
import java.util.Locale;

/**
 * The ways to take ids from a MySQL server. They take turns in this order and its reverse: the first rival follows on
 * ours.
 */
enum Contender {
    PAIR("ticket, a pair of servers"),
    BLOCK("ticket, one server"),
    REPLACE(
            "REPLACE an id, Flickr's table",
            "REPLACE INTO flickr (stub) VALUES ('a')",
            Answer.LAST_INSERT_ID,
            "CREATE TABLE flickr (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,"
                    + " stub CHAR(1) NOT NULL DEFAULT '' UNIQUE) ENGINE=InnoDB"),
    REPLACE_STUB_KEY(
            "REPLACE an id, our table",
            "REPLACE INTO stub_key (stub) VALUES ('a')",
            Answer.LAST_INSERT_ID,
            "CREATE TABLE stub_key (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub CHAR(1) NOT NULL DEFAULT '',"
                    + " PRIMARY KEY (stub), KEY (id)) ENGINE=InnoDB"),
    INSERT(
            "INSERT an id",
            "INSERT INTO central VALUES ()",
            Answer.GENERATED_KEY,
            "CREATE TABLE central (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY) ENGINE=InnoDB"),
    UPDATE(
            "UPDATE an id, sequence table",
            "UPDATE sequence SET id = LAST_INSERT_ID(id + 1) WHERE name = 'photos'",
            Answer.LAST_INSERT_ID,
            "CREATE TABLE sequence (name VARCHAR(50) PRIMARY KEY, id BIGINT UNSIGNED NOT NULL DEFAULT 0) ENGINE=InnoDB",
            "INSERT INTO sequence (name) VALUES ('photos')");

    /** Empties the central table between turns: whoever deletes while others insert is slower. */
    static final String CLEAN_UP = "DELETE FROM central";

    final String label;

    /** Takes an id; empty for ours. */
    final String draw;

    final Answer answer;

    final List<String> ddl;

    Contender(String label) {
        this(label, "", Answer.LAST_INSERT_ID);
    }

    Contender(String label, String draw, Answer answer, String... ddl) {
        this.label = label;
        this.draw = draw;
        this.answer = answer;
        this.ddl = List.of(ddl);
    }

    Side side() {
        return draw.isEmpty() ? Side.OURS : Side.OTHER;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
