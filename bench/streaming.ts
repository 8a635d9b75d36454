/**
 * Many streams while the local chain is busy: the time from a written block to the receipt of its events, memory, and what
 * v2 and v3 requests take meanwhile.
 * Usage: npm run bench:streaming [-- --connections 1000 --addresses 20 --seconds 60 --tps 50]. Exits with 1 if a goal is missed.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV4 } from '@ton/ton';
import { sql } from 'kysely';
import { openDatabase } from '../src/cli/open-database.ts';
import { readSettings } from '../src/config/settings.ts';
import { createLogger } from '../src/observe/logger.ts';
import { openSseStream, openWsStream } from './streaming/clients.ts';
import { missedGoals, quantiles, type Report, toMarkdown } from './streaming/report.ts';
import { runInfo, writeResults } from './support/report.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    addresses: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    tps: { type: 'string', default: '50' },
  },
});
const [connections, addresses, seconds, tps] = [
  Number(values.connections),
  Number(values.addresses),
  Number(values.seconds),
  Number(values.tps),
];
const BLOCK_MS = 400;
const MESSAGES_PER_TRANSFER = 4;
const TRANSACTIONS_PER_TRANSFER = 1 + MESSAGES_PER_TRANSFER;
const UNIVERSE = 1000;
const TYPES = ['transactions', 'actions', 'account_state_change'];

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

interface Started {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

async function start(command: 'start' | 'serve'): Promise<Started> {
  const child = spawn(process.execPath, ['src/main.ts', command], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output = (output + chunk).slice(-100_000);
      const found = /"url":"(http:[^"]+)","msg":"tongate is ready"/.exec(output);
      if (found !== null) resolve(found[1]!);
    });
    child.on('exit', () => reject(new Error(`${command} exited:\n${output}`)));
  });
  return {
    url,
    pid: child.pid!,
    async stop() {
      child.removeAllListeners('exit');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1000);
}

const TICKS_PER_SECOND = 100;

/** CPU seconds that a process has used; unlike latencies, they do not depend on what else the machine does. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const chain = await start('start');
const server = await start('serve');
const key = readFileSync(join(folder, 'data/localnet-api-key'), 'utf8').trim();
const headers = { 'x-api-key': key, 'content-type': 'application/json' };

async function post(path: string, body: object): Promise<{ readonly ok?: boolean }> {
  const answer = await fetch(chain.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as { ok?: boolean };
}

const universe = Array.from({ length: UNIVERSE }, () => new Address(0, randomBytes(32)));
const pick = () => universe[Math.floor(Math.random() * UNIVERSE)]!;

/** A wallet that sends to random addresses, as often as its share of the rate wants. */
async function openSender() {
  const keys = keyPairFromSeed(randomBytes(32));
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
  await post('/localnet/fund', { address: wallet.address.toString(), amount: '1000' });
  let seqno = 0;
  return async () => {
    const messages = Array.from({ length: MESSAGES_PER_TRANSFER }, () =>
      internal({ to: pick(), value: toNano('0.01'), bounce: false, body: 'bench' }),
    );
    const body = wallet.createTransfer({
      seqno,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages,
    });
    const message = external({ to: wallet.address, init: seqno === 0 ? wallet.init : null, body });
    const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64');
    const { ok } = await post('/api/v2/sendBoc', { boc });
    if (ok) seqno += 1;
  };
}

const senders = await Promise.all(
  Array.from({ length: Math.ceil((tps / TRANSACTIONS_PER_TRANSFER) * 2 * (BLOCK_MS / 1000)) }, openSender),
);
let isOver = false;
let sent = 0;
const everyMs = (1000 * TRANSACTIONS_PER_TRANSFER * senders.length) / tps;
const traffic = senders.map(async (send, at) => {
  await sleep((everyMs * at) / senders.length);
  for (let next = performance.now(); !isOver; ) {
    await send();
    sent += 1;
    next += everyMs;
    await sleep(Math.max(0, next - performance.now()));
  }
});

/** When each seqno was written, by the clock of the database, which is that of this machine. */
const writtenAtMs = new Map<number, number>();
const { database } = await openDatabase(readSettings(env), createLogger({ level: 'silent' }));
const watching = (async () => {
  let last = 0;
  while (!isOver) {
    const { rows } = await sql<{ done_seqno: number; beat: number }>`
      select done_seqno, extract(epoch from beat)::float8 * 1000 as beat from index_chunks where last_seqno is null`.execute(
      database.primary,
    );
    const [head] = rows;
    for (let one = Math.max(last + 1, (head?.done_seqno ?? 0) - 50); one <= (head?.done_seqno ?? 0); one++)
      writtenAtMs.set(one, head!.beat);
    last = head?.done_seqno ?? last;
    await sleep(10);
  }
})();

async function measureRequests(): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  const endMs = performance.now() + (seconds * 1000) / 2;
  while (performance.now() < endMs) {
    for (const [name, path] of [
      ['v2 getAddressInformation', `/api/v2/getAddressInformation?address=${pick().toRawString()}`],
      ['v3 transactions', `/api/v3/transactions?account=${pick().toRawString()}&limit=20`],
    ] as const) {
      const startMs = performance.now();
      await (await fetch(server.url + path, { headers })).arrayBuffer();
      times.set(name, [...(times.get(name) ?? []), performance.now() - startMs]);
    }
    await sleep(20);
  }
  return times;
}

await sleep(5000);
const before = memoryOf(server.pid, 'VmRSS');
const without = await measureRequests();

const received = { blocks: [] as [number, number][], traces: [] as [number, number][] };
let lost = 0;
const streams: (() => void)[] = [];
for (let at = 0; at < connections; at++) {
  const open = at % 2 === 0 ? openSseStream : openWsStream;
  const subscription = {
    types: TYPES,
    addresses: Array.from({ length: addresses }, () => pick().toRawString()),
    cursors: true,
  };
  streams.push(
    await open({
      url: server.url,
      key,
      subscription,
      onEvent: (lane, seqno) => received[lane].push([seqno, Date.now()]),
      onLost: () => {
        lost += 1;
      },
    }),
  );
}
const idle = memoryOf(server.pid, 'VmRSS');
const [sentBefore, eventsBefore] = [sent, received.blocks.length + received.traces.length];
const startMs = Date.now();
const cpuBefore = cpuOf(server.pid);
const withStreams = await measureRequests();
await sleep((seconds * 1000) / 2);
const tookSeconds = (Date.now() - startMs) / 1000;
const cpuSeconds = cpuOf(server.pid) - cpuBefore;
const events = received.blocks.length + received.traces.length - eventsBefore;
const transactions = (sent - sentBefore) * TRANSACTIONS_PER_TRANSFER;
const lostBefore = lost;
await sleep(2000);
isOver = true;
await Promise.all([...traffic, watching]);
const peak = memoryOf(server.pid, 'VmHWM');
for (const close of streams) close();

const lags = (list: readonly [number, number][]) =>
  quantiles(
    list.flatMap(([seqno, atMs]) => {
      const written = writtenAtMs.get(seqno);
      return written === undefined || atMs < startMs ? [] : [Math.max(0, atMs - written)];
    }),
  );
const report: Report = {
  ...runInfo(),
  connections,
  addresses,
  seconds: Math.round(tookSeconds),
  transactionsPerSecond: Math.round(transactions / tookSeconds),
  eventsPerSecond: Math.round(events / tookSeconds),
  cpuPercent: Math.round((100 * cpuSeconds) / tookSeconds),
  lost: lostBefore,
  blocks: lags(received.blocks),
  traces: lags(received.traces),
  memory: { before, idle, peak },
  requests: [...without].map(([name, times]) => ({
    name,
    without: quantiles(times),
    with: quantiles(withStreams.get(name) ?? []),
  })),
};
writeResults('streaming', report, toMarkdown(report));
console.log(toMarkdown(report));
await database.close();
await server.stop();
await chain.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(missedGoals(report).length === 0 ? 0 : 1);
