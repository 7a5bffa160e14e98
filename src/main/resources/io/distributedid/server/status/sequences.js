import { Facts, element, setBadge, setText } from './dom.js';
import { count, duration, rate, timeOfDay } from './format.js';
import { stockOf } from './history.js';
import { Plot } from './plot.js';

/** Shows each sequence as a card: its health, its plots, and what else is known. */

const MEANINGS = { UP: 'good', DEGRADED: 'warning', DOWN: 'bad' };

/** Fewer are found without a filter. */
const FILTERED_FROM = 13;

export function meaning(health) {
  return MEANINGS[health] ?? 'warning';
}

class Card {
  node;

  #health = element('span', { class: 'badge' });

  #reason = element('p', { class: 'reason' });

  #rate = new Plot('rate');

  #stock = new Plot('stock');

  #waits = new Plot('waits');

  #facts = new Facts();

  /** @param number tells the ids of elements apart */
  constructor(name, number) {
    const title = `sequence-${number}`;
    this.node = element(
      'article',
      { class: 'card', 'aria-labelledby': title },
      element('header', {}, element('h3', { id: title }, name), this.#health),
      this.#reason,
      element('dl', { class: 'plots' }, this.#rate.node, this.#stock.node, this.#waits.node),
      this.#facts.node);
  }

  show(sequence, series, now) {
    setBadge(this.#health, sequence.status, meaning(sequence.status));
    setText(this.#reason, sequence.reason ?? '');
    this.#rate.show('Ids a second', series.points, now, rate);
    const stock = stockOf(sequence);
    this.#stock.node.hidden = stock === undefined;
    if (stock !== undefined) {
      this.#stock.show(stock.name, series.points, now, (value) => amount(value, stock.isTime));
    }
    this.#waits.show('Waits a second', series.points, now, rate);
    this.#facts.show(facts(sequence, series));
  }
}

function amount(value, isTime) {
  if (value === undefined) {
    return '–';
  }
  return isTime ? duration(value) : count(value);
}

/** Names and values of what applies to a sequence. */
function facts(sequence, series) {
  return [
    ...given(sequence),
    ...ofBlocks(sequence.blocks, series.blockSize),
    ...ofWorker(sequence.worker),
    ...ofTenure(sequence.tenure),
    ...ofServers(sequence.servers),
    ...ofCapacity(sequence.capacity),
    ...ofFailure(series.lastFailure),
  ];
}

function given(sequence) {
  if (sequence.issued === undefined) {
    return [];
  }
  return [
    ['Ids given', count(sequence.issued)],
    ['Calls that waited', each(sequence.waits, sequence.waitMicros)],
  ];
}

/** How often something was done, and how long it took. */
function each(times, micros) {
  return times === 0 ? '0' : `${count(times)}, ${duration(micros / times / 1_000)} each`;
}

function ofBlocks(blocks, size) {
  if (!blocks) {
    return [];
  }
  const all = [
    ['Ids of a block', size === undefined ? '–' : count(size)],
    ['Blocks fetched', each(blocks.fetched, blocks.fetchMicros)],
  ];
  const rare = [
    ['Failed fetches', blocks.failedFetches],
    ['Blocks used too late', blocks.overdue],
    ['Ids dropped', blocks.dropped],
  ];
  return all.concat(rare.filter(([, times]) => times > 0).map(([name, times]) => [name, count(times)]));
}

function ofWorker(worker) {
  if (!worker) {
    return [];
  }
  const all = [['Worker number', String(worker.number)]];
  if (worker.windowEnd !== undefined) {
    all.push(['Window ends', timeOfDay(worker.windowEnd)]);
  }
  if (worker.clockOffsetMillis !== undefined) {
    all.push(['Clock', offset(worker.clockOffsetMillis)]);
  }
  return all;
}

function offset(millis) {
  return millis === 0
    ? 'as the store\'s'
    : `${duration(Math.abs(millis))} ${millis > 0 ? 'ahead of' : 'behind'} the store's`;
}

function ofTenure(tenure) {
  if (!tenure) {
    return [];
  }
  return [
    ['This server', tenure.role === 'active' ? 'active' : 'stands by'],
    ['Active server', tenure.active ?? 'none'],
    ['Became active', tenure.takeovers === 1 ? 'once' : `${count(tenure.takeovers)} times`],
  ];
}

function ofServers(servers) {
  if (servers.length === 0) {
    return [];
  }
  return [['Servers in use', `${servers.filter((server) => server.inUse).length} of ${servers.length}`]];
}

function ofCapacity(capacity) {
  if (capacity?.layoutEnd !== undefined) {
    return [['Layout ends', capacity.layoutEnd.split('T')[0]]];
  }
  return capacity?.idsLeft === undefined ? [] : [['Ids left', count(capacity.idsLeft)]];
}

function ofFailure(failure) {
  return failure === undefined ? [] : [['Last failure', `${timeOfDay(failure.time)}: ${failure.reason}`]];
}

export class Sequences {
  #list;

  #filter;

  #filterField;

  #cards = new Map();

  /** Joined. Undefined before the first answer. */
  #names;

  #made = 0;

  constructor(list, filter, filterField) {
    this.#list = list;
    this.#filter = filter;
    this.#filterField = filterField;
    filter.addEventListener('input', () => this.#applyFilter());
  }

  /** @param history the series by the names of the sequences */
  show(status, history) {
    const names = status.sequences.map((sequence) => sequence.sequence);
    if (names.join() !== this.#names) {
      this.#make(names, status.keyed === undefined);
    }
    for (const sequence of status.sequences) {
      this.#cards.get(sequence.sequence)
        .show(sequence, history.get(sequence.sequence), status.uptimeMillis);
    }
  }

  /** Before the first answer for another token. */
  clear() {
    this.#names = undefined;
    this.#cards.clear();
    this.#list.replaceChildren(element('p', { class: 'note' }, 'No figures yet.'));
    this.#filterField.hidden = true;
  }

  /** @param isRest whether the server gives nothing else */
  #make(names, isRest) {
    this.#names = names.join();
    this.#cards = new Map(names.map((name) => [name, this.#cards.get(name) ?? new Card(name, this.#made++)]));
    this.#list.replaceChildren(...[...this.#cards.values()].map((card) => card.node));
    if (names.length === 0) {
      this.#list.replaceChildren(element(
        'p',
        { class: 'note' },
        isRest ? 'This token allows no sequence of this server.' : 'There are no sequences of ids here.'));
    }
    this.#filterField.hidden = names.length < FILTERED_FROM;
    this.#applyFilter();
  }

  #applyFilter() {
    const part = this.#filterField.hidden ? '' : this.#filter.value.trim().toLowerCase();
    this.#cards.forEach((card, name) => {
      card.node.hidden = !name.toLowerCase().includes(part);
    });
  }
}
