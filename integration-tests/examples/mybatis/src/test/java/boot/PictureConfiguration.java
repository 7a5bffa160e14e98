package boot;

import io.distributedid.DistributedIds;
import io.distributedid.mybatisplus.DistributedIdentifierGenerator;
import org.apache.ibatis.session.SqlSessionFactory;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import pictures.PictureMapper;

/** MyBatis-Plus with its Spring Boot starter. */
@Configuration(proxyBeanMethods = false)
@MapperScan(basePackageClasses = PictureMapper.class)
class PictureConfiguration {

    /** The starter takes it in place of MyBatis-Plus's own generator. */
    @Bean
    DistributedIdentifierGenerator identifierGenerator(DistributedIds ids) {
        return new DistributedIdentifierGenerator(ids);
    }

    /** Fails the start if an annotation or a sequence is wrong. All mappers are known then. */
    @Bean
    SmartInitializingSingleton idCheck(DistributedIdentifierGenerator generator, SqlSessionFactory sessions) {
        return () -> generator.check(sessions.getConfiguration());
    }
}
