/** Makes elements. What a server said is set as text, never as HTML. */

const SVG = 'http://www.w3.org/2000/svg';

export function find(id) {
  return document.getElementById(id);
}

/** @param children elements, or texts */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function drawing(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
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

export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) {
    node.setAttribute(name, value);
  }
}

/** A word with the colour of its meaning: good, warning or bad. */
export function setBadge(node, text, meaning) {
  setText(node, text);
  setAttribute(node, 'class', `badge ${meaning}`);
}

/** Names and values. Makes new rows only if the names change. */
export class Facts {
  node = element('dl', { class: 'facts' });

  #names = '';

  /** @param facts pairs of a name and a value */
  show(facts) {
    const names = facts.map(([name]) => name).join('\n');
    if (names !== this.#names) {
      this.#names = names;
      this.node.replaceChildren(
        ...facts.map(([name]) => element('div', {}, element('dt', {}, name), element('dd'))));
    }
    facts.forEach(([, value], i) => setText(this.node.children[i].lastElementChild, value));
  }
}
