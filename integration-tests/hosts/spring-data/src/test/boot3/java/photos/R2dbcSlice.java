package photos;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.autoconfigure.data.r2dbc.DataR2dbcTest;

/** {@code @DataR2dbcTest}, which each generation of Boot has in another package. */
@DataR2dbcTest(properties = {"distributedid.backend=memory", "spring.r2dbc.url=r2dbc:h2:mem:///slice"})
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface R2dbcSlice {}
