package boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import photos.Photo;
import photos.PhotoMapper;
import pictures.Picture;
import pictures.PictureMapper;

/** With both starters on the class path, of which an application has one. Settings as in {@code application.yml}. */
class BootTest {

    @EnableAutoConfiguration(excludeName = "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration")
    static class MyBatis {}

    @EnableAutoConfiguration(excludeName = "org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration")
    static class MyBatisPlus {}

    private static ConfigurableApplicationContext run(Class<?>... configurations) {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(configurations)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=jdbc:h2:mem:" + configurations[0].getSimpleName(),
                        "--distributedid.backend=sequence_table",
                        "--distributedid.create-tables=true");
        application
                .getBean(JdbcTemplate.class)
                .execute("CREATE TABLE " + (configurations[0] == MyBatis.class ? "photo" : "picture")
                        + " (id BIGINT PRIMARY KEY, title VARCHAR(100))");
        return application;
    }

    @Test
    void myBatisGetsIdsFromTheBean() {
        DistributedIds ids;
        try (ConfigurableApplicationContext application = run(MyBatis.class, PhotoConfiguration.class)) {
            ids = application.getBean(DistributedIds.class);
            assertThat(ids.sequences()).as("opened by the check").containsExactly("photos");
            PhotoMapper photos = application.getBean(PhotoMapper.class);
            Photo photo = new Photo("sunset");

            photos.insert(photo);

            assertThat(photo.id()).isEqualTo(1);
            assertThat(photos.find(1).title()).isEqualTo("sunset");
        }
        assertThatThrownBy(() -> ids.next("photos"))
                .as("closed with the context")
                .isInstanceOf(IdUnavailableException.class);
    }

    @Test
    void myBatisPlusGetsIdsFromTheBean() {
        try (ConfigurableApplicationContext application = run(MyBatisPlus.class, PictureConfiguration.class)) {
            assertThat(application.getBean(DistributedIds.class).sequences())
                    .as("opened by the check")
                    .containsExactly("pictures");
            PictureMapper pictures = application.getBean(PictureMapper.class);
            Picture picture = new Picture("sunset");

            pictures.insert(picture);

            assertThat(picture.id()).isEqualTo(1);
            assertThat(pictures.selectById(1L).title()).isEqualTo("sunset");
        }
    }
}
