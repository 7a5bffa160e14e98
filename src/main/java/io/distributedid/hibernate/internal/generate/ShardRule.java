package io.distributedid.hibernate.internal.generate;

import io.distributedid.DistributedIdSettings;
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
 * Turns what says where a row lies into the number of its logical shard. Immutable, thread-safe.
 *
 * <ul>
 *   <li>A tenant identifier holds the number: the group of {@link DistributedIdSettings#SHARD_PATTERN} in it.
 *   <li>A property's value gives the remainder, {@code value % shards}, as Instagram's {@code user_id % 2000}. It is a
 *       whole number of 0 or more, or a text of decimal digits.
 *   <li>Or the user's {@link ShardResolver} says it.
 *   <li>Or it is the one in the key of another row.
 * </ul>
 *
 * A number that is no shard is an error, and nothing is made to fit.
 */
public final class ShardRule {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

    /** With the zeros in front of one that is padded. */
    private static final Pattern ID = Pattern.compile("[0-9]{1,19}");

    private final long count;

    /** Of a key and its name in messages. */
    private final ToLongBiFunction<Object, String> rule;

    private ShardRule(long count, ToLongBiFunction<Object, String> rule) {
        this.count = count;
        this.rule = rule;
    }

    /**
     * The rule of a sequence.
     *
     * @param settings of the sequence
     * @param origin what the rule is for; not the caller, who knows the number
     * @param field of the ids
     * @return by settings
     * @throws IdConfigurationException if a setting is missing or wrong
     */
    public static ShardRule of(Settings settings, ShardOrigin origin, IdShard field) {
        Optional<ShardResolver> resolver =
                InstanceFactory.of(settings, CoreSettings.SHARD_RESOLVER, ShardResolver.class);
        boolean isRemainder = resolver.isEmpty() && origin instanceof ShardOrigin.Property;
        boolean isPattern = resolver.isEmpty() && origin instanceof ShardOrigin.Tenant;
        if (!isPattern) {
            settings.requireUnset(
                    CoreSettings.SHARD_PATTERN,
                    "nothing, unless " + DistributedIdSettings.SHARD_FROM + "=tenant, without "
                            + DistributedIdSettings.SHARD_RESOLVER);
        }
        long count = isRemainder
                ? settings.require(
                        CoreSettings.SHARD_COUNT.within(1L, field.count()),
                        "A row's shard is the remainder of its property by this number")
                : CoreSettings.shards(settings, field.count());
        if (isRemainder) {
            return new ShardRule(count, (key, said) -> remainder(key, said, count));
        }
        if (isPattern) {
            Pattern pattern = pattern(settings);
            return new ShardRule(count, (key, said) -> inside(key, said, pattern));
        }
        ShardResolver users = resolver.orElseThrow(() -> new IllegalArgumentException("No rule is needed: " + origin));
        return new ShardRule(count, (key, said) -> users.shard(key));
    }

    /**
     * The rule for rows that lie beside another, whose key says the shard.
     *
     * @param settings of the sequence
     * @param others where the shard stands in the keys of the others
     * @param field of the ids
     * @return by settings
     * @throws IdConfigurationException if a setting is wrong
     */
    public static ShardRule sameAs(Settings settings, IdShard others, IdShard field) {
        for (Setting<?> unused : List.of(CoreSettings.SHARD_RESOLVER, CoreSettings.SHARD_PATTERN)) {
            settings.requireUnset(unused, "nothing, since the shard is in the other row's key");
        }
        long count = CoreSettings.shards(settings, field.count());
        return new ShardRule(count, (key, said) -> others.of(number(key, said).longValueExact()));
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

    private static long inside(Object key, String said, Pattern pattern) {
        Matcher match = pattern.matcher(key.toString());
        if (!match.matches()
                || match.group(1) == null
                || !DIGITS.matcher(match.group(1)).matches()) {
            throw new IdConfigurationException("What says the shard of a row must hold its number: " + said + "=" + key
                    + ", allowed: " + DistributedIdSettings.SHARD_PATTERN + "=" + pattern);
        }
        return Long.parseLong(match.group(1));
    }

    private static long remainder(Object key, String said, long count) {
        return number(key, said).mod(BigInteger.valueOf(count)).longValue();
    }

    private static BigInteger number(Object key, String said) {
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
                    "What says the shard of a row must be a whole number of 0 or more: " + said + "=" + key + " ("
                            + key.getClass().getName()
                            + "), allowed: long, int, short, byte, BigInteger, BigDecimal and String with such a value; for"
                            + " others set " + DistributedIdSettings.SHARD_RESOLVER);
        }
        return value;
    }

    /**
     * The shard of a row.
     *
     * @param key what says where the row lies
     * @param said names the key in messages, as in {@code its userId}
     * @return from 0 to below {@link #count()}
     * @throws IdConfigurationException if the key is missing, or says no shard
     */
    public long shard(@Nullable Object key, String said) {
        if (key == null) {
            throw new IdConfigurationException("A shard is missing: " + said + " is null when the id is made");
        }
        long shard = rule.applyAsLong(key, said);
        if (shard < 0 || shard >= count) {
            throw new IdConfigurationException("A shard must be one of those that there are: shard=" + shard + " from "
                    + said + "=" + key + ", allowed: 0 to " + (count - 1) + " ("
                    + DistributedIdSettings.SHARD_COUNT + ")");
        }
        return shard;
    }

    /**
     * How many shards there are.
     *
     * @return at least 1
     */
    public long count() {
        return count;
    }
}
