package boot;

import static photos.tables.Tables.PHOTO;

import io.distributedid.DistributedIds;
import io.distributedid.jooq.DistributedIdRecordListener;
import org.springframework.boot.autoconfigure.jooq.DefaultConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** jOOQ with its Spring Boot starter. */
@Configuration(proxyBeanMethods = false)
class PhotoConfiguration {

    /** Fails the start if a column or a sequence is wrong. */
    @Bean
    DefaultConfigurationCustomizer photoIds(DistributedIds ids) {
        return jooq -> jooq.set(DistributedIdRecordListener.of(ids)
                .table(PHOTO, PHOTO.ID, "photos")
                .check());
    }
}
