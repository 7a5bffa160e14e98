package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.InstanceFactory;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardResolver;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Computes the number of a row's logical shard from a key. Immutable, thread-safe.
 *
 * <ul>
 *   <li>Tenant identifier: the number in it, found by the group of {@code distributedid.shard.pattern}.
 *   <li>Property of the row: the remainder, {@code value % shards}, as Instagram's {@code user_id % 2000}. The value is
 *       a whole number of 0 or more, or a text of decimal digits.
 *   <li>Either of them with a {@link ShardResolver}: its result.
 *   <li>Id of another row: the shard in that id.
 * </ul>
 *
 * A number outside the range of shards is an error; no value is cut or rounded to fit.
 */
final class ShardRule {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

    /** With the leading zeros of a padded id. */
    private static final Pattern ID = Pattern.compile("[0-9]{1,19}");

    private final long count;

    /** From a key and its name in messages to the shard. */
    private final ToLongBiFunction<Object, String> rule;

    private ShardRule(long count, ToLongBiFunction<Object, String> rule) {
        this.count = count;
        this.rule = rule;
    }

    /** The rule for tenants, or for a property; {@code field} is the place of the shard in ids. */
    static ShardRule of(Settings settings, boolean isTenant, IdShard field) {
        Optional<ShardResolver> resolver =
                InstanceFactory.of(settings, CoreSettings.SHARD_RESOLVER, ShardResolver.class);
        if (isTenant && resolver.isEmpty()) {
            Pattern pattern = pattern(settings);
            return new ShardRule(
                    CoreSettings.shards(settings, field.count()), (key, keyName) -> inside(key, keyName, pattern));
        }
        settings.requireUnset(
                CoreSettings.SHARD_PATTERN,
                "nothing, unless distributedid.shard.from=tenant, without distributedid.shard.resolver");
        if (resolver.isPresent()) {
            ShardResolver users = resolver.get();
            return new ShardRule(CoreSettings.shards(settings, field.count()), (key, keyName) -> users.shard(key));
        }
        long count = settings.require(
                CoreSettings.SHARD_COUNT.within(1L, field.count()),
                "A row's shard is the remainder of its property divided by this number");
        return new ShardRule(count, (key, keyName) -> remainder(key, keyName, count));
    }

    /** The rule for rows on the shard of another row; {@code others} is the place of the shard in the other's ids. */
    static ShardRule sameAs(Settings settings, IdShard others, IdShard field) {
        for (Setting<?> unused : List.of(CoreSettings.SHARD_RESOLVER, CoreSettings.SHARD_PATTERN)) {
            settings.requireUnset(unused, "nothing, since the shard is in the other row's key");
        }
        long count = CoreSettings.shards(settings, field.count());
        return new ShardRule(
                count, (key, keyName) -> others.of(number(key, keyName).longValueExact()));
    }

    private static Pattern pattern(Settings settings) {
        Setting<String> setting = CoreSettings.SHARD_PATTERN;
        String text = settings.get(setting);
        try {
            Pattern pattern = Pattern.compile(text);
            if (pattern.matcher("").groupCount() != 1) {
                throw settings.invalid(setting, text, setting.allowed());
            }
            return pattern;
        } catch (PatternSyntaxException e) {
            IdConfigurationException error = settings.invalid(setting, text, setting.allowed());
            error.initCause(e);
            throw error;
        }
    }

    private static long inside(Object key, String keyName, Pattern pattern) {
        Matcher match = pattern.matcher(key.toString());
        if (!match.matches()
                || match.group(1) == null
                || !DIGITS.matcher(match.group(1)).matches()) {
            throw new IdConfigurationException("A tenant identifier must contain the shard's number: " + keyName + "="
                    + key + ", allowed: distributedid.shard.pattern=" + pattern);
        }
        return Long.parseLong(match.group(1));
    }

    private static long remainder(Object key, String keyName, long count) {
        return number(key, keyName).mod(BigInteger.valueOf(count)).longValue();
    }

    private static BigInteger number(Object key, String keyName) {
        BigInteger value = null;
        if (key instanceof Long || key instanceof Integer || key instanceof Short || key instanceof Byte) {
            value = BigInteger.valueOf(((Number) key).longValue());
        } else if (key instanceof BigInteger integer) {
            value = integer;
        } else if (key instanceof BigDecimal decimal
                && decimal.stripTrailingZeros().scale() <= 0) {
            value = decimal.toBigInteger();
        } else if (key instanceof String text && ID.matcher(text).matches()) {
            value = new BigInteger(text);
        }
        boolean isTooLong = value != null && key instanceof String && value.bitLength() > 63;
        if (value == null || value.signum() < 0 || isTooLong) {
            throw new IdConfigurationException(
                    "A shard is computed from a whole number of 0 or more: " + keyName + "=" + key + " ("
                            + key.getClass().getName()
                            + "), allowed: long, int, short, byte, BigInteger, BigDecimal and String with such a value;"
                            + " for others set distributedid.shard.resolver");
        }
        return value;
    }

    /** The shard of a key. Fails if the key is null or its shard unknown; {@code keyName} names it in messages. */
    long shard(@Nullable Object key, String keyName) {
        if (key == null) {
            throw new IdConfigurationException("A shard is missing: " + keyName + " is null when the id is made");
        }
        long shard = rule.applyAsLong(key, keyName);
        if (shard < 0 || shard >= count) {
            throw new IdConfigurationException("A shard must exist: shard=" + shard + " from "
                    + keyName + "=" + key + ", allowed: 0 to " + (count - 1) + " ("
                    + "distributedid.shard.count)");
        }
        return shard;
    }
}
