import { Table, element, find, setText } from './dom.js';
import { utc } from './format.js';

/** Asks for the fields of an id, and shows the bits of each. An id is a text all the way. */
export class Decoder {
  #api;

  #sequence = find('decoder-sequence');

  #id = find('decoder-id');

  #bits = new Table(find('decoder-bits'), ['Field', 'Value', 'Width', 'Bits, the most significant first']);

  #asked = 0;

  constructor(api) {
    this.#api = api;
    find('decoder-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#decode();
    });
  }

  /** Keeps the choice, unless the sequence is gone. */
  offer(names) {
    if (names.join() !== [...this.#sequence.options].map((option) => option.value).join()) {
      const chosen = this.#sequence.value;
      this.#sequence.replaceChildren(...names.map((name) => element('option', {}, name)));
      if (names.includes(chosen)) {
        this.#sequence.value = chosen;
      }
    }
  }

  clear() {
    this.#asked++;
    this.offer([]);
    this.#show(undefined, '');
  }

  async #decode() {
    const asked = ++this.#asked;
    let decoded;
    let problem = '';
    try {
      decoded = await this.#api.decoded(this.#sequence.value, this.#id.value.trim());
    } catch (failure) {
      problem = failure.message;
    }
    // Only the last question counts, whatever answer comes last.
    if (asked === this.#asked) {
      this.#show(decoded, problem);
    }
  }

  #show(decoded, problem) {
    setText(find('decoder-answer'), decoded ? `${decoded.id}: ${timeOf(decoded)}` : '');
    find('decoder-bits').hidden = decoded === undefined;
    this.#bits.show(decoded ? rows(decoded) : []);
    setText(find('decoder-problem'), problem);
    this.#id.setAttribute('aria-invalid', String(problem !== ''));
  }
}

function timeOf(decoded) {
  return decoded.time ? utc(decoded.time) : 'the id holds no time';
}

/**
 * Only ids that hold the time have bits of their own for each field, and the time is the first. Of other ids, all bits
 * belong together.
 */
function rows(decoded) {
  const groups = decoded.bits.split(' ');
  const fields = Object.entries(decoded.fields);
  if (decoded.time === undefined || groups.length !== fields.length + 1) {
    return [row('id', decoded.id, groups.join('')), ...fields.map(([name, value]) => row(name, value, ''))];
  }
  const [time, ...others] = groups;
  return [
    row('time', BigInt(`0b${time}`).toString(), time),
    ...fields.map(([name, value], i) => row(name, value, others[i])),
  ];
}

function row(name, value, bits) {
  return { cells: [name, value, bits === '' ? '' : bits.length === 1 ? '1 bit' : `${bits.length} bits`, bits] };
}
