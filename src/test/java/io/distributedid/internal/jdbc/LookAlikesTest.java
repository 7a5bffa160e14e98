package io.distributedid.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Version texts of servers, from their documentation and issue trackers. */
class LookAlikesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TiDB | 8.0.11-TiDB-v7.5.0 | TiDB Server (Apache License 2.0) Community Edition, MySQL 8.0 compatible",
                "OceanBase | 5.7.25-OceanBase-v4.2.1.0 | OceanBase_CE 4.2.1.0",
                "OceanBase | 5.7.25 | OceanBase 3.2.3.0 (r1-1)",
                "Vitess | 8.0.30-Vitess | MySQL Community Server - GPL",
                "Vitess | 8.0.34 | Version: 19.0.0 (Git revision 1234 branch 'HEAD') built on Tue",
                "SingleStore | 5.7.32 | SingleStoreDB source distribution (compatible; MySQL Enterprise & MySQL"
                        + " Commercial)",
                "MemSQL | 5.5.58 | MemSQL source distribution (compatible; MySQL Enterprise & MySQL Commercial)",
                "Dolt | 8.0.33 | Dolt",
                "Xpand | 5.0.45-Xpand-6.1 | MariaDB",
                "ShardingSphere | 8.0.30 | Source distribution 5.7.22-ShardingSphere-Proxy 5.4.1",
                "CockroachDB | CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27) | 13.0.0",
                "YugabyteDB | PostgreSQL 11.2-YB-2.18.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang |"
                        + " 11.2-YB-2.18.0.0-b0",
                "Redshift | PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.5 |"
                        + " 8.0.2",
                "Greenplum | PostgreSQL 12.12 (Greenplum DedicatedConnection 7.0.0 build commit:0a7a) on x86_64 | 12.12"
            })
    void aLookAlikeIsRefused(String product, String version, String more) {
        assertThatThrownBy(() -> LookAlikes.refuse(version, more, "server 1"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("Ids can't be reserved on this server: server 1 product=" + product + " version=" + version
                        + ", allowed: MySQL, MariaDB, PostgreSQL, H2, including Percona, Aurora and managed servers."
                        + " List such a server");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8.0.31 | MySQL Community Server - GPL",
                "8.0.36-28 | Percona Server (GPL), Release 28, Revision 47601f19",
                "8.0.28 | Source distribution",
                "8.0.34-google | (Google)",
                "8.4.2-cloud | MySQL Enterprise - Cloud",
                "11.4.5-MariaDB-log | MariaDB Server",
                "10.11.6-MariaDB-0+deb12u1 | Debian 12",
                "5.5.5-10.6.12-MariaDB | managed by https://aws.amazon.com/rds/",
                "PostgreSQL 18.6 on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0, 64-bit | 18.6",
                "PostgreSQL 15.2 (EnterpriseDB Advanced Server 15.2.0) on x86_64-pc-linux-gnu | 15.2",
                "PostgreSQL 16.1 on aarch64-unknown-linux-gnu, compiled by aarch64-unknown-linux-gnu-gcc (GCC) 9.5.0"
                        + " | 16.1"
            })
    void theRealOnesAreServed(String version, String more) {
        assertThatCode(() -> LookAlikes.refuse(version, more, "server 1")).doesNotThrowAnyException();
    }

    @Test
    void aServerThatSaysNothingIsServed() {
        assertThatCode(() -> LookAlikes.refuse("", "", "server 1")).doesNotThrowAnyException();
    }
}
