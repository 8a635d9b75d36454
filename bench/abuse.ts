/**
 * What a client with an API key notices while others attack the server: its latency and failures before, during and after
 * each attack, with 1, 3 and 10 attackers. The server runs like `serve`, with the local chain in a process of its own and
 * a generated index.
 * Usage: npm run bench:abuse [-- --quick --only pings,deep-offset --attackers 1,3,10 --seconds 8 --transactions 200000 --data FOLDER].
 * The index is generated once and kept in the folder. With `--only` the results of other attacks stay if they are of the
 * same day, machine and sizes, so a long run can be made in pieces. `--mixed SECONDS` has three attackers without a key
 * that mix all attacks instead, `--profile FOLDER` writes CPU profiles of the server. Exits with 1 if a goal is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { chainFolder } from '../src/localnet/chain/chain-folder.ts';
import type { Outcomes } from './abuse/attack-process.ts';
import { ATTACKS, type Attack } from './abuse/attacks.ts';
import { type MixedReport, type MixedSample, missedByMix, mixedLines } from './abuse/mixed-report.ts';
import {
  type AttackResult,
  MAX_STOLEN,
  MAX_TRIES,
  missedGoals,
  type Phase,
  type Report,
  tableOf,
  toMarkdown,
} from './abuse/report.ts';
import { createVictim, type Victim } from './abuse/victim.ts';
import { startWebhookVictim, type WebhookVictim } from './abuse/webhook-victim.ts';
import { cpuOf, cpuWithChildren } from './streaming/processes.ts';
import { watchStolenTime } from './support/measure.ts';
import { runInfo, writeResults } from './support/report.ts';
import { type MeasuredProcess, startTongate } from './support/servers.ts';
import { startChain } from './v2/chain.ts';
import { prepareDatabase } from './v3/prepare.ts';

const BLOCK_MS = 1000;
/** Of the server: the usual limit of a service. */
const OPEN_FILES = 4096;
/** Until the first requests of the attackers have arrived. */
const LEAD_MS = 1500;

/** Those of the generated index: 24 partitions. */
const SEQNOS = 24_000_000;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    mixed: { type: 'string' },
    attackers: { type: 'string', default: '1,3,10' },
    seconds: { type: 'string' },
    transactions: { type: 'string', default: '200000' },
    data: { type: 'string' },
    profile: { type: 'string' },
  },
});
const seconds = Number(values.seconds ?? (values.quick ? 3 : 8));
const attackerCounts = values.attackers.split(',').map(Number);
const only = values.only?.split(',');
const attacks = ATTACKS.filter(({ name }) => only === undefined || only.includes(name));
/** How many mix all attacks, and how often the server is looked at meanwhile. */
const MIXED_ATTACKERS = 3;
const SAMPLE_SECONDS = 20;

interface Parts {
  readonly server: MeasuredProcess;
  readonly victim: Victim;
  /** Only where an attack is on webhooks. */
  readonly events: WebhookVictim | undefined;
  readonly databaseUrl: string;
  /** Of the postmaster. */
  readonly databasePid: number;
}

/** What the victim notices for some seconds, and the state of the server; of several tries the one with the least stolen time. */
async function watch(parts: Parts): Promise<Phase> {
  let best = await watchOnce(parts);
  for (let tries = 1; best.stolen > MAX_STOLEN && tries < MAX_TRIES; tries++) {
    const next = await watchOnce(parts);
    if (next.stolen < best.stolen) best = next;
  }
  return best;
}

async function watchOnce({ server, victim, events: webhook, databasePid }: Parts) {
  const stolenSince = watchStolenTime();
  const { cpuMicroseconds: cpuBefore } = await server.usage();
  const databaseBefore = cpuWithChildren(databasePid);
  const [seen, events] = await Promise.all([victim.watch(seconds), webhook?.watch(seconds)]);
  const { residentBytes, loopDelayP99Ms, cpuMicroseconds } = await server.usage();
  const processors = (cpuMicroseconds - cpuBefore) / 1e6 / seconds;
  const ofDatabase = (cpuWithChildren(databasePid) - databaseBefore) / seconds;
  return { seen, events, residentBytes, loopDelayP99Ms, processors, ofDatabase, stolen: stolenSince() };
}

interface Attackers {
  /** Seconds of a processor that they have taken. */
  readonly cpu: () => number;
  /** Stops them. */
  readonly stop: () => Promise<Outcomes>;
  readonly kill: () => Promise<void>;
}

/** Starts attackers in a process of their own; without a name they mix all attacks. */
function startAttackers({ server, databaseUrl }: Parts, attackers: number, name = ''): Attackers {
  const program = fileURLToPath(new URL('./abuse/attack-process.ts', import.meta.url));
  const child = fork(program, [name, server.url, String(attackers)], {
    env: { ...process.env, ABUSE_DATABASE_URL: databaseUrl },
  });
  const exited = once(child, 'exit');
  return {
    cpu: () => cpuOf(child.pid!),
    async stop() {
      child.send('stop');
      const [outcomes] = (await once(child, 'message')) as [Outcomes];
      return outcomes;
    },
    async kill() {
      child.kill();
      await exited;
    },
  };
}

async function underAttack(parts: Parts, { name, leadMs = LEAD_MS }: Attack, attackers: number) {
  const attack = startAttackers(parts, attackers, name);
  try {
    await sleep(leadMs);
    const [cpuBefore, startedMs] = [attack.cpu(), performance.now()];
    const during = await watch(parts);
    const processors = (attack.cpu() - cpuBefore) / ((performance.now() - startedMs) / 1000);
    return { attackers, during, processors, outcomes: await attack.stop() };
  } finally {
    await attack.kill();
  }
}

/** Three callers without a key that mix all attacks for a time. */
async function mixAttacks(parts: Parts, mixedSeconds: number): Promise<MixedReport> {
  const { server, victim } = parts;
  await victim.watch(SAMPLE_SECONDS / 2);
  const samples: MixedSample[] = [];
  const startedMs = performance.now();
  const sample = async (isAttacked: boolean): Promise<void> => {
    const seen = await victim.watch(SAMPLE_SECONDS);
    const { residentBytes, loopDelayP99Ms } = await server.usage();
    const second = Math.round((performance.now() - startedMs) / 1000);
    samples.push({ second, isAttacked, seen, residentBytes, loopDelayP99Ms });
    console.error(
      mixedLines({ attackers: MIXED_ATTACKERS, samples: samples.slice(-1), outcomes: {} }).at(-2),
    );
  };
  await sample(false);
  const attack = startAttackers(parts, MIXED_ATTACKERS);
  try {
    for (let second = 0; second < mixedSeconds; second += SAMPLE_SECONDS) await sample(true);
    const outcomes = await attack.stop();
    await sample(false);
    return { attackers: MIXED_ATTACKERS, samples, outcomes };
  } finally {
    await attack.kill();
  }
}

/** Runs an attack against a server of its own, so that an attack does not count for the next one. */
async function measure(parts: Parts, attack: Attack): Promise<AttackResult> {
  const { name, what, isBaseline = false } = attack;
  // The first requests compile code and fill pools.
  await parts.victim.watch(seconds);
  const before = await watch(parts);
  const rounds: AttackResult['rounds'][number][] = [];
  for (const attackers of attackerCounts) {
    const round = await underAttack(parts, attack, attackers);
    // What was accepted is still worked on.
    await sleep(LEAD_MS);
    rounds.push({ ...round, after: await watch(parts) });
  }
  return { name, what, isBaseline, before, rounds };
}

/** The generated index must belong to the chain that the server reads. */
async function adoptIndex(databaseUrl: string, zeroState: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('update index_origin set zero_state = $1', [Buffer.from(zeroState, 'hex')]);
  await client.end();
}

/** The process that all others of PostgreSQL are children of. */
async function postmasterOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('show data_directory');
  await client.end();
  return Number.parseInt(readFileSync(join(rows[0].data_directory, 'postmaster.pid'), 'utf8'), 10);
}

/** Those of earlier runs would be attackers, too. */
async function removeWebhooks(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('truncate webhooks, webhook_addresses, webhook_events, webhook_queues');
  await client.query("update webhook_feeds set cursor = null, types = '{}'");
  await client.end();
}

/** Runs some work against a server of its own. */
async function withServer<T>(
  folder: string,
  databaseUrl: string,
  { openFiles = OPEN_FILES, hasEvents = false }: Pick<Attack, 'openFiles' | 'hasEvents'>,
  work: (parts: Parts) => Promise<T>,
): Promise<T> {
  const { server, apiKey } = await startTongate(folder, {
    command: 'serve',
    settings: { DATABASE_URL: databaseUrl },
    openFiles,
    nodeOptions: values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', values.profile],
  });
  let events: WebhookVictim | undefined;
  try {
    await removeWebhooks(databaseUrl);
    if (hasEvents) events = await startWebhookVictim({ databaseUrl, url: server.url, apiKey });
    const databasePid = await postmasterOf(databaseUrl);
    return await work({ server, victim: createVictim(server.url, apiKey), events, databaseUrl, databasePid });
  } finally {
    await events?.stop();
    await server.stop();
  }
}

async function run(folder: string, mixedSeconds: number | undefined): Promise<Report> {
  const size = { transactions: Number(values.transactions), seqnos: SEQNOS };
  const database = await prepareDatabase(join(folder, 'index'), size);
  try {
    const chain = await startChain(chainFolder(join(folder, 'data')), BLOCK_MS, 'abuse');
    try {
      await adoptIndex(database.url, chain.zeroState);
      const report = { ...runInfo(), seconds, transactions: size.transactions };
      if (mixedSeconds !== undefined) {
        const mixed = await withServer(folder, database.url, {}, (parts) => mixAttacks(parts, mixedSeconds));
        return { ...report, results: [], mixed };
      }
      const results: AttackResult[] = [];
      for (const attack of attacks) {
        const result = await withServer(folder, database.url, attack, (parts) => measure(parts, attack));
        console.error(tableOf([result]).join('\n'));
        results.push(result);
      }
      return { ...report, results, mixed: undefined };
    } finally {
      await chain.stop();
    }
  } finally {
    await database.close();
  }
}

/** Adds what earlier runs of the same day, machine and sizes found about other attacks. */
function withEarlier(report: Report): Report {
  const stored = fileURLToPath(new URL('./results/abuse.json', import.meta.url));
  const earlier = JSON.parse(readFileSync(stored, 'utf8')) as Report;
  const isSame = (['date', 'machine', 'node', 'transactions'] as const).every(
    (field) => earlier[field] === report[field],
  );
  if (!isSame) return report;
  const { results, mixed = earlier.mixed } = report;
  const known = new Map([...earlier.results, ...results].map((result) => [result.name, result]));
  // A run of the mix has no phases.
  const { seconds: phaseSeconds } = results.length > 0 ? report : earlier;
  return {
    ...report,
    seconds: phaseSeconds,
    results: ATTACKS.flatMap(({ name }) => known.get(name) ?? []),
    mixed,
  };
}

const folder = values.data ?? join(tmpdir(), 'tongate-bench-abuse');
mkdirSync(folder, { recursive: true });
// Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
chmodSync(folder, 0o755);
const ran = await run(folder, values.mixed === undefined ? undefined : Number(values.mixed));
// Quick runs are not stored.
if (!values.quick) {
  const report = withEarlier(ran);
  writeResults('abuse', report, toMarkdown(report));
}
const missed = [...missedGoals(ran), ...missedByMix(ran.mixed)];
for (const line of missed) console.error(line);
process.exitCode = missed.length > 0 ? 1 : 0;
