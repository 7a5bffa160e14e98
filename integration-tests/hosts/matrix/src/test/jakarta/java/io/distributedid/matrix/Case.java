package io.distributedid.matrix;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A row of the table. The test passes, or it ends with an exception: then Hibernate or the library has refused the
 * case, which the table says, with the reason. What was neither done rightly nor refused fails an assertion, and the
 * build.
 */
@Test
@ExtendWith(CaseExtension.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Case {

    /** Its name in the table. */
    String value();
}
