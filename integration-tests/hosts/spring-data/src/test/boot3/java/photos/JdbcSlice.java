package photos;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.autoconfigure.data.jdbc.DataJdbcTest;

/** {@code @DataJdbcTest}, which each generation of Boot has in another package. */
@DataJdbcTest(properties = "distributedid.backend=memory")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface JdbcSlice {}
