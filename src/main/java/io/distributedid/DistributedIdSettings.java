package io.distributedid;

/**
 * Every setting, with its unit, range and default. They are read from {@code persistence.xml},
 * {@code hibernate.properties}, the map given to {@code createEntityManagerFactory}, or the map given to
 * {@link DistributedIds#create}.
 *
 * <p>A setting holds for all sequences. Written with {@link #SEQUENCE_PREFIX} and the sequence's name in place of the
 * prefix it holds for that sequence alone: {@code distributedid.seq.photos.ticket.table=TicketsPhotos}. An unknown name
 * fails the start.
 *
 * <p>Durations are written {@code 250ms}, {@code 10s}, {@code 5m}, {@code 2h}, or as in ISO 8601 ({@code PT10S}).
 */
public final class DistributedIdSettings {

    /** What every setting begins with. */
    public static final String PREFIX = "distributedid.";

    /** What the settings of one sequence begin with, followed by its name and a dot. */
    public static final String SEQUENCE_PREFIX = PREFIX + "seq.";

    /**
     * Where ids come from: {@code ticket}, {@code sequence_table}, {@code snowflake}, {@code next_id}, the name of
     * another installed backend, or the class name of a {@code BackendProvider}. No default.
     */
    public static final String BACKEND = PREFIX + "backend";

    /**
     * The ticket servers, in order: JDBC URLs or JNDI names separated by commas, or one or a collection of
     * {@link javax.sql.DataSource}. No default.
     */
    public static final String TICKET_SERVERS = PREFIX + "ticket.servers";

    /** The user for all ticket servers given by URL, unless the URL names one. */
    public static final String TICKET_USER = PREFIX + "ticket.user";

    /** The password of {@link #TICKET_USER}. Appears in no log and no error. */
    public static final String TICKET_PASSWORD = PREFIX + "ticket.password";

    /** The ticket table, {@code name} or {@code schema.name}. Default {@code Tickets64}. */
    public static final String TICKET_TABLE = PREFIX + "ticket.table";

    /**
     * Who divides the id space between the servers. {@code server} (default): each server's own
     * {@code auto_increment_increment} and {@code auto_increment_offset}, which are checked on every new connection.
     * {@code client}: the place of the server in {@link #TICKET_SERVERS}, which is claimed in the server's table at
     * first use, so that a list in another order or of another length is refused.
     */
    public static final String TICKET_NUMBERING = PREFIX + "ticket.numbering";

    /**
     * Whether a missing ticket table is created, {@code true} or {@code false}. Default {@code false}: it is an error.
     */
    public static final String TICKET_CREATE_TABLE = PREFIX + "ticket.create_table";

    /**
     * How long one server may take to connect or to answer before the next is asked, 100ms to 1m. Default {@code 2s}.
     */
    public static final String TICKET_TIMEOUT = PREFIX + "ticket.timeout";

    /**
     * How ids are drawn: {@code replace} (default), Flickr's way, with one row that is replaced; or {@code insert}, the
     * central auto-increment table, with a row for each block, of which old ones are deleted.
     */
    public static final String TICKET_STYLE = PREFIX + "ticket.style";

    /**
     * Width of the ids, {@code 64} (default) or {@code 32}: of the column in the table's DDL, and of the default
     * table's name, {@code Tickets64} or {@code Tickets32}.
     */
    public static final String TICKET_BITS = PREFIX + "ticket.bits";

    /**
     * How far the last ids of two servers may lie apart, 1000000 to 2^60. One that lags further is raised to the
     * others; if it lags further when a process first meets it, {@link #TICKET_BEHIND} says what is done. Default
     * 10000000.
     */
    public static final String TICKET_MAX_DISTANCE = PREFIX + "ticket.max_distance";

    /**
     * What is done with a server that lags by more than {@link #TICKET_MAX_DISTANCE} when a process first meets it, as
     * after a restore from an old backup: {@code refuse} (default), or {@code raise} it above the others by twice that
     * distance.
     */
    public static final String TICKET_BEHIND = PREFIX + "ticket.behind";

    /**
     * What is done when a replica has taken a server's place, which may lack the ids that the server gave last:
     * {@code raise} (default) it by {@link #TICKET_MAX_DISTANCE} above all ids that are known; {@code refuse} it until
     * an operator has repaired it; or {@code lossless}: go on, since the replication loses nothing that was committed.
     */
    public static final String TICKET_FAILOVER = PREFIX + "ticket.failover";

    /**
     * The servers that hold the sequence table, given as for {@link #TICKET_SERVERS}; several divide the ids between
     * them, and any of them is enough. Default: the persistence unit's own database, whose ids are then unique in that
     * database only.
     */
    public static final String SEQUENCE_TABLE_SERVERS = PREFIX + "sequence_table.servers";

    /** The user for a server given by URL, unless the URL names one. */
    public static final String SEQUENCE_TABLE_USER = PREFIX + "sequence_table.user";

    /** The password of {@link #SEQUENCE_TABLE_USER}. Appears in no log and no error. */
    public static final String SEQUENCE_TABLE_PASSWORD = PREFIX + "sequence_table.password";

    /**
     * The least id that a sequence gives, 1 to 2^62. A counter that lies below is raised when the sequence is opened.
     * Default 1.
     */
    public static final String SEQUENCE_TABLE_START = PREFIX + "sequence_table.start";

    /** As {@link #TICKET_MAX_DISTANCE}, for several servers. Default 10000000. */
    public static final String SEQUENCE_TABLE_MAX_DISTANCE = PREFIX + "sequence_table.max_distance";

    /** As {@link #TICKET_BEHIND}, for several servers. Default {@code refuse}. */
    public static final String SEQUENCE_TABLE_BEHIND = PREFIX + "sequence_table.behind";

    /** As {@link #TICKET_FAILOVER}, also for a single server. Default {@code raise}. */
    public static final String SEQUENCE_TABLE_FAILOVER = PREFIX + "sequence_table.failover";

    /** The sequence table, {@code name} or {@code schema.name}. Default {@code sequence}. */
    public static final String SEQUENCE_TABLE_TABLE = PREFIX + "sequence_table.table";

    /** As {@link #TICKET_CREATE_TABLE}, for the sequence table. */
    public static final String SEQUENCE_TABLE_CREATE_TABLE = PREFIX + "sequence_table.create_table";

    /** As {@link #TICKET_TIMEOUT}, for the sequence table. */
    public static final String SEQUENCE_TABLE_TIMEOUT = PREFIX + "sequence_table.timeout";

    /**
     * How the bits of an id are divided, most significant first: {@code snowflake} (default; 41 bits of time in
     * milliseconds, 10 worker, 12 sequence), {@code data_centre_business} (41 time, 6 data centre, 6 business, 10
     * sequence), {@code seconds} (32 time in seconds, 11 worker, 20 sequence), {@code baidu} (28 time in seconds, 22
     * worker, 13 sequence), {@code instagram} (40 time, 13 shard, 10 sequence), {@code js53} (31 time in seconds, 8
     * worker, 14 sequence: exact in JavaScript), or any other as text: {@code time(10ms):39, data_centre:4, worker:10,
     * sequence:10}. Must never change once ids have been issued.
     */
    public static final String SNOWFLAKE_LAYOUT = PREFIX + "snowflake.layout";

    /**
     * The instant at which the time field is zero, ISO 8601, not in the future. Must never change once ids have been
     * issued. Default {@code 2024-01-01T00:00:00Z}; for the layout {@code instagram} {@code 2011-08-24T21:07:01.721Z}.
     */
    public static final String SNOWFLAKE_EPOCH = PREFIX + "snowflake.epoch";

    /**
     * The number of this process, 0 to 1023 in the default layout. No two processes (or persistence units of one
     * process) that run at the same time may have the same, within one data centre if the layout has that field.
     * {@code statefulset:photos}: the ordinal of this pod of the Kubernetes StatefulSet photos, on a host photos-0,
     * photos-1, and so on. {@code lease}: the lowest number that nobody has, leased from
     * {@link #SNOWFLAKE_LEASE_STORE}. {@code single_use}: from there too, but each start takes a number that is never
     * used again. Beside {@link #SNOWFLAKE_LEASE_SERVER} or {@link #SNOWFLAKE_LEASE_STORE} exactly the number that is
     * set is leased, so that a second process with it is refused. No default: none is ever guessed.
     */
    public static final String SNOWFLAKE_WORKER = PREFIX + "snowflake.worker";

    /** Who leases worker numbers: {@code jdbc} (default), a table of a database, or {@code zookeeper}. */
    public static final String SNOWFLAKE_LEASE_STORE = PREFIX + "snowflake.lease.store";

    /**
     * The database that holds the table of worker numbers, a JDBC URL, JNDI name or {@link javax.sql.DataSource}; or
     * {@code application}, the persistence unit's own database. The same one for all processes of an id space: shards
     * with a table each would lease the same numbers. One alone, since several would have to agree. No default.
     */
    public static final String SNOWFLAKE_LEASE_SERVER = PREFIX + "snowflake.lease.server";

    /** The user for a server given by URL, unless the URL names one, or for ZooKeeper's scheme {@code digest}. */
    public static final String SNOWFLAKE_LEASE_USER = PREFIX + "snowflake.lease.user";

    /** The password of {@link #SNOWFLAKE_LEASE_USER}. Appears in no log and no error. */
    public static final String SNOWFLAKE_LEASE_PASSWORD = PREFIX + "snowflake.lease.password";

    /** The table of worker numbers, {@code name} or {@code schema.name}. Default {@code snowflake_worker}. */
    public static final String SNOWFLAKE_LEASE_TABLE = PREFIX + "snowflake.lease.table";

    /** As {@link #TICKET_CREATE_TABLE}, for the table of worker numbers. */
    public static final String SNOWFLAKE_LEASE_CREATE_TABLE = PREFIX + "snowflake.lease.create_table";

    /** As {@link #TICKET_TIMEOUT}, for the store of worker numbers. */
    public static final String SNOWFLAKE_LEASE_TIMEOUT = PREFIX + "snowflake.lease.timeout";

    /** ZooKeeper's servers, {@code host:port} separated by commas. No default. */
    public static final String SNOWFLAKE_LEASE_ZOOKEEPER = PREFIX + "snowflake.lease.zookeeper";

    /** The node of ZooKeeper below which worker numbers are. Default {@code /distributedid/workers}. */
    public static final String SNOWFLAKE_LEASE_PATH = PREFIX + "snowflake.lease.path";

    /**
     * The worker numbers that this process may lease, as in {@code 100-1023}: so that they differ from those of
     * processes with fixed numbers that run at the same time. Default: all that fit the layout.
     */
    public static final String SNOWFLAKE_LEASE_NUMBERS = PREFIX + "snowflake.lease.numbers";

    /**
     * How far ahead of the clock time is reserved, 1s to 24h. Default {@code 60s}. It is renewed when half is over; a
     * store may be away for the other half, and a number is free that long after its owner was killed.
     */
    public static final String SNOWFLAKE_LEASE_WINDOW = PREFIX + "snowflake.lease.window";

    /**
     * How far the local clock may be from the store's for a window to be asked for, 1ms to a quarter of the window.
     * Default: a quarter of the window.
     */
    public static final String SNOWFLAKE_LEASE_MAX_CLOCK_SKEW = PREFIX + "snowflake.lease.max_clock_skew";

    /** How long the start waits for a number while all are taken, 0ms to 1h. Default: the window. */
    public static final String SNOWFLAKE_LEASE_WAIT = PREFIX + "snowflake.lease.wait";

    /**
     * Who leased worker numbers before they moved, as {@link #SNOWFLAKE_LEASE_STORE}. While any of these settings is
     * set, a process leases its number at the old place and at the new one, until {@code distributedid move-workers}
     * has ended the move.
     */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_STORE = PREFIX + "snowflake.lease.moving_from.store";

    /** The database that held the worker numbers before they moved, as {@link #SNOWFLAKE_LEASE_SERVER}. No default. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_SERVER = PREFIX + "snowflake.lease.moving_from.server";

    /** As {@link #SNOWFLAKE_LEASE_USER}, for the place before. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_USER = PREFIX + "snowflake.lease.moving_from.user";

    /** The password of {@link #SNOWFLAKE_LEASE_MOVING_FROM_USER}. Appears in no log and no error. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_PASSWORD = PREFIX + "snowflake.lease.moving_from.password";

    /** The table that held the worker numbers before they moved. Default {@code snowflake_worker}. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_TABLE = PREFIX + "snowflake.lease.moving_from.table";

    /** As {@link #SNOWFLAKE_LEASE_ZOOKEEPER}, for the place before. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_ZOOKEEPER = PREFIX + "snowflake.lease.moving_from.zookeeper";

    /** As {@link #SNOWFLAKE_LEASE_PATH}, for the place before. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_PATH = PREFIX + "snowflake.lease.moving_from.path";

    /** The data centre of this process, if the layout has that field. No default. */
    public static final String SNOWFLAKE_DATA_CENTRE = PREFIX + "snowflake.data_centre";

    /**
     * The number of the business that ids are for, if the layout has that field; usually set for each sequence. No
     * default.
     */
    public static final String SNOWFLAKE_BUSINESS = PREFIX + "snowflake.business";

    /**
     * The logical shard of all ids of this process, if the layout has that field and {@link #SHARD_FROM} is not set. No
     * default.
     */
    public static final String SNOWFLAKE_SHARD = PREFIX + "snowflake.shard";

    /**
     * Whether each sequence counts for itself, {@code sequence} (default), or all sequences with {@code shared} count
     * together, so that their ids are unique across entities.
     */
    public static final String SNOWFLAKE_COUNTER = PREFIX + "snowflake.counter";

    /**
     * The path of a state file, one for each process with a fixed number, on a disk of this machine that outlives the
     * process. It remembers up to when the number was used, so that no time is used again if the clock is set back
     * while the process is down, or if two processes have the number by mistake. Written are files with a suffix, such
     * as {@code worker-7.17}; leave them alone. After a crash the first id waits for up to a second. Refused on network
     * file systems and where there are no hard links. No default.
     */
    public static final String SNOWFLAKE_STATE_FILE = PREFIX + "snowflake.state_file";

    /**
     * How far ids may run ahead of the clock in a burst, 1ms to 10s; at least one unit of the layout's time. Default
     * {@code 100ms}. The first ids after a start lie that far ahead, above all that a process of the same worker
     * number, killed just before, can have issued.
     */
    public static final String SNOWFLAKE_MAX_AHEAD = PREFIX + "snowflake.max_ahead";

    /**
     * How far the clock may have gone back for callers to wait until it is right again, 0ms to 1m; beyond it they get
     * an error at once. Default {@code 1s}.
     */
    public static final String SNOWFLAKE_CLOCK_TOLERANCE = PREFIX + "snowflake.clock_tolerance";

    /**
     * The PostgreSQL function that makes ids, {@code name} or {@code schema.name}; without a schema it is looked for in
     * that of the connection. Its sequence has the same name and {@code _seq}. Default {@code next_id}.
     */
    public static final String NEXT_ID_FUNCTION = PREFIX + "next_id.function";

    /**
     * How the function counts: {@code hardened} (default), whose ids survive a clock that goes back and any burst; or
     * {@code instagram}, as Instagram published it. To be changed only while nobody inserts.
     */
    public static final String NEXT_ID_FORM = PREFIX + "next_id.form";

    /**
     * How the bits of an id are divided: {@code instagram} (default; 40 bits of time in milliseconds, 13 shard, 10
     * sequence), or any other layout of time, shard and sequence, as in {@code time(ms):41, shard:12, sequence:10}.
     * Must never change once ids have been issued.
     */
    public static final String NEXT_ID_LAYOUT = PREFIX + "next_id.layout";

    /** As {@link #SNOWFLAKE_EPOCH}, for {@link #NEXT_ID_LAYOUT}. */
    public static final String NEXT_ID_EPOCH = PREFIX + "next_id.epoch";

    /**
     * The logical shard that is the persistence unit's own database, or its schema there: 0 to what the layout's field
     * holds. With it the schema export creates the function, and the start checks its ids. No default; not needed where
     * each tenant is a shard.
     */
    public static final String NEXT_ID_SHARD = PREFIX + "next_id.shard";

    /**
     * How many ids a session asks its database for at once, at the most, where ids are made by the function
     * {@code next_id()}: 1 to 1,000. Default {@code 50}. It begins with one, or with its own JDBC batch size if it has
     * one.
     */
    public static final String NEXT_ID_BATCH = PREFIX + "next_id.batch";

    /**
     * What says on which logical shard a row lies, so that its id can carry the number: {@code tenant}, Hibernate's
     * tenant identifier; {@code entity.userId}, a property of the entity, perhaps in an embedded one or the id of
     * another entity ({@code entity.owner}), whose remainder by {@link #SHARD_COUNT} it is; {@code same_as.photo}, the
     * shard in the key of another entity, so that a comment lies beside its photo; or {@code caller}, an argument of
     * {@link DistributedIds#nextOnShard(String, long)}. No default.
     */
    public static final String SHARD_FROM = PREFIX + "shard.from";

    /**
     * How many logical shards there are, 1 to what the layout's field holds. Needed for {@code value % shards} of an
     * entity's property; otherwise a bound, with the field's as the default. Never to be changed once there are rows
     * whose shard is a remainder.
     */
    public static final String SHARD_COUNT = PREFIX + "shard.count";

    /**
     * A regular expression whose one group is the shard's number in a tenant identifier, as in {@code shard_(\d+)}.
     * Default {@code (\d+)}: the identifier is the number.
     */
    public static final String SHARD_PATTERN = PREFIX + "shard.pattern";

    /**
     * The user's own rule in place of pattern and remainder, a {@link io.distributedid.spi.ShardResolver} or its class
     * name.
     */
    public static final String SHARD_RESOLVER = PREFIX + "shard.resolver";

    /** The smallest number of ids reserved at once, 1 to {@link #BLOCK_MAX}. Default {@code 16}. */
    public static final String BLOCK_MIN = PREFIX + "block.min";

    /**
     * The largest number of ids reserved at once, 1 to 10,000,000. Default {@code 100000}. 1 is the strict mode: every
     * id is fetched when it is asked for, in the order of the server.
     */
    public static final String BLOCK_MAX = PREFIX + "block.max";

    /**
     * How long after its reservation an id may be handed out, 1s to 24h, or {@code off}. Default {@code 10s}: ids from
     * all nodes are in time order within that bound.
     */
    public static final String BLOCK_MAX_AGE = PREFIX + "block.max_age";

    /**
     * How long callers that find no id wait for a server, 10ms to 10m. Default {@code 10s}. It counts from the
     * beginning of the outage: a shorter failover is waited out, and who asks later gets an error at once, until a
     * server answers again. A start waits as long for servers that do not answer yet.
     */
    public static final String BLOCK_TIMEOUT = PREFIX + "block.timeout";

    /**
     * What becomes of a sequence that lies below the largest id in an entity's table when the SessionFactory is
     * created, as after a move from AUTO_INCREMENT. {@code refuse} (default): an error. {@code raise}: a counter is
     * raised above it. {@code ignore}: the table is not looked at.
     *
     * <p>Ids that hold the time lie below if the clock does: because it is behind, or another epoch or unit is set than
     * the ids were made with. Up to {@link #SNOWFLAKE_MAX_AHEAD} and {@link #SNOWFLAKE_CLOCK_TOLERANCE}
     * ({@link #SNOWFLAKE_LEASE_MAX_CLOCK_SKEW} where numbers are leased) the start waits; with {@code raise} up to
     * {@link #BLOCK_TIMEOUT}, and the error then names an epoch that fits. Where ids may be assigned
     * ({@link DistributedId#assigned}) it is a warning.
     *
     * <p>A column that can't be read quickly is not compared; a warning says so.
     */
    public static final String EXISTING_IDS = PREFIX + "existing_ids";

    private DistributedIdSettings() {}
}
