package io.distributedid.matrix;

import io.distributedid.DistributedValue;
import io.distributedid.matrix.IdCases.PhotoNumber;
import io.distributedid.matrix.IdJavaTypeCases.PhotoNumberJavaType;
import jakarta.persistence.Entity;
import org.hibernate.annotations.JavaType;
import org.junit.jupiter.api.Order;

/** A column of a type that only Hibernate can be told of. */
@Order(4)
class ValueJavaTypeCases {

    @Entity(name = "OfJavaType")
    static class OfJavaType extends ValueCases.Base {
        @DistributedValue(seq = "numbers")
        @JavaType(PhotoNumberJavaType.class)
        PhotoNumber number;
    }

    @Case("column: own type, @JavaType")
    void javaType() {
        ValueCases.check(new OfJavaType());
    }
}
