import { element } from './dom.js';
import { timeOfDay } from './format.js';

/**
 * Lists what changed: the health of a sequence, the server that answers, the connection. Screen readers say each new
 * line, so figures do not belong here.
 */

const MOST = 50;

export class Events {
  #list;

  /** The last health of each sequence, by server. */
  #health = new Map();

  #instance;

  constructor(list) {
    this.#list = list;
  }

  add(text, time = new Date().toISOString()) {
    this.#list.prepend(element('li', {}, element('time', { datetime: time }, timeOfDay(time)), ` ${text}`));
    while (this.#list.children.length > MOST) {
      this.#list.lastElementChild.remove();
    }
  }

  /** Compares an answer with the one before. */
  note(status) {
    if (this.#instance !== undefined && !this.#health.has(status.instance)) {
      this.add(`Another server answers, or it has started again: ${status.host}`, status.time);
    }
    this.#instance = status.instance;
    const known = this.#health.get(status.instance);
    const all = [
      ...status.sequences.map((each) => [each.sequence, each]),
      ...(status.keyed ?? []).map((each) => [`${each.sequence} (numbers per key)`, each]),
    ];
    const now = new Map(all.map(([name, each]) => [name, each.status]));
    for (const [name, each] of all) {
      const before = known?.get(name);
      if (before === undefined ? each.status !== 'UP' : before !== each.status) {
        this.add(`${name} is ${each.status}${each.reason ? `: ${each.reason}` : ''}`, status.time);
      }
    }
    this.#health.set(status.instance, now);
  }

  /** The next answer is the first one. */
  forget() {
    this.#health.clear();
    this.#instance = undefined;
    this.#list.replaceChildren();
  }
}
