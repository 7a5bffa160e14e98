package benchmarks.keys;

import benchmarks.Chart.Side;
import com.github.f4b6a3.uuid.UuidCreator;
import io.distributedid.spi.IdSource;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Kinds of primary keys, and how they are stored. */
enum KeyKind {
    OURS("BIGINT, ours", "BIGINT") {
        @Override
        Object next(IdSource ids) {
            return ids.next();
        }
    },
    UUID7("UUIDv7 in BINARY(16)", "BINARY(16)") {
        @Override
        Object next(IdSource ids) {
            return bytes(UuidCreator.getTimeOrderedEpoch());
        }
    },
    UUID4("UUIDv4 in BINARY(16)", "BINARY(16)") {
        @Override
        Object next(IdSource ids) {
            return bytes(UUID.randomUUID());
        }
    },
    UUID4_TEXT("UUIDv4 in CHAR(36)", "CHAR(36) CHARACTER SET ascii") {
        @Override
        Object next(IdSource ids) {
            return UUID.randomUUID().toString();
        }
    };

    final String label;

    final String sqlType;

    KeyKind(String label, String sqlType) {
        this.label = label;
        this.sqlType = sqlType;
    }

    abstract Object next(IdSource ids);

    Side side() {
        return this == OURS ? Side.OURS : Side.OTHER;
    }

    private static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }
}
