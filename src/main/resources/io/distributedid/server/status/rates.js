/**
 * Makes rates of the counts in two answers of the same server, of which it keeps the last. A balancer may send this page
 * to several servers in turn. Their counts have nothing to do with each other.
 */
export class Rates {
  /** The last answer of each server. */
  #last = new Map();

  /** Returns a function of an entry and the name of a count. Its rate is undefined without an earlier answer. */
  add(status) {
    const before = this.#last.get(status.instance);
    this.#last.set(status.instance, status);
    const millis = status.uptimeMillis - before?.uptimeMillis;
    return (entry, name) => {
      const list = status.sequences.includes(entry) ? before?.sequences : before?.keyed;
      const former = list?.find((each) => each.sequence === entry.sequence)?.[name];
      return millis > 0 && former !== undefined && entry[name] !== undefined
        ? Math.max(0, entry[name] - former) * 1_000 / millis
        : undefined;
    };
  }
}
