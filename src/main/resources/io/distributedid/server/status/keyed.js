import { Facts, element, setBadge, setText } from './dom.js';
import { count } from './format.js';
import { meaning } from './sequences.js';

/** Shows each sequence with numbers per key as a card. Without such a sequence there is nothing to see. */

class Card {
  node;

  #health = element('span', { class: 'badge' });

  #reason = element('p', { class: 'reason' });

  #facts = new Facts();

  /** @param number tells the ids of elements apart */
  constructor(name, number) {
    const title = `keyed-${number}`;
    this.node = element(
      'article',
      { class: 'card', 'aria-labelledby': title },
      element('header', {}, element('h3', { id: title }, name), this.#health),
      this.#reason,
      this.#facts.node);
  }

  show(sequence) {
    setBadge(this.#health, sequence.status, meaning(sequence.status));
    setText(this.#reason, sequence.reason ?? '');
    this.#facts.show([['Numbers given', count(sequence.issued)]]);
  }
}

export class KeyedSequences {
  #section;

  #list;

  #cards = new Map();

  #made = 0;

  constructor(section, list) {
    this.#section = section;
    this.#list = list;
  }

  show(status) {
    const all = status.keyed ?? [];
    const names = all.map((each) => each.sequence);
    if (names.join() !== [...this.#cards.keys()].join()) {
      this.#cards = new Map(names.map((name) => [name, this.#cards.get(name) ?? new Card(name, this.#made++)]));
      this.#list.replaceChildren(...[...this.#cards.values()].map((card) => card.node));
    }
    this.#section.hidden = names.length === 0;
    all.forEach((each) => this.#cards.get(each.sequence).show(each));
  }

  /** Before the first answer for another token. */
  clear() {
    this.show({});
  }
}
