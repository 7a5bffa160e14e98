package boot;

import io.distributedid.DistributedIds;
import io.distributedid.mybatis.DistributedIdInterceptor;
import org.apache.ibatis.session.SqlSessionFactory;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import photos.PhotoMapper;

/** MyBatis with its Spring Boot starter. */
@Configuration(proxyBeanMethods = false)
@MapperScan(basePackageClasses = PhotoMapper.class)
class PhotoConfiguration {

    /** The starter adds it to the SqlSessionFactory. */
    @Bean
    DistributedIdInterceptor distributedIdInterceptor(DistributedIds ids) {
        return new DistributedIdInterceptor(ids);
    }

    /** Fails the start if an annotation or a sequence is wrong. All mappers are known then. */
    @Bean
    SmartInitializingSingleton idCheck(DistributedIdInterceptor interceptor, SqlSessionFactory sessions) {
        return () -> interceptor.check(sessions.getConfiguration());
    }
}
