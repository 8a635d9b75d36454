/**
 * Many streams while the local chain is busy: the time from a written block to the receipt of its events, memory, and what
 * v2 and v3 requests take meanwhile. Then the time to the delivery to a webhook with many addresses.
 * Usage: npm run bench:streaming [-- --connections 1000 --addresses 20 --seconds 60 --tps 50 --probes 3000]. Exits with 1 if
 * a goal is missed.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Address } from '@ton/core';
import { openDatabase } from '../src/cli/open-database.ts';
import { readSettings } from '../src/config/settings.ts';
import { createLogger } from '../src/observe/logger.ts';
import { openSseStream, openWsStream } from './streaming/clients.ts';
import { cpuOf, memoryOf, Processes } from './streaming/processes.ts';
import { missedGoals, quantiles, type Report, toMarkdown } from './streaming/report.ts';
import { startTraffic } from './streaming/traffic.ts';
import { openWebhookReceiver } from './streaming/webhook-receiver.ts';
import { type WrittenSeqnos, watchWrittenSeqnos } from './streaming/written-seqnos.ts';
import { runInfo, writeResults } from './support/report.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    addresses: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    tps: { type: 'string', default: '50' },
    probes: { type: 'string', default: '3000' },
  },
});
const [connections, addresses, seconds, tps, probes] = [
  Number(values.connections),
  Number(values.addresses),
  Number(values.seconds),
  Number(values.tps),
  Number(values.probes),
];
const BLOCK_MS = 400;
const UNIVERSE = 1000;
const TYPES = ['transactions', 'actions', 'account_state_change'];
/** Requests of each kind: few enough that they do not measure each other. */
const PROBES_PER_SECOND = 50;
const WEBHOOK_ADDRESSES = 10_000;
const WEBHOOK_TYPES = ['transactions', 'actions'];
/** What was written last arrives meanwhile. */
const REST_MS = 2000;

const folder = mkdtempSync(join(tmpdir(), 'tongate-streams-'));
chmodSync(folder, 0o755);
const env = {
  ...process.env,
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
  LOCALNET_BLOCK_MS: String(BLOCK_MS),
  LOCALNET_DEMO: 'off',
  LOG_LEVEL: 'info',
  SHED_LOOP_DELAY_MS: '0',
  PENDING: 'off',
};
const universe = Array.from({ length: UNIVERSE }, () => new Address(0, randomBytes(32)));
const pick = () => universe[Math.floor(Math.random() * UNIVERSE)]!;

/** Events by lane: of which seqno, and when they were received. */
class Received {
  readonly blocks: [number, number][] = [];
  readonly traces: [number, number][] = [];

  readonly note = (lane: 'blocks' | 'traces', seqno: number): void => {
    this[lane].push([seqno, Date.now()]);
  };

  get count(): number {
    return this.blocks.length + this.traces.length;
  }

  /** Milliseconds from a written block to the receipt. */
  lags(lane: 'blocks' | 'traces', written: WrittenSeqnos, sinceMs: number) {
    return quantiles(
      this[lane].flatMap(([seqno, atMs]) => {
        const writtenMs = written.at(seqno);
        return writtenMs === undefined || writtenMs < sinceMs ? [] : [Math.max(0, atMs - writtenMs)];
      }),
    );
  }
}

async function measureRequests(url: string, key: string): Promise<Map<string, number[]>> {
  const kinds = [
    ['v2 getAddressInformation', () => `/api/v2/getAddressInformation?address=${pick().toRawString()}`],
    ['v3 transactions', () => `/api/v3/transactions?account=${pick().toRawString()}&limit=20`],
  ] as const;
  const times = new Map<string, number[]>(kinds.map(([name]) => [name, []]));
  const ask = async (name: string, path: string): Promise<void> => {
    const startMs = performance.now();
    await (await fetch(url + path, { headers: { 'x-api-key': key } })).arrayBuffer();
    times.get(name)!.push(performance.now() - startMs);
  };
  const running: Promise<void>[] = [];
  const startMs = performance.now();
  for (let at = 0; at < probes; at++) {
    for (const [name, path] of kinds) running.push(ask(name, path()));
    await sleep(Math.max(0, startMs + ((at + 1) * 1000) / PROBES_PER_SECOND - performance.now()));
  }
  await Promise.all(running);
  return times;
}

/** Opens streams of both kinds; `onLost` is called for each that the server closes. */
async function openStreams(
  server: { readonly url: string; readonly key: string },
  received: Received,
  onLost: () => void,
): Promise<(() => void)[]> {
  const streams: (() => void)[] = [];
  for (let at = 0; at < connections; at++) {
    const open = at % 2 === 0 ? openSseStream : openWsStream;
    const subscription = {
      types: TYPES,
      addresses: Array.from({ length: addresses }, () => pick().toRawString()),
      cursors: true,
    };
    streams.push(await open({ ...server, subscription, onEvent: received.note, onLost }));
  }
  return streams;
}

/** Creates a webhook over HTTP that watches every address that is paid, among many that are not. */
async function measureWebhook(
  server: { readonly url: string; readonly key: string },
  written: WrittenSeqnos,
): Promise<Report['webhook']> {
  const received = new Received();
  const receiver = await openWebhookReceiver(received.note);
  try {
    const others = Array.from(
      { length: WEBHOOK_ADDRESSES - UNIVERSE },
      () => `0:${randomBytes(32).toString('hex')}`,
    );
    const response = await fetch(`${server.url}/api/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
      body: JSON.stringify({
        url: receiver.url,
        types: WEBHOOK_TYPES,
        addresses: [...universe.map((one) => one.toRawString()), ...others],
      }),
    });
    if (response.status !== 201) throw new Error(`The webhook was refused: ${await response.text()}`);
    while (received.count === 0) await sleep(100);
    const sinceMs = Date.now();
    await sleep((seconds * 1000) / 2);
    return {
      addresses: WEBHOOK_ADDRESSES,
      blocks: received.lags('blocks', written, sinceMs),
      traces: received.lags('traces', written, sinceMs),
    };
  } finally {
    receiver.close();
  }
}

async function measure(processes: Processes): Promise<Report> {
  const chain = await processes.start('start');
  const { url, pid } = await processes.start('serve');
  const key = readFileSync(join(folder, 'data/localnet-api-key'), 'utf8').trim();
  const { database, close } = await openDatabase(readSettings(env), createLogger({ level: 'silent' }));
  try {
    const traffic = await startTraffic({
      url: chain.url,
      key,
      transactionsPerSecond: tps,
      blockMs: BLOCK_MS,
      pick,
    });
    const written = watchWrittenSeqnos(database.primary);
    await sleep(5000);
    const before = memoryOf(pid, 'VmRSS');
    const without = await measureRequests(url, key);

    const received = new Received();
    let lost = 0;
    const streams = await openStreams({ url, key }, received, () => {
      lost += 1;
    });
    const idle = memoryOf(pid, 'VmRSS');
    const [sentBefore, eventsBefore, startMs] = [traffic.transactions(), received.count, Date.now()];
    const cpuBefore = cpuOf(pid);
    const withStreams = await measureRequests(url, key);
    await sleep(Math.max(0, startMs + seconds * 1000 - Date.now()));
    const tookSeconds = (Date.now() - startMs) / 1000;
    const perSecond = (count: number) => Math.round(count / tookSeconds);
    const figures = {
      transactionsPerSecond: perSecond(traffic.transactions() - sentBefore),
      eventsPerSecond: perSecond(received.count - eventsBefore),
      cpuPercent: perSecond(100 * (cpuOf(pid) - cpuBefore)),
      lost,
    };
    await sleep(REST_MS);
    const peak = memoryOf(pid, 'VmHWM');
    const [blocks, traces] = [
      received.lags('blocks', written, startMs),
      received.lags('traces', written, startMs),
    ];
    const webhook = await measureWebhook({ url, key }, written);
    for (const end of streams) end();
    await traffic.stop();
    await written.stop();
    return {
      ...runInfo(),
      connections,
      addresses,
      seconds: Math.round(tookSeconds),
      ...figures,
      blocks,
      traces,
      webhook,
      memory: { before, idle, peak },
      requests: [...without].map(([name, times]) => ({
        name,
        without: quantiles(times),
        with: quantiles(withStreams.get(name) ?? []),
      })),
    };
  } finally {
    await close();
  }
}

const processes = new Processes(env);
try {
  const report = await measure(processes);
  writeResults('streaming', report, toMarkdown(report));
  console.log(toMarkdown(report));
  process.exitCode = missedGoals(report).length === 0 ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await processes.stop();
  rmSync(folder, { recursive: true, force: true });
}
// What a failed measurement left behind would keep this process alive.
process.exit();
