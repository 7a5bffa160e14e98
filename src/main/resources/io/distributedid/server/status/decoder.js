import { element, setText } from './dom.js';
import { utc } from './format.js';

/** Asks for the fields of an id, and draws the bits of each. An id is a text all the way. */
export class Decoder {
  #api;

  #select;

  #input;

  #problem;

  #answer;

  #bits;

  #asked = 0;

  constructor(api, { form, select, input, problem, answer, bits }) {
    this.#api = api;
    this.#select = select;
    this.#input = input;
    this.#problem = problem;
    this.#answer = answer;
    this.#bits = bits;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#decode();
    });
  }

  /** Keeps the choice, unless the sequence is gone. */
  offer(names) {
    if (names.join() !== [...this.#select.options].map((option) => option.value).join()) {
      const chosen = this.#select.value;
      this.#select.replaceChildren(...names.map((name) => element('option', {}, name)));
      if (names.includes(chosen)) {
        this.#select.value = chosen;
      }
    }
  }

  clear() {
    this.#asked++;
    this.#show(undefined, '');
  }

  async #decode() {
    const asked = ++this.#asked;
    let decoded;
    let problem = '';
    try {
      decoded = await this.#api.decoded(this.#select.value, this.#input.value.trim());
    } catch (failure) {
      problem = failure.message;
    }
    // Only the last question counts, whatever answer comes last.
    if (asked === this.#asked) {
      this.#show(decoded, problem);
    }
  }

  #show(decoded, problem) {
    const groups = decoded ? labelled(decoded) : [];
    this.#answer.replaceChildren(...(decoded ? [facts(decoded, groups)] : []));
    this.#bits.replaceChildren(...(decoded ? [drawing(groups)] : []));
    setText(this.#problem, problem);
    if (problem === '') {
      this.#input.removeAttribute('aria-invalid');
    } else {
      this.#input.setAttribute('aria-invalid', 'true');
    }
  }
}

/** What the drawing does not say. */
function facts(decoded, groups) {
  const drawn = groups.map((group) => group.name);
  const rows = [
    ['Id', decoded.id],
    ['Time', decoded.time ? utc(decoded.time) : 'not in this id'],
    ...Object.entries(decoded.fields).filter(([name]) => !drawn.includes(name)),
  ];
  return element('dl', { class: 'facts' }, ...rows.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

function drawing(groups) {
  return element('ol', { class: 'bits', 'aria-label': 'Bits, the most significant field first' }, ...groups.map(field));
}

/**
 * The bits of each field. Only ids that hold the time have bits of their own for each field, and the time is the first.
 * Of other ids, all bits belong together.
 */
function labelled(decoded) {
  const groups = decoded.bits.split(' ');
  const names = ['time', ...Object.keys(decoded.fields)];
  if (decoded.time === undefined || groups.length !== names.length) {
    return [{ name: 'id', bits: groups.join(''), value: decoded.id }];
  }
  return groups.map((bits, i) => ({ name: names[i], bits, value: BigInt(`0b${bits}`).toString() }));
}

function field({ name, bits, value }, place) {
  return element(
    'li',
    { class: `field-${place % 6}` },
    element('span', { class: 'name' }, name),
    element('span', { class: 'width' }, bits.length === 1 ? '1 bit' : `${bits.length} bits`),
    element('span', { class: 'drawn', role: 'img', 'aria-label': bits }, ...[...bits].map((bit) =>
      element('i', { class: bit === '1' ? 'one' : 'zero' }, bit))),
    element('span', { class: 'number' }, `= ${value}`));
}
