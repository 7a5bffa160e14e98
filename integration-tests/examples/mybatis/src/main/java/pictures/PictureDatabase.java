package pictures;

import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.MybatisSqlSessionFactoryBuilder;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import io.distributedid.DistributedIds;
import io.distributedid.mybatisplus.DistributedIdentifierGenerator;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import photos.ApplicationDatabase;

/** MyBatis-Plus, with ids from a sequence table in its own database. */
public final class PictureDatabase implements AutoCloseable {

    private final PooledDataSource dataSource;

    private final DistributedIds ids;

    private final SqlSessionFactory sessions;

    public PictureDatabase(String url) {
        dataSource = new PooledDataSource("com.mysql.cj.jdbc.Driver", url, null, null);
        ids = DistributedIds.builder()
                .settings(Map.of("distributedid.backend", "sequence_table", "distributedid.create_tables", true))
                .applicationDatabase(new ApplicationDatabase(dataSource))
                .build();
        sessions = factory(new Environment("pictures", new JdbcTransactionFactory(), dataSource), ids);
    }

    private static SqlSessionFactory factory(Environment environment, DistributedIds ids) {
        MybatisConfiguration configuration = new MybatisConfiguration(environment);
        DistributedIdentifierGenerator generator = new DistributedIdentifierGenerator(ids);
        GlobalConfigUtils.getGlobalConfig(configuration).setIdentifierGenerator(generator);
        configuration.addMapper(PictureMapper.class);
        SqlSessionFactory factory = new MybatisSqlSessionFactoryBuilder().build(configuration);
        generator.check(configuration);
        return factory;
    }

    public SqlSessionFactory sessions() {
        return sessions;
    }

    /** Inserts pictures in one JDBC batch, as {@code saveBatch} does. */
    public void upload(List<Picture> pictures) {
        try (SqlSession session = sessions.openSession(ExecutorType.BATCH)) {
            PictureMapper mapper = session.getMapper(PictureMapper.class);
            pictures.forEach(mapper::insert);
            session.commit();
        }
    }

    /** The ids first: they take connections from the pool. */
    @Override
    public void close() {
        ids.close();
        dataSource.forceCloseAll();
    }
}
