package io.distributedid.hibernate.internal.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.boot.spi.MetadataImplementor;
import org.hibernate.dialect.CockroachDialect;
import org.hibernate.dialect.DB2Dialect;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.HANADialect;
import org.hibernate.dialect.HSQLDialect;
import org.hibernate.dialect.MariaDBDialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.OracleDialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.dialect.SQLServerDialect;
import org.hibernate.dialect.SybaseASEDialect;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On every database, the default columns of the allowed types hold all their ids. */
class ColumnWidthsTest {

    @Entity(name = "All")
    static class All {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @DistributedValue(seq = "integers")
        Integer integer;

        @DistributedValue(seq = "ids")
        BigInteger bigInteger;

        @DistributedValue(seq = "ids")
        BigDecimal bigDecimal;

        @DistributedValue(seq = "ids")
        String string;

        @ManyToOne
        All other;
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                CockroachDialect.class,
                DB2Dialect.class,
                H2Dialect.class,
                HANADialect.class,
                HSQLDialect.class,
                MariaDBDialect.class,
                MySQLDialect.class,
                OracleDialect.class,
                PostgreSQLDialect.class,
                SQLServerDialect.class,
                SybaseASEDialect.class
            })
    void holdWhatTheirTypeHolds(Class<? extends Dialect> dialect) {
        try (StandardServiceRegistry registry = new StandardServiceRegistryBuilder()
                .applySetting("hibernate.dialect", dialect.getName())
                .applySetting("hibernate.boot.allow_jdbc_metadata_access", "false")
                .build()) {
            MetadataImplementor metadata = (MetadataImplementor)
                    new MetadataSources(registry).addAnnotatedClass(All.class).buildMetadata();

            List<MappedProperty> columns = MappingScan.of(metadata);
            ReferenceWidths.check(metadata, columns);

            assertThat(columns).hasSize(5).allSatisfy(column -> {
                assertThat(column.ids().conversion().limit())
                        .as(column.toString())
                        .isEmpty();
                assertThat(ColumnWidths.of(column.columns().get(0), metadata, ""))
                        .as(column.toString())
                        .isPresent();
            });
        }
    }
}
