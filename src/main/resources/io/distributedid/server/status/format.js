/** Writes numbers and times. Ids are not numbers here: they stay the texts that they are. */

const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

const SMALL = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

const UNITS = [['day', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1_000], ['ms', 1], ['µs', 0.001]];

/** @param value a number, or the text of a large one */
export function count(value) {
  return COUNT.format(typeof value === 'string' ? BigInt(value) : value);
}

/** Per second. */
export function rate(value) {
  return value === undefined ? '–' : value > 0 && value < 10 ? SMALL.format(value) : COUNT.format(value);
}

/** In the largest unit of which there is at least one. */
export function duration(millis) {
  if (millis === 0) {
    return '0 s';
  }
  const size = Math.abs(millis);
  const [unit, length] = UNITS.find(([, each]) => size >= each) ?? UNITS.at(-1);
  const value = millis / length;
  const digits = unit !== 'day' && Math.abs(value) < 10 ? 1 : 0;
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit === 'day' && text !== '1' ? `${text} days` : `${text} ${unit}`;
}

/** Of an instant in ISO 8601: 2026-11-23 08:31:22.125 UTC. */
export function utc(instant) {
  return instant.replace('T', ' ').replace('Z', ' UTC');
}

/** Of the same: 08:31:22 UTC. */
export function timeOfDay(instant) {
  return `${instant.slice(11, 19)} UTC`;
}
