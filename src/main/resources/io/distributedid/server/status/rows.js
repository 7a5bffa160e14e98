import { count, duration, rate, timeOfDay } from './format.js';

/** Makes the rows of the tables from an answer. */

const MEANINGS = { UP: 'good', DEGRADED: 'warning', DOWN: 'bad' };

export function meaning(health) {
  return MEANINGS[health] ?? 'warning';
}

export const SEQUENCE_COLUMNS = [
  'Sequence', 'Health', 'Reason', 'Ids a second', 'Waits a second', 'Ids given', 'Calls that waited',
  'Without its stores', 'More'];

export const KEYED_COLUMNS = ['Sequence', 'Health', 'Reason', 'Numbers a second', 'Numbers given'];

export const SERVER_COLUMNS = [
  'Server', 'State', 'Reason', 'Sequence', 'Blocks given', 'Failed calls', 'Failovers', 'Last id, of any process'];

/** @param perSecond the rate of a count of a sequence */
export function ofSequences(status, perSecond) {
  return status.sequences.map((sequence) => ({
    meaning: meaning(sequence.status),
    cells: [
      sequence.sequence,
      sequence.status,
      sequence.reason ?? '',
      rate(perSecond(sequence, 'issued')),
      rate(perSecond(sequence, 'waits')),
      count(sequence.issued),
      each(sequence.waits, sequence.waitMicros),
      stock(sequence),
      more(sequence).map(([name, value]) => `${name}: ${value}`).join('; '),
    ],
  }));
}

export function ofKeyed(status, perSecond) {
  return (status.keyed ?? []).map((sequence) => ({
    meaning: meaning(sequence.status),
    cells: [
      sequence.sequence,
      sequence.status,
      sequence.reason ?? '',
      rate(perSecond(sequence, 'issued')),
      count(sequence.issued),
    ],
  }));
}

/** A row for each sequence of a server, since each has a circuit of its own. */
export function ofServers(status) {
  const rows = status.sequences.flatMap((sequence) => sequence.servers.map((server) => ({
    meaning: server.inUse ? 'good' : 'bad',
    cells: [
      server.server,
      server.inUse ? 'in use' : 'left out',
      server.failure ?? '',
      sequence.sequence,
      count(server.fetches),
      count(server.failures),
      count(server.failovers),
      server.lastId ?? '–',
    ],
  })));
  return rows.sort((one, other) => one.cells[0].localeCompare(other.cells[0]));
}

/** How often something was done, and how long it took. */
function each(times, micros) {
  return times === 0 ? '0' : `${count(times)}, ${duration(micros / times / 1_000)} each`;
}

/** What a sequence lives on when its stores do not answer. */
function stock({ blocks, worker, tenure }) {
  if (blocks) {
    return `Reserve: ${count(blocks.reserve)}`;
  }
  if (tenure?.leaseLeftMillis !== undefined) {
    return `Lease left: ${duration(Math.max(0, tenure.leaseLeftMillis))}`;
  }
  if (worker?.windowLeftMillis !== undefined) {
    return `Window left: ${duration(Math.max(0, worker.windowLeftMillis))}`;
  }
  return '–';
}

/** Names and values of what else is known. */
function more({ blocks, worker, tenure, servers, capacity }) {
  const failure = blocks?.failure ?? worker?.failure ?? tenure?.failure;
  const inUse = servers.filter((server) => server.inUse).length;
  return [
    ...(blocks ? ofBlocks(blocks) : []),
    ...(worker ? ofWorker(worker) : []),
    ...(tenure ? ofTenure(tenure) : []),
    ...(servers.length > 0 ? [['Servers in use', `${inUse} of ${servers.length}`]] : []),
    ...(capacity?.layoutEnd !== undefined ? [['Layout ends', capacity.layoutEnd.split('T')[0]]] : []),
    ...(capacity?.idsLeft !== undefined ? [['Ids left', count(capacity.idsLeft)]] : []),
    ...(failure !== undefined ? [['Failure', failure]] : []),
  ];
}

function ofBlocks(blocks) {
  const rare = [
    ['Failed fetches', blocks.failedFetches],
    ['Blocks used too late', blocks.overdue],
    ['Ids dropped', blocks.dropped],
  ];
  return [
    ['Ids of a block, on average', blocks.fetched === 0 ? '–' : count(blocks.reserved / blocks.fetched)],
    ['Blocks fetched', each(blocks.fetched, blocks.fetchMicros)],
    ...rare.filter(([, times]) => times > 0).map(([name, times]) => [name, count(times)]),
  ];
}

function ofWorker({ number, windowEnd, clockOffsetMillis }) {
  return [
    ['Worker number', String(number)],
    ...(windowEnd !== undefined ? [['Window ends', timeOfDay(windowEnd)]] : []),
    ...(clockOffsetMillis !== undefined ? [['Clock', offset(clockOffsetMillis)]] : []),
  ];
}

function offset(millis) {
  return millis === 0
    ? "as the store's"
    : `${duration(Math.abs(millis))} ${millis > 0 ? 'ahead of' : 'behind'} the store's`;
}

function ofTenure({ role, active, takeovers }) {
  return [
    ['This server', role === 'active' ? 'active' : 'stands by'],
    ['Active server', active ?? 'none'],
    ['Became active', takeovers === 1 ? 'once' : `${count(takeovers)} times`],
  ];
}
