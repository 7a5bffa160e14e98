import { Facts, element, setBadge, setText } from './dom.js';
import { count } from './format.js';

/** Shows the servers behind the sequences, each once, with the state of its circuit. */

/** Longer lists of last ids are opened by the reader. */
const FEW = 3;

class Card {
  node;

  #circuit = element('span', { class: 'badge' });

  #reason = element('p', { class: 'reason' });

  #facts = new Facts();

  #lastIds = new Facts();

  #details;

  constructor(name, number) {
    const title = `server-${number}`;
    this.#details = element(
      'details', {}, element('summary', {}, 'Last ids that it gave, to any process'), this.#lastIds.node);
    this.node = element(
      'article',
      { class: 'card', 'aria-labelledby': title },
      element('header', {}, element('h3', { id: title }, name), this.#circuit),
      this.#reason,
      this.#facts.node,
      this.#details);
  }

  /** @param uses the server's entries, each with the name of its sequence */
  show(uses) {
    const out = uses.filter((use) => !use.inUse);
    if (out.length === 0) {
      setBadge(this.#circuit, 'in use', 'good');
    } else if (out.length === uses.length) {
      setBadge(this.#circuit, 'left out', 'bad');
    } else {
      setBadge(this.#circuit, `left out by ${out.length} of ${uses.length}`, 'warning');
    }
    setText(this.#reason, [...new Set(out.map((use) => use.failure))].join('; '));
    const known = uses.filter((use) => use.lastId !== undefined);
    const lastIds = known.map((use) => [use.sequence, use.lastId]);
    this.#facts.show([
      ['Sequences', uses.length > FEW ? count(uses.length) : uses.map((use) => use.sequence).join(', ')],
      ['Blocks given', count(sum(uses, 'fetches'))],
      ['Failed calls', count(sum(uses, 'failures'))],
      ['Failovers', count(sum(uses, 'failovers'))],
    ]);
    this.#lastIds.show(lastIds);
    this.#details.hidden = lastIds.length === 0;
  }
}

function sum(uses, name) {
  return uses.reduce((total, use) => total + use[name], 0);
}

export class Servers {
  #list;

  #cards = new Map();

  /** Joined. Undefined before the first answer. */
  #names;

  #made = 0;

  constructor(list) {
    this.#list = list;
  }

  show(status) {
    const uses = new Map();
    for (const sequence of status.sequences) {
      for (const server of sequence.servers) {
        uses.set(server.server, [...(uses.get(server.server) ?? []), { ...server, sequence: sequence.sequence }]);
      }
    }
    const names = [...uses.keys()];
    if (names.join() !== this.#names) {
      this.#make(names);
    }
    uses.forEach((own, name) => this.#cards.get(name).show(own));
  }

  /** Before the first answer for another token. */
  clear() {
    this.#names = undefined;
    this.#cards.clear();
    this.#list.replaceChildren(element('p', { class: 'note' }, 'No figures yet.'));
  }

  #make(names) {
    this.#names = names.join();
    this.#cards = new Map(names.map((name) => [name, this.#cards.get(name) ?? new Card(name, this.#made++)]));
    this.#list.replaceChildren(...[...this.#cards.values()].map((card) => card.node));
    if (names.length === 0) {
      this.#list.replaceChildren(element('p', { class: 'note' }, 'These sequences need no servers.'));
    }
  }
}
