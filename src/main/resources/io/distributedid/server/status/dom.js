/** Makes elements. What a server said is set as text, never as HTML. */

export function find(id) {
  return document.getElementById(id);
}

/** @param children elements, or texts */
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    node.setAttribute(attribute, value);
  }
  node.append(...children);
  return node;
}

/** Changes nothing if the text is the same: screen readers stay quiet, and a selection stays. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** A word with the colour of its meaning: good, warning or bad. */
export function setState(node, text, meaning) {
  setText(node, text);
  node.className = meaning;
}

export class Table {
  #columns;

  #body = element('tbody');

  constructor(table, columns) {
    this.#columns = columns;
    const head = columns.map((column) => element('th', { scope: 'col' }, column));
    table.append(element('thead', {}, element('tr', {}, ...head)), this.#body);
  }

  /**
   * Makes new rows only if their number changes.
   *
   * @param rows each with the texts of its cells, and with the meaning of the second text if that has a colour
   * @param otherwise the text in place of no rows
   */
  show(rows, otherwise = '') {
    if (rows.length === 0) {
      const cell = element('td', { colspan: this.#columns.length }, otherwise);
      this.#body.replaceChildren(element('tr', {}, cell));
    } else if (rows.length !== this.#body.querySelectorAll('th').length) {
      this.#body.replaceChildren(...rows.map(() => this.#emptyRow()));
    }
    rows.forEach(({ meaning, cells }, i) => {
      const row = this.#body.rows[i];
      cells.forEach((text, j) => setText(row.cells[j], text));
      row.cells[1].className = meaning ?? '';
    });
  }

  #emptyRow() {
    const [, ...others] = this.#columns;
    return element('tr', {}, element('th', { scope: 'row' }), ...others.map(() => element('td')));
  }
}
