package photos;

import io.distributedid.DistributedIds;
import io.distributedid.mybatis.DistributedIdInterceptor;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** MyBatis, with ids from a sequence table in its own database. */
public final class PhotoDatabase implements AutoCloseable {

    private final PooledDataSource dataSource;

    private final DistributedIds ids;

    private final SqlSessionFactory sessions;

    public PhotoDatabase(String url) {
        dataSource = new PooledDataSource("com.mysql.cj.jdbc.Driver", url, null, null);
        ids = DistributedIds.builder()
                .settings(Map.of("distributedid.backend", "sequence_table", "distributedid.create_tables", true))
                .applicationDatabase(new ApplicationDatabase(dataSource))
                .build();
        sessions = factory(new Environment("photos", new JdbcTransactionFactory(), dataSource), ids);
    }

    private static SqlSessionFactory factory(Environment environment, DistributedIds ids) {
        Configuration configuration = new Configuration(environment);
        configuration.addMapper(PhotoMapper.class);
        DistributedIdInterceptor interceptor = new DistributedIdInterceptor(ids);
        configuration.addInterceptor(interceptor);
        interceptor.check(configuration);
        return new SqlSessionFactoryBuilder().build(configuration);
    }

    public SqlSessionFactory sessions() {
        return sessions;
    }

    public DistributedIds ids() {
        return ids;
    }

    /** Inserts photos in one JDBC batch. */
    public void upload(List<Photo> photos) {
        try (SqlSession session = sessions.openSession(ExecutorType.BATCH)) {
            PhotoMapper mapper = session.getMapper(PhotoMapper.class);
            photos.forEach(mapper::insert);
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
