package io.distributedid.testkit;

import java.util.HashMap;
import java.util.Map;

/** The ticket tables that there are on MySQL and MariaDB. */
public enum TicketTableKind {
    /** The one that we create. */
    OURS("PRIMARY KEY (stub), KEY (id)) ENGINE=InnoDB"),
    /** As Flickr published it, on InnoDB. */
    FLICKR("PRIMARY KEY (id), UNIQUE KEY stub (stub)) ENGINE=InnoDB"),
    /** As Flickr had it. */
    FLICKR_MYISAM("PRIMARY KEY (id), UNIQUE KEY stub (stub)) ENGINE=MyISAM"),
    /** Yupoo's first design: a row for each ticket. */
    INSERTED("PRIMARY KEY (id)) ENGINE=InnoDB"),
    /** The same, on MyISAM. */
    INSERTED_MYISAM("PRIMARY KEY (id)) ENGINE=MyISAM");

    private final String keys;

    TicketTableKind(String keys) {
        this.keys = keys;
    }

    /** The table's name. */
    public String table() {
        return "Tickets_" + name();
    }

    /** The statement that creates it. */
    public String ddl() {
        return "CREATE TABLE " + table() + " (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,"
                + " stub CHAR(1) NOT NULL DEFAULT '', " + keys;
    }

    /** How a client in another language draws one ticket. */
    public String plainTicket() {
        return (isInserted() ? "INSERT" : "REPLACE") + " INTO " + table() + " (stub) VALUES ('a')";
    }

    /** The backend and the table. */
    public Map<String, String> settings(String servers) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", servers);
        settings.put("distributedid.ticket.table", table());
        settings.put("distributedid.timeout", "30s");
        settings.put("distributedid.create_tables", "true");
        settings.put("distributedid.ticket.style", isInserted() ? "insert" : "replace");
        return settings;
    }

    private boolean isInserted() {
        return this == INSERTED || this == INSERTED_MYISAM;
    }
}
