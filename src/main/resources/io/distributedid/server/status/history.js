/** Makes rates of the counts in the answers, and keeps them for the plots. */

/** How far back plots go. */
export const SPAN_MILLIS = 120_000;

/** After a longer pause there is a gap: a mean would hide what happened in it. */
const LONGEST_STEP_MILLIS = 5_000;

/** A balancer may send this page to several servers in turn. Their counts have nothing to do with each other. */
const MOST_INSTANCES = 8;

/** What a sequence lives on when its stores do not answer. Undefined if there is nothing of the kind. */
export function stockOf(sequence) {
  if (sequence.blocks) {
    return { name: 'Reserve', value: sequence.blocks.reserve, isTime: false };
  }
  if (sequence.tenure?.leaseLeftMillis !== undefined) {
    return { name: 'Lease left', value: Math.max(0, sequence.tenure.leaseLeftMillis), isTime: true };
  }
  if (sequence.worker?.windowLeftMillis !== undefined) {
    return { name: 'Window left', value: Math.max(0, sequence.worker.windowLeftMillis), isTime: true };
  }
  return undefined;
}

/** One sequence on one server. */
class Series {
  /** Of the last minutes, the oldest first. */
  points = [];

  /** Ids of a block, by the last ones that were fetched. Undefined before the first. */
  blockSize;

  /** What failed last, and when. It stays when all is well again. */
  lastFailure;

  #last;

  #lastAt = -Infinity;

  add(at, time, sequence) {
    const step = at - this.#lastAt;
    if (step <= 0) {
      return;
    }
    const isNear = step <= LONGEST_STEP_MILLIS;
    const perSecond = (name) => isNear && sequence[name] !== undefined && this.#last[name] !== undefined
      ? Math.max(0, sequence[name] - this.#last[name]) * 1_000 / step
      : undefined;
    if (this.#last !== undefined && !isNear) {
      this.points.push({ at: at - 1 });
    }
    this.points.push({ at, rate: perSecond('issued'), waits: perSecond('waits'), stock: stockOf(sequence)?.value });
    while (this.points[0].at < at - SPAN_MILLIS) {
      this.points.shift();
    }
    this.#noteBlocks(sequence.blocks);
    this.#noteFailure(time, sequence);
    this.#last = sequence;
    this.#lastAt = at;
  }

  #noteBlocks(blocks) {
    const before = this.#last?.blocks;
    if (blocks && before && blocks.fetched > before.fetched) {
      this.blockSize = (blocks.reserved - before.reserved) / (blocks.fetched - before.fetched);
    } else if (blocks?.fetched > 0) {
      this.blockSize ??= blocks.reserved / blocks.fetched;
    }
  }

  #noteFailure(time, sequence) {
    const reason = sequence.blocks?.failure ?? sequence.worker?.failure ?? sequence.tenure?.failure;
    if (reason !== undefined) {
      this.lastFailure = { time, reason };
    }
  }
}

export class History {
  #instances = new Map();

  /** Returns the series of the server that answered, by the name of the sequence. */
  add(status) {
    const all = this.#instances.get(status.instance) ?? new Map();
    // The newest is the last of the map.
    this.#instances.delete(status.instance);
    this.#instances.set(status.instance, all);
    if (this.#instances.size > MOST_INSTANCES) {
      this.#instances.delete(this.#instances.keys().next().value);
    }
    for (const sequence of status.sequences) {
      const series = all.get(sequence.sequence) ?? new Series();
      all.set(sequence.sequence, series);
      series.add(status.uptimeMillis, status.time, sequence);
    }
    return all;
  }

  clear() {
    this.#instances.clear();
  }
}
