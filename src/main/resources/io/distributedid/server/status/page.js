import { Api } from './api.js';
import { Decoder } from './decoder.js';
import { Table, find, setState, setText } from './dom.js';
import { duration, timeOfDay } from './format.js';
import { Rates } from './rates.js';
import { KEYED_COLUMNS, SEQUENCE_COLUMNS, SERVER_COLUMNS, meaning, ofKeyed, ofSequences, ofServers } from './rows.js';

/** Asks for the figures each second while the page is visible, and shows them. */

const PERIOD_MILLIS = 1_000;

const api = new Api();
const decoder = new Decoder(api);
const sequences = new Table(find('sequence-list'), SEQUENCE_COLUMNS);
const keyed = new Table(find('keyed-list'), KEYED_COLUMNS);
const servers = new Table(find('server-list'), SERVER_COLUMNS);

let rates;
let timer;
/** Counts the questions, so that only the answer to the last one is shown. */
let asked = 0;
let isRefused = false;
/** Of the last answer. */
let answeredAt;

async function ask() {
  clearTimeout(timer);
  const own = ++asked;
  const began = performance.now();
  try {
    const status = await api.status();
    if (own === asked) {
      answered(status);
    }
  } catch (failure) {
    if (own === asked) {
      failed(failure);
    }
  }
  if (own === asked) {
    askAgain(PERIOD_MILLIS - (performance.now() - began));
  }
}

/** Not while nobody looks, and not with a token that was refused. */
function askAgain(millis) {
  clearTimeout(timer);
  if (!isRefused && document.visibilityState === 'visible') {
    timer = setTimeout(ask, Math.max(0, millis));
  }
}

function answered(status) {
  answeredAt = status.time;
  setAccess(false, '');
  setText(find('connection'), status.leaving ? 'This server is about to stop.' : '');
  setState(find('health'), status.status, meaning(status.status));
  setText(
    find('server'),
    `Server ${status.host}, up for ${duration(status.uptimeMillis)}. ${timeOfDay(status.time)}.`
      + (status.waiting > 0 ? ` Requests that wait for ids: ${status.waiting}.` : ''));
  document.title = `${status.status} · ${status.host} · distributedid`;
  const perSecond = rates.add(status);
  sequences.show(ofSequences(status, perSecond), 'There are no sequences of ids that you may see.');
  keyed.show(ofKeyed(status, perSecond));
  servers.show(ofServers(status), 'These sequences need no servers.');
  find('keyed').hidden = status.keyed === undefined;
  decoder.offer(status.sequences.map((sequence) => sequence.sequence));
}

function failed(failure) {
  if (failure.isRefusal) {
    refused(failure);
    return;
  }
  setState(find('health'), 'no answer', 'bad');
  document.title = 'No answer · distributedid';
  const age = answeredAt === undefined ? '' : `The figures are of ${timeOfDay(answeredAt)}. `;
  setText(find('connection'), `${failure.message} ${age}The page asks again each second.`);
}

function refused(failure) {
  isRefused = true;
  clear();
  setAccess(true, api.hasToken ? failure.message : '');
  setText(find('connection'), api.hasToken ? '' : 'The server has tokens. It shows its figures to those who have one.');
  setState(find('health'), 'no access', 'warning');
  // Who is elsewhere on the page stays there.
  if (document.activeElement === document.body) {
    find('token').focus();
  }
}

/** @param problem why the token is not accepted */
function setAccess(isNeeded, problem) {
  const hadFocus = find('access').contains(document.activeElement);
  find('access').hidden = !isNeeded;
  if (!isNeeded && hadFocus) {
    find('sequences').focus();
  }
  find('forget').hidden = isNeeded || !api.hasToken;
  setText(find('access-problem'), problem);
}

/** Forgets all figures: with another token, other sequences may be seen. */
function clear() {
  rates = new Rates();
  answeredAt = undefined;
  document.title = 'distributedid';
  setText(find('server'), '');
  sequences.show([], 'No figures yet.');
  servers.show([], 'No figures yet.');
  find('keyed').hidden = true;
  decoder.clear();
}

find('access-form').addEventListener('submit', (event) => {
  event.preventDefault();
  api.token = find('token').value.trim();
  find('token').value = '';
  isRefused = false;
  ask();
});

// The token is in the memory of the tab only, as are the figures.
find('forget').addEventListener('click', () => location.reload());

document.addEventListener('visibilitychange', () => askAgain(0));

clear();
ask();
