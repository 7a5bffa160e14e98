package contender;

import io.distributedid.DistributedId;
import io.distributedid.mybatis.DistributedIdInterceptor;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** MyBatis in batch mode. Both sides have the plug-in only if it has work. */
final class MyBatisMapper implements Mapper {

    private static final String SQL = "INSERT INTO " + Memory.TABLE + " (id, title) VALUES (#{id}, #{title})";

    /** Its id comes from the application. */
    static class Photo {

        Long id;

        final String title = TITLE;

        public Long getId() {
            return id;
        }

        public String getTitle() {
            return title;
        }
    }

    /** Its id comes from the plug-in. */
    static class GeneratedPhoto {

        @DistributedId(seq = Memory.TABLE)
        Long id;

        final String title = TITLE;

        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }

        public String getTitle() {
            return title;
        }
    }

    /** The statements. */
    interface Photos {

        @Insert(SQL)
        int insert(Photo photo);

        @Insert(SQL)
        int insertGenerated(GeneratedPhoto photo);
    }

    private final Memory memory;

    private final Side side;

    private final SqlSessionFactory sessions;

    MyBatisMapper(Memory memory, Side side) {
        this.memory = memory;
        this.side = side;
        Configuration configuration =
                new Configuration(new Environment("photos", new JdbcTransactionFactory(), memory.pool));
        configuration.addMapper(Photos.class);
        if (side == Side.OURS) {
            DistributedIdInterceptor interceptor = new DistributedIdInterceptor(memory.ids);
            configuration.addInterceptor(interceptor);
            interceptor.check(configuration);
        }
        sessions = new SqlSessionFactoryBuilder().build(configuration);
    }

    @Override
    public void insert(int rows) {
        try (SqlSession session = sessions.openSession(ExecutorType.BATCH)) {
            Photos photos = session.getMapper(Photos.class);
            for (int row = 1; row <= rows; row++) {
                insert(photos);
                if (row % BATCH == 0) {
                    session.flushStatements();
                }
            }
            session.commit();
        }
    }

    private void insert(Photos photos) {
        if (side == Side.OURS) {
            photos.insertGenerated(new GeneratedPhoto());
        } else {
            Photo photo = new Photo();
            photo.id = memory.nextAssigned();
            photos.insert(photo);
        }
    }
}
