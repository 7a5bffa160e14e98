package contender;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.MybatisSqlSessionFactoryBuilder;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import io.distributedid.DistributedId;
import io.distributedid.mybatisplus.DistributedIdentifierGenerator;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** MyBatis-Plus in batch mode. */
final class MyBatisPlusMapper implements Mapper {

    /** Its id comes from the application. */
    @TableName(Memory.TABLE)
    static class Photo {

        @TableId(type = IdType.INPUT)
        Long id;

        String title = TITLE;
    }

    /** Its id comes from the generator. */
    @TableName(Memory.TABLE)
    static class GeneratedPhoto {

        @TableId(type = IdType.ASSIGN_ID)
        @DistributedId(seq = Memory.TABLE)
        Long id;

        String title = TITLE;
    }

    /** The statements of one side. */
    interface Photos extends BaseMapper<Photo> {}

    /** The statements of the other side. */
    interface GeneratedPhotos extends BaseMapper<GeneratedPhoto> {}

    private final Memory memory;

    private final Side side;

    private final SqlSessionFactory sessions;

    MyBatisPlusMapper(Memory memory, Side side) {
        this.memory = memory;
        this.side = side;
        MybatisConfiguration configuration =
                new MybatisConfiguration(new Environment("photos", new JdbcTransactionFactory(), memory.pool));
        if (side == Side.ASSIGNED) {
            configuration.addMapper(Photos.class);
        } else {
            configuration.addMapper(GeneratedPhotos.class);
            GlobalConfigUtils.getGlobalConfig(configuration)
                    .setIdentifierGenerator(new DistributedIdentifierGenerator(memory.ids));
        }
        sessions = new MybatisSqlSessionFactoryBuilder().build(configuration);
    }

    @Override
    public void insert(int rows) {
        try (SqlSession session = sessions.openSession(ExecutorType.BATCH)) {
            for (int row = 1; row <= rows; row++) {
                insert(session);
                if (row % BATCH == 0) {
                    session.flushStatements();
                }
            }
            session.commit();
        }
    }

    private void insert(SqlSession session) {
        if (side == Side.OURS) {
            session.getMapper(GeneratedPhotos.class).insert(new GeneratedPhoto());
        } else {
            Photo photo = new Photo();
            photo.id = memory.nextAssigned();
            session.getMapper(Photos.class).insert(photo);
        }
    }
}
