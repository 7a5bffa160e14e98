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
     * Where ids come from: {@code ticket}, {@code sequence_table}, {@code redis}, {@code snowflake}, {@code next_id},
     * {@code remote}, for tests {@code memory}, the name of another installed backend, or the class name of a
     * {@code BackendProvider}. No default.
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
     * What divides the id space between the servers. {@code server} (default): each server's own
     * {@code auto_increment_increment} and {@code auto_increment_offset}, which are checked on every new connection.
     * {@code client}: the server's place in {@link #TICKET_SERVERS}, and {@link #TICKET_INCREMENT}. At first use both
     * are recorded on the server; a list in another order, or another increment, is refused.
     */
    public static final String TICKET_NUMBERING = PREFIX + "ticket.numbering";

    /**
     * The distance between two ids of one server, with {@link #TICKET_NUMBERING}{@code =client}: at least the number of
     * servers, at most 1000. Default: the number of servers. With {@code 10}, servers can be added up to the tenth
     * while applications run. Must be the same in all applications.
     */
    public static final String TICKET_INCREMENT = PREFIX + "ticket.increment";

    /**
     * Whether to create a missing ticket table, {@code true} or {@code false}. Default {@code false}: a missing table
     * is an error.
     */
    public static final String TICKET_CREATE_TABLE = PREFIX + "ticket.create_table";

    /**
     * Limits the time to connect to a server, and the time of each of its answers, 100ms to 1m. Default {@code 2s}. One
     * call needs several answers, so it may take several times as long before the next server is asked.
     */
    public static final String TICKET_TIMEOUT = PREFIX + "ticket.timeout";

    /**
     * How many connections to keep to each server, 1 to 8. Default {@code 1}, on which the blocks of a thousand
     * sequences are reserved together. More of them let hot sequences wait less for others: each sequence uses one.
     */
    public static final String TICKET_CONNECTIONS = PREFIX + "ticket.connections";

    /**
     * How ids are drawn. {@code replace} (default): one row is replaced again and again, as Flickr did. {@code insert}:
     * the central auto-increment table, with a row for each block; old rows are deleted.
     */
    public static final String TICKET_STYLE = PREFIX + "ticket.style";

    /**
     * Width of the ids, {@code 64} (default) or {@code 32}: of the column in the table's DDL, and of the default
     * table's name, {@code Tickets64} or {@code Tickets32}.
     */
    public static final String TICKET_BITS = PREFIX + "ticket.bits";

    /**
     * How far the last ids of two servers may lie apart, 1000000 to 2^60. Default 10000000. A server that falls further
     * behind is raised to the others. If it is further behind when a process first connects to it,
     * {@link #TICKET_BEHIND} decides.
     */
    public static final String TICKET_MAX_DISTANCE = PREFIX + "ticket.max_distance";

    /**
     * What to do with a server that lies more than {@link #TICKET_MAX_DISTANCE} behind when a process first connects to
     * it, for example after a restore from an old backup. {@code refuse} (default): do not use it. {@code raise}: raise
     * it above the others by twice that distance.
     */
    public static final String TICKET_BEHIND = PREFIX + "ticket.behind";

    /**
     * What to do when a replica has taken a server's place, and may lack the last ids of that server. {@code raise}
     * (default): raise it by {@link #TICKET_MAX_DISTANCE} above all known ids. {@code refuse}: do not use it until an
     * operator has repaired it. {@code lossless}: use it as it is, because the replication loses no commit.
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

    /** As {@link #TICKET_CONNECTIONS}, for the sequence table. They come from the application's pool if it is there. */
    public static final String SEQUENCE_TABLE_CONNECTIONS = PREFIX + "sequence_table.connections";

    /**
     * The servers of Redis or Valkey, in order, as URLs separated by commas: {@code redis://host:6379},
     * {@code rediss://host:6379} with TLS, {@code redis-sentinel://host:26379,host2:26379/0#master-name},
     * {@code redis-cluster://host:6379,host2:6379}. Several divide the ids between them, and any of them is enough; a
     * master with replicas, or a cluster, is one. No default.
     */
    public static final String REDIS_SERVERS = PREFIX + "redis.servers";

    /** The user for all servers of {@link #REDIS_SERVERS}, unless the URL names one. */
    public static final String REDIS_USER = PREFIX + "redis.user";

    /** The password of {@link #REDIS_USER}. Appears in no log and no error. */
    public static final String REDIS_PASSWORD = PREFIX + "redis.password";

    /**
     * The path of a PEM file with the certificates that the servers' own must be signed by, for {@code rediss://}.
     * Default: those that the JVM trusts.
     */
    public static final String REDIS_TRUST = PREFIX + "redis.trust";

    /**
     * Whether the server may lose ids at a crash. {@code always} (default): a server that does not write each change to
     * its disk before it answers ({@code appendonly=yes}, {@code appendfsync=always}), or does not let this be read, is
     * refused. {@code may_lose}: it is used, and counters jump after each of its restarts, see {@link #REDIS_FAILOVER}.
     */
    public static final String REDIS_DURABILITY = PREFIX + "redis.durability";

    /**
     * What the keys begin with, up to 100 letters, digits, {@code _}, {@code -}, {@code .} and {@code :}. Default
     * {@code distributedid}: the counter of photos is <code>distributedid:{photos}</code>.
     */
    public static final String REDIS_KEY = PREFIX + "redis.key";

    /** As {@link #SEQUENCE_TABLE_START}, for Redis. Default 1. */
    public static final String REDIS_START = PREFIX + "redis.start";

    /**
     * As {@link #TICKET_MAX_DISTANCE}; also how far a counter jumps after a restart or a failover, see
     * {@link #REDIS_FAILOVER}. Must exceed the ids that are given in the time that a replica lags. Default 10000000.
     */
    public static final String REDIS_MAX_DISTANCE = PREFIX + "redis.max_distance";

    /** As {@link #TICKET_BEHIND}, for several servers. Default {@code refuse}. */
    public static final String REDIS_BEHIND = PREFIX + "redis.behind";

    /**
     * What to do when a server has started anew, or a replica has taken its place: it may lack the last ids.
     * {@code raise} (default): raise it by {@link #REDIS_MAX_DISTANCE} above all known ids. {@code refuse}: do not use
     * it until an operator has repaired it. {@code lossless}: use it as it is; only for a server without replicas, and
     * with {@link #REDIS_DURABILITY}{@code =always}.
     */
    public static final String REDIS_FAILOVER = PREFIX + "redis.failover";

    /** As {@link #TICKET_TIMEOUT}, for Redis. */
    public static final String REDIS_TIMEOUT = PREFIX + "redis.timeout";

    /** As {@link #TICKET_CONNECTIONS}, for Redis. */
    public static final String REDIS_CONNECTIONS = PREFIX + "redis.connections";

    /**
     * Where numbers per key come from. {@code row} (default): a row for each key, in the application's database or on
     * servers. {@code section}: the memory of the process that owns the key. {@code remote}: an issuing service. A
     * schema export creates the tables if this or another setting of numbers per key is set, or if an entity numbers
     * per key.
     */
    public static final String KEYED_BACKEND = PREFIX + "keyed.backend";

    /**
     * The servers that hold the rows of numbers per key, given as for {@link #TICKET_SERVERS}. Each key has its row on
     * one of them, which the key alone decides; so another list is refused. Default: the application's database.
     */
    public static final String KEYED_ROW_SERVERS = PREFIX + "keyed.row.servers";

    /** The user for a server given by URL, unless the URL names one. */
    public static final String KEYED_ROW_USER = PREFIX + "keyed.row.user";

    /** The password of {@link #KEYED_ROW_USER}. Appears in no log and no error. */
    public static final String KEYED_ROW_PASSWORD = PREFIX + "keyed.row.password";

    /**
     * The table with a row for each key, {@code name} or {@code schema.name}. Default {@code keyed_sequence}. Also
     * holds the records of sequences that are numbered from memory.
     */
    public static final String KEYED_ROW_TABLE = PREFIX + "keyed.row.table";

    /**
     * As {@link #TICKET_CREATE_TABLE}, for the table of numbers per key. For numbers taken in the caller's transaction
     * it has no effect: the table must be there.
     */
    public static final String KEYED_ROW_CREATE_TABLE = PREFIX + "keyed.row.create_table";

    /**
     * How many connections to keep to each server of numbers per key, 1 to 64. Default 4. A key uses one at a time, so
     * that a busy key delays no other. They come from the application's pool if the table is in its database.
     */
    public static final String KEYED_ROW_CONNECTIONS = PREFIX + "keyed.row.connections";

    /** As {@link #TICKET_TIMEOUT}, for numbers per key. */
    public static final String KEYED_ROW_TIMEOUT = PREFIX + "keyed.row.timeout";

    /**
     * The store that says which process owns which keys: a database, given by a JDBC URL ({@code jdbc:...}), a JNDI
     * name ({@code java:...}) or a {@code DataSource} object in the settings map; or {@code zookeeper}. Default: the
     * application's database.
     */
    public static final String KEYED_SECTION_STORE = PREFIX + "keyed.section.store";

    /** The user for a store given by URL, unless the URL names one, or for ZooKeeper's scheme {@code digest}. */
    public static final String KEYED_SECTION_USER = PREFIX + "keyed.section.user";

    /** The password of {@link #KEYED_SECTION_USER}. Appears in no log and no error. */
    public static final String KEYED_SECTION_PASSWORD = PREFIX + "keyed.section.password";

    /** ZooKeeper's servers, {@code host:port} separated by commas. No default. */
    public static final String KEYED_SECTION_ZOOKEEPER = PREFIX + "keyed.section.zookeeper";

    /** The node of ZooKeeper below which sections are. Default {@code /distributedid/sections}. */
    public static final String KEYED_SECTION_PATH = PREFIX + "keyed.section.path";

    /** The table with a row for each section, {@code name} or {@code schema.name}. Default {@code keyed_section}. */
    public static final String KEYED_SECTION_TABLE = PREFIX + "keyed.section.table";

    /** As {@link #TICKET_CREATE_TABLE}, for the table of sections and that of {@link #KEYED_ROW_TABLE}. */
    public static final String KEYED_SECTION_CREATE_TABLE = PREFIX + "keyed.section.create_table";

    /**
     * Into how many sections the keys of a sequence are divided, 1 to 4096. Default 64. A section belongs to one
     * process at a time. The first use of a sequence records the number; another one is refused.
     */
    public static final String KEYED_SECTION_SECTIONS = PREFIX + "keyed.section.sections";

    /**
     * How long a process gives numbers without an answer of the store, 1s to 1m. Default 5s. If a process dies, others
     * take over its keys after this time.
     */
    public static final String KEYED_SECTION_LEASE = PREFIX + "keyed.section.lease";

    /**
     * How many bytes of memory the keys may take, 1048576 to 2^40. Default 67108864 (64 MiB). A key takes 5 bytes if
     * its neighbours are keys too, and up to 24 if not. If they are used up, the keys of a section are forgotten, and
     * its numbers jump.
     */
    public static final String KEYED_SECTION_MEMORY = PREFIX + "keyed.section.memory";

    /** As {@link #TICKET_TIMEOUT}, for the store of sections, up to half the lease. Default 2s or a third of it. */
    public static final String KEYED_SECTION_TIMEOUT = PREFIX + "keyed.section.timeout";

    /**
     * How other processes are told to reach this one, up to 200 printable characters of ASCII. No two processes may
     * have the same. Default: host, pid and start of the process.
     */
    public static final String KEYED_SECTION_ADDRESS = PREFIX + "keyed.section.address";

    /**
     * What keeps the numbers of a key in order when it gets another owner. {@code leased} (default): monotonic clocks
     * whose rates differ by at most 1 %. {@code confirmed}: no clock, but a read of the store for each call; calls that
     * wait share one.
     */
    public static final String KEYED_SECTION_ORDER = PREFIX + "keyed.section.order";

    /**
     * The servers of an issuing service that gives numbers per key, as {@link #REMOTE_SERVERS}. If each key has a
     * server of its own, all must be listed. No default.
     */
    public static final String KEYED_REMOTE_SERVERS = PREFIX + "keyed.remote.servers";

    /** The token that these servers ask for. Appears in no log and no error. */
    public static final String KEYED_REMOTE_TOKEN = PREFIX + "keyed.remote.token";

    /** As {@link #REMOTE_TRUST}, for these servers. */
    public static final String KEYED_REMOTE_TRUST = PREFIX + "keyed.remote.trust";

    /** As {@link #REMOTE_TIMEOUT}, for these servers. */
    public static final String KEYED_REMOTE_TIMEOUT = PREFIX + "keyed.remote.timeout";

    /**
     * How the bits of an id are divided, most significant first: {@code snowflake} (default; 41 bits of time in
     * milliseconds, 10 worker, 12 sequence), {@code data_centre_business} (41 time, 6 data centre, 6 business, 10
     * sequence), {@code seconds} (32 time in seconds, 11 worker, 20 sequence), {@code baidu} (28 time in seconds, 22
     * worker, 13 sequence), {@code instagram} (40 time, 13 shard, 10 sequence), {@code js53} (31 time in seconds, 8
     * worker, 14 sequence: exact in JavaScript), {@code strict} (41 time, 22 sequence; with {@link #SNOWFLAKE_WORKER}
     * {@code exclusive}), or any other as text: {@code time(10ms):39, data_centre:4, worker:10, sequence:10}. Must
     * never change once ids have been issued.
     */
    public static final String SNOWFLAKE_LAYOUT = PREFIX + "snowflake.layout";

    /**
     * The instant at which the time field is zero, ISO 8601, not in the future. Must never change once ids have been
     * issued. Default {@code 2024-01-01T00:00:00Z}; for the layout {@code instagram} {@code 2011-08-24T21:07:01.721Z}.
     */
    public static final String SNOWFLAKE_EPOCH = PREFIX + "snowflake.epoch";

    /**
     * The number of this process, 0 to 1023 in the default layout. Two processes, or two persistence units of one
     * process, must never have the same number at the same time. If the layout has a data centre, this holds within
     * each data centre. {@code statefulset:photos}: the ordinal of this pod of the Kubernetes StatefulSet photos, on a
     * host photos-0, photos-1, and so on. {@code lease}: the lowest free number, leased from
     * {@link #SNOWFLAKE_LEASE_STORE}. {@code single_use}: leased from there too, but each start takes a number that was
     * never used. If {@link #SNOWFLAKE_LEASE_SERVER} or {@link #SNOWFLAKE_LEASE_STORE} is set, a fixed number is leased
     * as well, so a second process with it is refused. {@code exclusive}: ids hold no worker number, since one process
     * at a time makes them, in strict order; the others stand by. No default: a number is never guessed.
     */
    public static final String SNOWFLAKE_WORKER = PREFIX + "snowflake.worker";

    /**
     * Where worker numbers are leased: {@code jdbc} (default), a table of a database; {@code zookeeper}; or
     * {@code service}, the servers of an issuing service, for processes without a database.
     */
    public static final String SNOWFLAKE_LEASE_STORE = PREFIX + "snowflake.lease.store";

    /**
     * The database with the table of worker numbers: a JDBC URL, JNDI name or {@link javax.sql.DataSource}; or
     * {@code application}, the persistence unit's own database. It must be the same for all processes of an id space:
     * shards with a table each would lease the same numbers. Only one is allowed, because several would have to agree.
     * No default.
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

    /**
     * As {@link #TICKET_TIMEOUT}, for the store of worker numbers. With {@link #SNOWFLAKE_WORKER} {@code exclusive} at
     * most half of the lease, and by default a third of it if that is less.
     */
    public static final String SNOWFLAKE_LEASE_TIMEOUT = PREFIX + "snowflake.lease.timeout";

    /** ZooKeeper's servers, {@code host:port} separated by commas. No default. */
    public static final String SNOWFLAKE_LEASE_ZOOKEEPER = PREFIX + "snowflake.lease.zookeeper";

    /** The node of ZooKeeper below which worker numbers are. Default {@code /distributedid/workers}. */
    public static final String SNOWFLAKE_LEASE_PATH = PREFIX + "snowflake.lease.path";

    /**
     * The servers of an issuing service that serves worker numbers, as {@link #REMOTE_SERVERS}. All must have one
     * store. No default.
     */
    public static final String SNOWFLAKE_LEASE_SERVICE = PREFIX + "snowflake.lease.service";

    /** The token that these servers ask for. Appears in no log and no error. */
    public static final String SNOWFLAKE_LEASE_TOKEN = PREFIX + "snowflake.lease.token";

    /** As {@link #REMOTE_TRUST}, for these servers. */
    public static final String SNOWFLAKE_LEASE_TRUST = PREFIX + "snowflake.lease.trust";

    /**
     * The worker numbers that this process may lease, as in {@code 100-1023}. Use it if other processes run with fixed
     * numbers at the same time. Default: all that fit the layout.
     */
    public static final String SNOWFLAKE_LEASE_NUMBERS = PREFIX + "snowflake.lease.numbers";

    /**
     * How far ahead of the clock a process reserves time, 1s to 24h. Default {@code 60s}. The window is renewed when
     * half of it is over, so the store may be down for the other half. The number of a killed process is free again
     * after one window.
     */
    public static final String SNOWFLAKE_LEASE_WINDOW = PREFIX + "snowflake.lease.window";

    /**
     * How far the local clock may differ from the store's clock, 1ms to a quarter of the window. With a larger
     * difference no window is leased. Default: a quarter of the window. With {@link #SNOWFLAKE_WORKER}
     * {@code exclusive} 1ms to 6h, by default 15s.
     */
    public static final String SNOWFLAKE_LEASE_MAX_CLOCK_SKEW = PREFIX + "snowflake.lease.max_clock_skew";

    /** How long the start waits for a free number, 0ms to 1h. Default: the window. */
    public static final String SNOWFLAKE_LEASE_WAIT = PREFIX + "snowflake.lease.wait";

    /**
     * With {@link #SNOWFLAKE_WORKER} {@code exclusive}: how long the active process makes ids without an answer of the
     * store, 1s to 1m. Default {@code 5s}. A process that stands by takes over at most a second later.
     */
    public static final String SNOWFLAKE_LEASE_DURATION = PREFIX + "snowflake.lease.duration";

    /**
     * With {@link #SNOWFLAKE_WORKER} {@code exclusive}: how this process is named to those that stand by, for example
     * by the address at which it gives ids. Default: host, pid and start of the process.
     */
    public static final String SNOWFLAKE_LEASE_OWNER = PREFIX + "snowflake.lease.owner";

    /**
     * The store that worker numbers move from, as {@link #SNOWFLAKE_LEASE_STORE}. While any of these settings is set, a
     * process leases its number at the old place and at the new one. {@code distributedid move-workers} ends the move.
     */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_STORE = PREFIX + "snowflake.lease.moving_from.store";

    /** The database that worker numbers move from, as {@link #SNOWFLAKE_LEASE_SERVER}. No default. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_SERVER = PREFIX + "snowflake.lease.moving_from.server";

    /** As {@link #SNOWFLAKE_LEASE_USER}, for the place that worker numbers move from. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_USER = PREFIX + "snowflake.lease.moving_from.user";

    /** The password of {@link #SNOWFLAKE_LEASE_MOVING_FROM_USER}. Appears in no log and no error. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_PASSWORD = PREFIX + "snowflake.lease.moving_from.password";

    /** The table that worker numbers move from. Default {@code snowflake_worker}. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_TABLE = PREFIX + "snowflake.lease.moving_from.table";

    /** As {@link #SNOWFLAKE_LEASE_ZOOKEEPER}, for the place that worker numbers move from. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_ZOOKEEPER = PREFIX + "snowflake.lease.moving_from.zookeeper";

    /** As {@link #SNOWFLAKE_LEASE_PATH}, for the place that worker numbers move from. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_PATH = PREFIX + "snowflake.lease.moving_from.path";

    /** As {@link #SNOWFLAKE_LEASE_SERVICE}, for the place that worker numbers move from. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_SERVICE = PREFIX + "snowflake.lease.moving_from.service";

    /** The token that these servers ask for. Appears in no log and no error. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_TOKEN = PREFIX + "snowflake.lease.moving_from.token";

    /** As {@link #REMOTE_TRUST}, for these servers. */
    public static final String SNOWFLAKE_LEASE_MOVING_FROM_TRUST = PREFIX + "snowflake.lease.moving_from.trust";

    /** The data centre of this process, if the layout has that field. No default. */
    public static final String SNOWFLAKE_DATA_CENTRE = PREFIX + "snowflake.data_centre";

    /** The number of the business, if the layout has that field. It is usually set for each sequence. No default. */
    public static final String SNOWFLAKE_BUSINESS = PREFIX + "snowflake.business";

    /**
     * The logical shard of all ids of this process, if the layout has that field and {@link #SHARD_FROM} is not set. No
     * default.
     */
    public static final String SNOWFLAKE_SHARD = PREFIX + "snowflake.shard";

    /**
     * {@code sequence} (default): each sequence counts alone. {@code shared}: all sequences with this value count
     * together, so their ids are unique across entities.
     */
    public static final String SNOWFLAKE_COUNTER = PREFIX + "snowflake.counter";

    /**
     * The path of a state file, on a disk of this machine that outlives the process; one for each process with a fixed
     * number. The file stores until when the number was used. No time is used again if the clock is set back while the
     * process is down, or if two processes have the number by mistake. The files have a suffix, such as
     * {@code worker-7.17}; do not change them. After a crash the first id waits for up to a second. Network file
     * systems, and those without hard links, are refused. No default.
     */
    public static final String SNOWFLAKE_STATE_FILE = PREFIX + "snowflake.state_file";

    /**
     * How far ids may run ahead of the clock in a burst: 1ms to 10s, with a fixed worker number to 100ms; at least one
     * unit of the layout's time. Default {@code 100ms}. The first ids of a fixed number lie 100ms ahead, or one unit:
     * above all ids that a process with the same number, killed just before, can have issued.
     */
    public static final String SNOWFLAKE_MAX_AHEAD = PREFIX + "snowflake.max_ahead";

    /**
     * If the clock goes back by up to this much, callers wait until it is right again, 0ms to 1m. Default {@code 1s}.
     * If it goes back further, callers get an error at once.
     */
    public static final String SNOWFLAKE_CLOCK_TOLERANCE = PREFIX + "snowflake.clock_tolerance";

    /**
     * The PostgreSQL function that makes ids, {@code name} or {@code schema.name}. A name without schema is looked up
     * in the schema of the connection. Its sequence has the same name and {@code _seq}. Default {@code next_id}.
     */
    public static final String NEXT_ID_FUNCTION = PREFIX + "next_id.function";

    /**
     * How the function counts. {@code hardened} (default): its ids stay unique in any burst and when the clock goes
     * back. {@code instagram}: as Instagram published it. Change it only while no rows are inserted.
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
     * The logical shard of the persistence unit's own database, or of its schema there: 0 to what the layout's field
     * holds. If it is set, the schema export creates the function, and the start checks its ids. No default; not needed
     * where each tenant is a shard.
     */
    public static final String NEXT_ID_SHARD = PREFIX + "next_id.shard";

    /**
     * The most ids that a session asks the function {@code next_id()} for at once, 1 to 1,000. Default {@code 50}. The
     * first request is for one id, or for the session's JDBC batch size if it has its own.
     */
    public static final String NEXT_ID_BATCH = PREFIX + "next_id.batch";

    /**
     * The servers of an issuing service: {@code http} or {@code https} addresses separated by commas, as in
     * {@code https://ids1:8443, https://ids2:8443}. One of them is enough. No default.
     */
    public static final String REMOTE_SERVERS = PREFIX + "remote.servers";

    /** The token that the issuing service asks for. Appears in no log and no error. */
    public static final String REMOTE_TOKEN = PREFIX + "remote.token";

    /**
     * The path of a PEM file with the certificates that the servers' own must be signed by. Default: those that the JVM
     * trusts.
     */
    public static final String REMOTE_TRUST = PREFIX + "remote.trust";

    /** Limits the time from a request to the end of its answer, as {@link #TICKET_TIMEOUT}. Default {@code 2s}. */
    public static final String REMOTE_TIMEOUT = PREFIX + "remote.timeout";

    /**
     * The smallest id of the backend {@code memory}, 1 to 2^62. Default {@code 1000001}: rows that a test writes by
     * hand, with small ids, lie below it. Above larger ids in the tables of the entities the counter is raised at the
     * start.
     */
    public static final String MEMORY_START = PREFIX + "memory.start";

    /**
     * Where the logical shard of a row comes from, so that its id can carry the number. {@code tenant}: Hibernate's
     * tenant identifier. {@code entity.userId}: a property of the entity, perhaps in an embedded object, or the id of
     * another entity ({@code entity.owner}); the shard is its remainder by {@link #SHARD_COUNT}. {@code same_as.photo}:
     * the shard in the key of another entity, so that a comment lies beside its photo. {@code caller}: the argument of
     * {@link DistributedIds#nextOnShard(String, long)}. No default.
     */
    public static final String SHARD_FROM = PREFIX + "shard.from";

    /**
     * The number of logical shards, 1 to what the layout's field holds. Needed if the shard is the remainder of a
     * property; then it must never change once there are rows. Otherwise it is a limit, by default what the field
     * holds.
     */
    public static final String SHARD_COUNT = PREFIX + "shard.count";

    /**
     * A regular expression with one group, the shard's number in a tenant identifier, as in {@code shard_(\d+)}.
     * Default {@code (\d+)}: the identifier is the number.
     */
    public static final String SHARD_PATTERN = PREFIX + "shard.pattern";

    /**
     * The application's own rule in place of pattern and remainder: a {@link io.distributedid.spi.ShardResolver} or its
     * class name.
     */
    public static final String SHARD_RESOLVER = PREFIX + "shard.resolver";

    /** The smallest number of ids reserved at once, 1 to {@link #BLOCK_MAX}. Default {@code 16}. */
    public static final String BLOCK_MIN = PREFIX + "block.min";

    /**
     * The largest number of ids reserved at once, 1 to 10,000,000. Default {@code 100000}. With 1, the strict mode,
     * each id is fetched when a caller asks for it, in the order of the server.
     */
    public static final String BLOCK_MAX = PREFIX + "block.max";

    /**
     * How long after its reservation an id may be handed out, 1s to 24h, or {@code off}. Default {@code 10s}: ids from
     * all nodes are in time order within that bound.
     */
    public static final String BLOCK_MAX_AGE = PREFIX + "block.max_age";

    /**
     * How long callers without an id wait for a server, 10ms to 10m. Default {@code 10s}. The time counts from the
     * beginning of the outage: callers wait through a shorter failover, later callers get an error at once, until a
     * server answers again. A start waits as long for servers that do not answer yet, and for a connection to the
     * application's database.
     */
    public static final String BLOCK_TIMEOUT = PREFIX + "block.timeout";

    /**
     * What to do if a sequence lies below the largest id in an entity's table when the SessionFactory is created, for
     * example after a move from AUTO_INCREMENT. {@code refuse} (default): fail. {@code raise}: raise a counter above
     * it. {@code ignore}: do not read the table.
     *
     * <p>For ids that hold the time, the clock takes the place of the counter. They lie below existing ids if the clock
     * is behind, or if the existing ids were made with another epoch or unit. The start waits up to
     * {@link #SNOWFLAKE_MAX_AHEAD} and {@link #SNOWFLAKE_CLOCK_TOLERANCE} ({@link #SNOWFLAKE_LEASE_MAX_CLOCK_SKEW}
     * where numbers are leased); with {@code raise} it waits up to {@link #BLOCK_TIMEOUT}. The error for an id that
     * lies further ahead says when to repeat it, or names an epoch that fits. Where ids may be assigned
     * ({@link DistributedId#assigned}) it is a warning.
     *
     * <p>A column that can't be read within {@link #EXISTING_IDS_TIMEOUT} is not compared; a warning says so.
     */
    public static final String EXISTING_IDS = PREFIX + "existing_ids";

    /**
     * How long each query for the ids that exist may take when the SessionFactory is created: a duration from 1s to
     * 10m; 2s by default. Set it higher if a busy database is to delay the start rather than to leave a sequence
     * uncompared. A query for the columns of several sequences may take as long as the longest of theirs.
     */
    public static final String EXISTING_IDS_TIMEOUT = PREFIX + "existing_ids_timeout";

    /**
     * When the sequences of the entities are opened. {@code start} (default): when the SessionFactory is created.
     * {@code lazy}: each at its first id, so that the start asks no server. Holds for all sequences.
     *
     * <p>With {@code lazy}, errors of settings and servers appear at the first id of a sequence, in the application's
     * transaction. Sequences are not compared with the ids that exist, whatever {@link #EXISTING_IDS} says: a counter
     * that lies below them gives ids twice. The first id of a sequence needs a further connection to the application's
     * database for a moment. Mappings are checked at the start in any case.
     */
    public static final String OPEN = PREFIX + "open";

    /**
     * What to do if there are settings for a sequence that no entity uses, most likely because its name is misspelt.
     * {@code warn} (default): log it when the SessionFactory is created. {@code refuse}: fail. {@code ignore}: nothing,
     * for a sequence that the application uses without an entity. Without Hibernate it has no effect.
     */
    public static final String UNUSED_SEQUENCES = PREFIX + "unused_sequences";

    private DistributedIdSettings() {}
}
