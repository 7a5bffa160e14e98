import { Api } from './api.js';
import { Decoder } from './decoder.js';
import { find, setBadge, setText } from './dom.js';
import { Events } from './events.js';
import { duration, timeOfDay } from './format.js';
import { History } from './history.js';
import { KeyedSequences } from './keyed.js';
import { Sequences, meaning } from './sequences.js';
import { Servers } from './servers.js';

/** Asks for the figures each second while the page is visible, and shows them. */

const PERIOD_MILLIS = 1_000;

const api = new Api();
const history = new History();
const events = new Events(find('event-list'));
const sequences = new Sequences(find('sequence-list'), find('filter'), find('filter-field'));
const keyed = new KeyedSequences(find('keyed'), find('keyed-list'));
const servers = new Servers(find('server-list'));
const decoder = new Decoder(api, {
  form: find('decoder-form'),
  select: find('decoder-sequence'),
  input: find('decoder-id'),
  problem: find('decoder-problem'),
  answer: find('decoder-answer'),
  bits: find('decoder-bits'),
});

let timer;
/** Counts the tokens, so that an answer to a former one is ignored. */
let asker = 0;
let isAsking = false;
let isRefused = false;
/** Since when there is no answer. Undefined if there is one. */
let silentSince;
/** Of the last answer. */
let answeredAt;

async function ask() {
  clearTimeout(timer);
  const began = performance.now();
  const by = asker;
  isAsking = true;
  try {
    const status = await api.status();
    if (by === asker) {
      answered(status);
    }
  } catch (failure) {
    if (by === asker) {
      failed(failure);
    }
  }
  isAsking = false;
  if (by !== asker) {
    ask();
  } else {
    askAgain(PERIOD_MILLIS - (performance.now() - began));
  }
}

/** Not while nobody looks, and not with a token that was refused. */
function askAgain(millis) {
  clearTimeout(timer);
  if (!isAsking && !isRefused && document.visibilityState === 'visible') {
    timer = setTimeout(ask, Math.max(0, millis));
  }
}

function answered(status) {
  if (silentSince !== undefined) {
    events.add('The server answers again.', status.time);
    silentSince = undefined;
  }
  answeredAt = status.time;
  setAccess(false, '');
  setText(find('connection'), status.leaving ? 'This server is about to stop.' : '');
  const series = history.add(status);
  events.note(status);
  setBadge(find('health'), status.status, meaning(status.status));
  setText(
    find('server'),
    `Server ${status.host}, up for ${duration(status.uptimeMillis)}. ${timeOfDay(status.time)}.`
      + (status.waiting > 0 ? ` Requests that wait for ids: ${status.waiting}.` : ''));
  document.title = `${status.status} · ${status.host} · distributedid`;
  sequences.show(status, series);
  keyed.show(status);
  servers.show(status);
  decoder.offer(status.sequences.map((sequence) => sequence.sequence));
}

function failed(failure) {
  if (failure.isRefusal) {
    refused(failure);
    return;
  }
  if (silentSince === undefined) {
    silentSince = new Date().toISOString();
    events.add(failure.message, silentSince);
  }
  setBadge(find('health'), 'no answer', 'bad');
  document.title = 'No answer · distributedid';
  setText(
    find('connection'),
    `${failure.message} ${answeredAt === undefined ? '' : `The figures are of ${timeOfDay(answeredAt)}. `}`
      + 'The page asks again each second.');
}

function refused(failure) {
  isRefused = true;
  setAccess(true, api.hasToken ? failure.message : '');
  setText(find('connection'), api.hasToken ? '' : 'The server has tokens. It shows its figures to those who have one.');
  setBadge(find('health'), 'no access', 'warning');
  // Who is elsewhere on the page stays there.
  if ([null, document.body, find('forget')].includes(document.activeElement)) {
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

/** With another token, other sequences may be seen. */
function changeToken(token) {
  api.token = token;
  isRefused = false;
  silentSince = undefined;
  asker++;
  history.clear();
  events.forget();
  decoder.clear();
  sequences.clear();
  keyed.clear();
  servers.clear();
  decoder.offer([]);
  if (!isAsking) {
    ask();
  }
}

find('access-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const token = find('token').value.trim();
  find('token').value = '';
  changeToken(token);
});

find('forget').addEventListener('click', () => changeToken(''));

document.addEventListener('visibilitychange', () => askAgain(0));

ask();
