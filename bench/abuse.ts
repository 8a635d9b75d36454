/**
 * What a client with an API key notices while others attack the server: its latency and failures before, during and after
 * each attack, with 1, 3 and 10 attackers. The server runs like `serve`, with the local chain in a process of its own and
 * a generated index.
 * Usage: npm run bench:abuse [-- --quick --only fee-loop --attackers 1,3,10 --seconds 8 --transactions 200000 --data FOLDER].
 * The index is generated once and kept in the folder. Exits with 1 if a goal is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { chainFolder } from '../src/localnet/chain/chain-folder.ts';
import type { Outcomes } from './abuse/attack-process.ts';
import { ATTACKS } from './abuse/attacks.ts';
import {
  type AttackResult,
  missedGoals,
  type Phase,
  type Report,
  tableOf,
  toMarkdown,
} from './abuse/report.ts';
import { createVictim, type Victim } from './abuse/victim.ts';
import { startWebhookVictim, type WebhookVictim } from './abuse/webhook-victim.ts';
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
    only: { type: 'string', default: '' },
    attackers: { type: 'string', default: '1,3,10' },
    seconds: { type: 'string' },
    transactions: { type: 'string', default: '200000' },
    data: { type: 'string' },
  },
});
const seconds = Number(values.seconds ?? (values.quick ? 3 : 8));
const attackerCounts = values.attackers.split(',').map(Number);
const attacks = ATTACKS.filter(({ name }) => name.includes(values.only));

interface Parts {
  readonly server: MeasuredProcess;
  readonly victim: Victim;
  /** Only where an attack is on webhooks. */
  readonly events: WebhookVictim | undefined;
  readonly databaseUrl: string;
}

/** What the victim notices for some seconds, and the state of the server. */
async function watch({ server, victim, events: webhook }: Parts): Promise<Phase> {
  await server.usage();
  const [seen, events] = await Promise.all([victim.watch(seconds), webhook?.watch(seconds)]);
  const { residentBytes, loopDelayP99Ms } = await server.usage();
  return { seen, events, residentBytes, loopDelayP99Ms };
}

async function underAttack(
  parts: Parts,
  { name, leadMs = LEAD_MS }: (typeof ATTACKS)[number],
  attackers: number,
) {
  const program = fileURLToPath(new URL('./abuse/attack-process.ts', import.meta.url));
  const child = fork(program, [name, parts.server.url, String(attackers)], {
    env: { ...process.env, ABUSE_DATABASE_URL: parts.databaseUrl },
  });
  const exited = once(child, 'exit');
  try {
    await sleep(leadMs);
    const during = await watch(parts);
    child.send('stop');
    const [outcomes] = (await once(child, 'message')) as [Outcomes];
    return { attackers, during, outcomes };
  } finally {
    child.kill();
    await exited;
  }
}

/** Runs an attack against a server of its own, so that an attack does not count for the next one. */
async function measure(parts: Parts, attack: (typeof ATTACKS)[number]): Promise<AttackResult> {
  const { name, what } = attack;
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
  return { name, what, before, rounds };
}

/** The generated index must belong to the chain that the server reads. */
async function adoptIndex(databaseUrl: string, zeroState: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('update index_origin set zero_state = $1', [Buffer.from(zeroState, 'hex')]);
  await client.end();
}

/** Those of earlier runs would be attackers, too. */
async function removeWebhooks(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('truncate webhooks, webhook_addresses, webhook_events, webhook_queues');
  await client.query("update webhook_feeds set cursor = null, types = '{}'");
  await client.end();
}

async function run(folder: string): Promise<Report> {
  const size = { transactions: Number(values.transactions), seqnos: SEQNOS };
  const database = await prepareDatabase(join(folder, 'index'), size);
  try {
    const chain = await startChain(chainFolder(join(folder, 'data')), BLOCK_MS, 'abuse');
    try {
      await adoptIndex(database.url, chain.zeroState);
      const results: AttackResult[] = [];
      for (const attack of attacks) {
        const { server, apiKey } = await startTongate(folder, {
          command: 'serve',
          settings: { DATABASE_URL: database.url },
          openFiles: OPEN_FILES,
        });
        let events: WebhookVictim | undefined;
        try {
          const { url: databaseUrl } = database;
          await removeWebhooks(databaseUrl);
          if (attack.hasEvents === true)
            events = await startWebhookVictim({ databaseUrl, url: server.url, apiKey });
          const victim = createVictim(server.url, apiKey);
          results.push(await measure({ server, victim, events, databaseUrl }, attack));
        } finally {
          await events?.stop();
          await server.stop();
        }
        console.error(tableOf(results.slice(-1)).join('\n'));
      }
      return { ...runInfo(), seconds, transactions: Number(values.transactions), results };
    } finally {
      await chain.stop();
    }
  } finally {
    await database.close();
  }
}

const folder = values.data ?? join(tmpdir(), 'tongate-bench-abuse');
mkdirSync(folder, { recursive: true });
// Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
chmodSync(folder, 0o755);
const report = await run(folder);
// Partial and quick runs are not stored.
if (!values.quick && values.only === '') writeResults('abuse', report, toMarkdown(report));
console.log(toMarkdown(report));
const missed = missedGoals(report);
for (const line of missed) console.error(line);
process.exitCode = missed.length > 0 ? 1 : 0;
