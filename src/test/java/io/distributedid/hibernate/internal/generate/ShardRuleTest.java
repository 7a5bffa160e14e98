package io.distributedid.hibernate.internal.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardResolver;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From a row's key to the number of its shard. */
class ShardRuleTest {

    private static final IdShard FIELD = new IdShard(11, 11);

    private static final boolean TENANT = true;

    private static final boolean USER = false;

    private static ShardRule rule(boolean isTenant, Map<String, ?> settings) {
        return ShardRule.of(Settings.of(settings), isTenant, FIELD);
    }

    private static long remainderBy2000(Object key) {
        return rule(USER, Map.of("distributedid.shard.count", 2000)).shard(key, "entity.userId");
    }

    @Test
    void instagramsUserLiesOnShard1341() {
        assertThat(remainderBy2000(31341L)).isEqualTo(1341);
    }

    @Test
    void wholeNumbersOfAnyTypeGiveTheSameRemainder() {
        assertThat(List.of(
                        31341L,
                        31341,
                        (short) 31341,
                        new BigInteger("31341"),
                        new BigDecimal("31341.00"),
                        "31341",
                        "0031341"))
                .extracting(ShardRuleTest::remainderBy2000)
                .containsOnly(1341L);
        assertThat(remainderBy2000((byte) 7)).isEqualTo(7);
        assertThat(remainderBy2000(new BigInteger("9223372036854775808"))).isEqualTo(1808);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "x", "", "1e3"})
    void otherTextsHaveNoRemainder(String text) {
        assertThatThrownBy(() -> remainderBy2000(text))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A shard is computed from a whole number of 0 or more: entity.userId=" + text
                        + " (java.lang.String), allowed: long, int, short, byte, BigInteger, BigDecimal and String"
                        + " with such"
                        + " a value; for others set distributedid.shard.resolver");
    }

    @Test
    void negativeNumbersAndOtherTypesHaveNoRemainder() {
        for (Object key : List.of(-1L, -1, new BigInteger("-1"), new BigDecimal("0.5"), 1.0, new UUID(0, 1))) {
            assertThatThrownBy(() -> remainderBy2000(key))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "A shard is computed from a whole number of 0 or more: entity.userId=" + key);
        }
    }

    @Test
    void aMissingKeyIsAnError() {
        assertThatThrownBy(() -> rule(TENANT, Map.of()).shard(null, "the session's tenant identifier"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A shard is missing: the session's tenant identifier is null when the id is made");
    }

    @Test
    void theNumberOfShardsIsNeverGuessedForARemainder() {
        assertThatThrownBy(() -> rule(USER, Map.of()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting is missing: distributedid.shard.count, allowed: a number from 1 to 2048. A row's"
                        + " shard is the remainder of its property divided by this number");
    }

    @Test
    void thereAreNotMoreShardsThanTheFieldHolds() {
        assertThatThrownBy(() -> rule(USER, Map.of("distributedid.shard.count", 2049)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.shard.count=2049,"
                        + " allowed: a number from 1 to 2048");
    }

    @Test
    void aTenantIsTheNumber() {
        assertThat(rule(TENANT, Map.of()).shard("2047", "tenant")).isEqualTo(2047);
    }

    @Test
    void aTenantHoldsTheNumberWhereThePatternSays() {
        ShardRule rule = rule(TENANT, Map.of("distributedid.shard.pattern", "(?:eu|us)_(\\d+)_[a-z]+"));

        assertThat(rule.shard("us_0042_live", "tenant")).isEqualTo(42);
        assertThatThrownBy(() -> rule.shard("as_0042_live", "tenant"))
                .hasMessage("A tenant identifier must contain the shard's number: tenant=as_0042_live, allowed:"
                        + " distributedid.shard.pattern=(?:eu|us)_(\\d+)_[a-z]+");
    }

    @ParameterizedTest
    @CsvSource({"2048, 2047", "99999999999999999, 2047"})
    void aTenantOutOfRangeIsAnErrorAndNoRemainder(String tenant, long most) {
        assertThatThrownBy(() -> rule(TENANT, Map.of()).shard(tenant, "tenant"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A shard must exist: shard=" + tenant + " from tenant=" + tenant + ", allowed: 0 to " + most
                        + " (distributedid.shard.count)");
    }

    @Test
    void aTenantAboveTheConfiguredCountIsAnError() {
        ShardRule rule = rule(TENANT, Map.of("distributedid.shard.count", "16"));

        assertThat(rule.shard("15", "tenant")).isEqualTo(15);
        assertThatThrownBy(() -> rule.shard("16", "tenant")).hasMessageContaining("allowed: 0 to 15");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shard_\\d+", "(a)(b)", "("})
    void aPatternHasOneGroup(String pattern) {
        assertThatThrownBy(() -> rule(TENANT, Map.of("distributedid.shard.pattern", pattern)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.shard.pattern=" + pattern
                        + ", allowed: a regular expression with one group, as in shard_(\\d+)");
    }

    @Test
    void aPatternThatNobodyReadsIsRefused() {
        assertThatThrownBy(() -> rule(
                        USER, Map.of("distributedid.shard.count", 16, "distributedid.shard.pattern", "shard_(\\d+)")))
                .hasMessageEndingWith("allowed: nothing, unless distributedid.shard.from=tenant, without"
                        + " distributedid.shard.resolver");
    }

    /** The shard is the length of the key. */
    public static final class Length implements ShardResolver {

        @Override
        public long shard(Object key) {
            return key.toString().length();
        }
    }

    @Test
    void aResolverIsAnObjectOrAClassOrItsName() {
        ShardResolver always7 = key -> 7;

        assertThat(rule(TENANT, Map.of("distributedid.shard.resolver", always7)).shard("x", "tenant"))
                .isEqualTo(7);
        assertThat(rule(USER, Map.of("distributedid.shard.resolver", Length.class))
                        .shard("abc", "tenant"))
                .isEqualTo(3);
        assertThat(rule(USER, Map.of("distributedid.shard.resolver", Length.class.getName()))
                        .shard(new UUID(0, 1), "entity.owner"))
                .isEqualTo(36);
    }

    @Test
    void aResolverThatLeavesTheShardsIsAnError() {
        ShardResolver beyond = key -> -1;

        assertThatThrownBy(() -> rule(TENANT, Map.of("distributedid.shard.resolver", beyond))
                        .shard("x", "tenant"))
                .hasMessageStartingWith("A shard must exist: shard=-1 from tenant=x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.example.Missing", "java.lang.String"})
    void aResolverThatIsNoneIsRefused(String resolver) {
        assertThatThrownBy(() -> rule(TENANT, Map.of("distributedid.shard.resolver", resolver)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.shard.resolver=" + resolver
                        + ", allowed: a io.distributedid.spi.ShardResolver, or the name of such a class with a public"
                        + " no-argument constructor");
    }

    @Test
    void aRowLiesBesideAnotherWhoseKeySaysTheShard() {
        ShardRule rule = ShardRule.sameAs(Settings.of(Map.of("distributedid.shard.count", "2000")), FIELD, FIELD);

        assertThat(rule.shard(5L << 22 | 1341L << 11 | 7, "same_as.photo")).isEqualTo(1341);
        assertThat(rule.shard(Long.toString(1999L << 11), "same_as.photo")).isEqualTo(1999);
        assertThat(rule.shard(String.format("%019d", 1999L << 11), "same_as.photo"))
                .as("padded")
                .isEqualTo(1999);
        assertThat(rule.shard(Long.toString(1L << 62 | 1999L << 11), "same_as.photo"))
                .as("19 digits")
                .isEqualTo(1999);
        assertThatThrownBy(() -> rule.shard(2000L << 11, "same_as.photo"))
                .hasMessage("A shard must exist: shard=2000 from same_as.photo=4096000,"
                        + " allowed: 0 to 1999 (distributedid.shard.count)");
        assertThatThrownBy(() -> rule.shard(null, "same_as.photo"))
                .hasMessage("A shard is missing: same_as.photo is null when the id is made");
    }

    @Test
    void aRowBesideAnotherNeedsNoResolver() {
        assertThatThrownBy(() -> ShardRule.sameAs(
                        Settings.of(Map.of("distributedid.shard.resolver", Length.class.getName())), FIELD, FIELD))
                .hasMessageEndingWith("allowed: nothing, since the shard is in the other row's key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"entity.tenant", "entity.place.userId", "same_as.photo"})
    void aPropertyHasAPath(String text) {
        assertThat(text).matches(RowShard.PATH);
    }

    @ParameterizedTest
    @ValueSource(strings = {"userId", "entity", "entity.", "entity.a..b", "tenant", "caller"})
    void otherTextsAreNoPaths(String text) {
        assertThat(text).doesNotMatch(RowShard.PATH);
    }
}
