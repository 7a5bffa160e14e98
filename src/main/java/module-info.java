/** Globally unique, time-ordered 64-bit ids for sharded databases; a plug-in for Hibernate ORM that works without it too. */
module io.distributedid {
    requires transitive java.sql;
    requires java.naming;
    requires static org.hibernate.orm.core;
    requires static org.jspecify;

    exports io.distributedid;
    exports io.distributedid.spi;
    exports io.distributedid.hibernate;

    uses io.distributedid.spi.BackendProvider;

    provides io.distributedid.spi.BackendProvider with
            io.distributedid.ticket.TicketBackendProvider,
            io.distributedid.sequencetable.SequenceTableBackendProvider,
            io.distributedid.snowflake.SnowflakeBackendProvider;
}
