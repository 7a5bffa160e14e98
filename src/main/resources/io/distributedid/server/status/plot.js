import { drawing, element, setAttribute, setText } from './dom.js';
import { SPAN_MILLIS } from './history.js';

/** Draws one figure of a series over the last two minutes, from zero to its peak. */

const WIDTH = 240;

const HEIGHT = 40;

/** For readers who want less motion, plots move this often. */
const CALM_MILLIS = 10_000;

const LESS_MOTION = matchMedia('(prefers-reduced-motion: reduce)');

export class Plot {
  node;

  #figure;

  #value = element('span', { class: 'value' });

  #peak = element('span', { class: 'peak' });

  #name = element('dt');

  #area = drawing('path', { class: 'area' });

  #line = drawing('path', { class: 'line' });

  #image;

  #drawnAt = -Infinity;

  /** @param figure its name in the points of a series */
  constructor(figure) {
    this.#figure = figure;
    this.#image = drawing(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' },
      this.#area,
      this.#line);
    this.node = element('div', {}, this.#name, element('dd', {}, this.#value, this.#image, this.#peak));
  }

  /**
   * @param points of a series
   * @param now at its right edge
   * @param format writes a value
   */
  show(name, points, now, format) {
    setText(this.#name, name);
    setText(this.#value, format(points.at(-1)?.[this.#figure]));
    if (LESS_MOTION.matches && now >= this.#drawnAt && now - this.#drawnAt < CALM_MILLIS) {
      return;
    }
    this.#drawnAt = now;
    const values = points.map((point) => point[this.#figure]).filter((value) => value !== undefined);
    const peak = Math.max(0, ...values);
    const text = values.length === 0 ? 'no figures yet' : `peak ${format(peak)}`;
    setText(this.#peak, text);
    setAttribute(this.#image, 'aria-label', `${name} in the last two minutes: ${text}`);
    const runs = this.#runs(points, now, peak);
    this.#line.setAttribute('d', runs.map((run) => `M${run.join('L')}`).join(''));
    this.#area.setAttribute('d', runs.map(closed).join(''));
  }

  /** Coordinates without gaps. */
  #runs(points, now, peak) {
    const runs = [];
    let run;
    for (const point of points) {
      const value = point[this.#figure];
      if (value === undefined) {
        run = undefined;
        continue;
      }
      if (run === undefined) {
        run = [];
        runs.push(run);
      }
      const x = WIDTH * (1 - (now - point.at) / SPAN_MILLIS);
      // Half the width of the line stays free at both edges.
      const y = HEIGHT - 1 - (peak === 0 ? 0 : (HEIGHT - 2) * value / peak);
      run.push(`${x.toFixed(1)} ${y.toFixed(1)}`);
    }
    return runs;
  }
}

function closed(run) {
  const x = (place) => place.split(' ')[0];
  return `M${x(run[0])} ${HEIGHT}L${run.join('L')}L${x(run.at(-1))} ${HEIGHT}Z`;
}
