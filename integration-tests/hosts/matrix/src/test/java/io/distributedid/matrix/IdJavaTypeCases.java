package io.distributedid.matrix;

import io.distributedid.DistributedId;
import io.distributedid.matrix.IdCases.PhotoNumber;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.JavaType;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.junit.jupiter.api.Order;

/** An id of a type that only Hibernate can be told of. */
@Order(1)
class IdJavaTypeCases {

    /** Tells Hibernate of a type of the application. */
    public static final class PhotoNumberJavaType extends AbstractClassJavaType<PhotoNumber> {

        private static final long serialVersionUID = 1L;

        /** For Hibernate. */
        public PhotoNumberJavaType() {
            super(PhotoNumber.class);
        }

        @Override
        public JdbcType getRecommendedJdbcType(JdbcTypeIndicators context) {
            return context.getTypeConfiguration().getJdbcTypeRegistry().getDescriptor(SqlTypes.BIGINT);
        }

        @Override
        public <X> X unwrap(PhotoNumber value, Class<X> type, WrapperOptions options) {
            return value == null ? null : type.cast(value.value());
        }

        @Override
        public <X> PhotoNumber wrap(X value, WrapperOptions options) {
            if (value instanceof Long number) {
                return new PhotoNumber(number);
            }
            return (PhotoNumber) value;
        }
    }

    @Entity(name = "OfJavaType")
    static class OfJavaType {
        @Id
        @DistributedId
        @JavaType(PhotoNumberJavaType.class)
        PhotoNumber id;
    }

    @Case("id: own type, @JavaType")
    void javaType() {
        IdCases.check(new OfJavaType(), new PhotoNumber(101));
    }
}
