/**
 * Globally unique, time-ordered 64-bit ids for sharded databases; a plug-in for Hibernate ORM that works without it
 * too: always on the class path, and on the module path from JDK 25 on. Earlier JDKs do not resolve a module that
 * provides a service whose type is missing.
 */
module io.distributedid {
    requires transitive java.sql;
    requires java.naming;
    requires java.net.http;
    requires jdk.jfr;
    requires static org.hibernate.orm.core;
    requires static com.carrotsearch.hppc;
    requires static com.baomidou.mybatis.plus.annotation;
    requires static com.baomidou.mybatis.plus.core;
    requires static hibernate.reactive.core;
    requires static info.picocli;
    requires static io.netty.codec;
    requires static io.netty.codec.http;
    requires static io.netty.common;
    requires static io.netty.transport;
    requires static io.vertx.core;
    requires static jakarta.persistence;
    requires static lettuce.core;
    requires static micrometer.core;
    requires static micrometer.registry.prometheus;
    requires static org.crac;
    requires static org.eclipse.persistence.core;
    requires static org.jspecify;
    requires static org.reactivestreams;
    requires static reactor.core;
    requires static org.jooq;
    requires static org.mybatis;
    requires static org.yaml.snakeyaml;
    requires static spring.beans;
    requires static spring.boot;
    requires static spring.boot.actuator;
    requires static spring.boot.autoconfigure;
    requires static spring.boot.health;
    requires static spring.context;
    requires static spring.core;
    requires static spring.data.commons;
    requires static spring.data.r2dbc;
    requires static spring.data.relational;
    requires static spring.orm;

    exports io.distributedid;
    exports io.distributedid.eclipselink;
    exports io.distributedid.jooq;
    exports io.distributedid.micrometer;
    exports io.distributedid.mybatis;
    exports io.distributedid.mybatisplus;
    exports io.distributedid.backend.nextid;
    exports io.distributedid.spi;
    exports io.distributedid.hibernate;
    // Hibernate makes generators and binders by reflection.
    exports io.distributedid.hibernate.internal.generate to
            org.hibernate.orm.core;
    exports io.distributedid.hibernate.internal.mapping to
            org.hibernate.orm.core;

    opens io.distributedid.spring to
            spring.beans,
            spring.context,
            spring.core;
    opens io.distributedid.spring.data to
            spring.beans,
            spring.context,
            spring.core;

    uses io.distributedid.internal.registry.Checkpoints;
    uses io.distributedid.spi.BackendProvider;
    uses java.sql.Driver;

    provides io.distributedid.spi.BackendProvider with
            io.distributedid.backend.ticket.TicketBackendProvider,
            io.distributedid.backend.sequencetable.SequenceTableBackendProvider,
            io.distributedid.backend.snowflake.SnowflakeBackendProvider,
            io.distributedid.backend.nextid.NextIdBackendProvider,
            io.distributedid.backend.redis.RedisBackendProvider,
            io.distributedid.backend.remote.RemoteBackendProvider,
            io.distributedid.backend.memory.MemoryBackendProvider;
    provides io.distributedid.internal.registry.Checkpoints with
            io.distributedid.crac.CracCheckpoints;
    provides org.hibernate.service.spi.SessionFactoryServiceContributor with
            io.distributedid.hibernate.internal.UnitIdsContributor;
    provides org.hibernate.integrator.spi.Integrator with
            io.distributedid.hibernate.internal.schema.BootCheck;
    provides org.hibernate.boot.spi.AdditionalMappingContributor with
            io.distributedid.hibernate.internal.schema.SchemaContributor,
            io.distributedid.reactive.ReactiveContributor;
    provides org.hibernate.boot.model.FunctionContributor with
            io.distributedid.hibernate.internal.query.IdFunctions;
}
