package io.distributedid.backend.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisAddressTest {

    @Test
    void aCommaThatNoServerFollowsIsNamed() {
        Settings settings = Settings.of(Map.of("distributedid.redis.servers", "redis://ids1, redis://:secret@ids2,"));
        assertThatThrownBy(() -> RedisAddress.all(settings))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting has a value that is not allowed: distributedid.redis.servers=redis:")
                .hasMessageNotContaining("secret")
                .hasMessageEndingWith(". Remove the comma that no server follows");
    }
}
