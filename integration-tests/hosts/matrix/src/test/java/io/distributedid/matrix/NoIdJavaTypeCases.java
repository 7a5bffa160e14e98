package io.distributedid.matrix;

import io.distributedid.DistributedId;
import io.distributedid.matrix.IdCases.PhotoNumber;
import io.distributedid.matrix.IdJavaTypeCases.PhotoNumberJavaType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.JavaType;
import org.junit.jupiter.api.Order;

/** What stands for no id in a type that only Hibernate can be told of. */
@Order(10)
class NoIdJavaTypeCases {

    @Entity(name = "OfJavaType")
    static class OfJavaType {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        @JavaType(PhotoNumberJavaType.class)
        PhotoNumber id = new PhotoNumber(0);
    }

    @Case("assigned = true, id 0: own type, @JavaType")
    void javaType() {
        NoIdCases.check(new OfJavaType(), new OfJavaType(), new OfJavaType());
    }
}
