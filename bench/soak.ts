/**
 * Hours of work in one: mixed requests at the highest rate that the machine holds, while PostgreSQL and the lite server
 * are killed, paused and restarted. Memory must be flat, nothing may be lost, and `verify` must find nothing.
 * Usage: npm run soak [-- --minutes 60 --clients 8]. Exits with 1 if a goal is missed.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDemoWallets } from '../src/localnet/demo/demo-wallets.ts';
import { databaseProcesses, signalAll, startLocalnetProcess } from '../test/support/fault-tools.ts';
import { missedGoals, type Report, type Sample, toMarkdown } from './soak/report.ts';
import { startLoad } from './soak/requests.ts';
import { runInfo, writeResults } from './support/report.ts';
import { startTongate } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    clients: { type: 'string', default: '8' },
  },
});
const minutes = Number(values.minutes);
const SAMPLES = 120;
const sampleMs = Math.max(1000, (minutes * 60_000) / SAMPLES);
/** One of the faults after each of these parts of the run. */
const FAULTS = 12;
const BLOCK_MS = '1000';
const MESSAGE_EVERY_SECONDS = 1;
const PAUSE_MS = 5000;
const MIN_STORED_MINUTES = 20;

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tongate-soak-'));
// Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
chmodSync(folder, 0o755);
const chainEnv = {
  ...process.env,
  NETWORK: 'localnet',
  DATA_DIR: join(folder, 'chain'),
  LOCALNET_BLOCK_MS: BLOCK_MS,
  LOG_LEVEL: 'warn',
};
const settings = {
  NETWORK: 'custom',
  TON_CONFIG: join(folder, 'chain/localnet/global.config.json'),
  DATA_DIR: join(folder, 'data'),
};

let chain: ChildProcess;

async function startChain(): Promise<void> {
  chain = await startLocalnetProcess(chainEnv);
}

function command(env: NodeJS.ProcessEnv, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** Of the embedded PostgreSQL. */
function postmaster(): number {
  const file = join(settings.DATA_DIR, 'postgres/cluster/postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

const faults: readonly { readonly name: string; readonly run: () => Promise<void> }[] = [
  {
    name: 'PostgreSQL killed',
    run: async () => signalAll([postmaster()], 'SIGKILL'),
  },
  {
    name: 'lite server killed and restarted',
    run: async () => {
      chain.kill('SIGKILL');
      await once(chain, 'exit');
      await sleep(PAUSE_MS);
      await startChain();
    },
  },
  {
    name: 'PostgreSQL stopped for 5 s',
    run: async () => {
      const stopped = databaseProcesses(postmaster());
      signalAll(stopped, 'SIGSTOP');
      await sleep(PAUSE_MS);
      signalAll(stopped, 'SIGCONT');
    },
  },
  {
    name: 'lite server stopped for 5 s',
    run: async () => {
      chain.kill('SIGSTOP');
      await sleep(PAUSE_MS);
      chain.kill('SIGCONT');
    },
  },
  { name: 'PostgreSQL restarted', run: async () => signalAll([postmaster()], 'SIGINT') },
];

async function seqnoOf(url: string, apiKey: string, path: string): Promise<number> {
  try {
    const response = await fetch(url + path, { headers: { 'x-api-key': apiKey } });
    const { last, result } = (await response.json()) as Record<
      string,
      { seqno: number; last: { seqno: number } }
    >;
    return last?.seqno ?? result?.last.seqno ?? 0;
  } catch {
    return 0;
  }
}

/** Until the index has the newest block of now; throws if it does not come. */
async function untilIndexed(url: string, apiKey: string): Promise<void> {
  const deadlineMs = Date.now() + 300_000;
  let head = 0;
  while (Date.now() < deadlineMs) {
    head ||= await seqnoOf(url, apiKey, '/api/v2/getMasterchainInfo');
    if (head > 0 && (await seqnoOf(url, apiKey, '/api/v3/masterchainInfo')) >= head) return;
    await sleep(500);
  }
  throw new Error(`The index did not reach block ${head}`);
}

async function run(): Promise<Report> {
  await startChain();
  const { kate } = openDemoWallets();
  command(chainEnv, 'localnet', 'fund', kate.address.toRawString(), '10000');
  const { server, apiKey } = await startTongate(folder, { settings });
  try {
    await untilIndexed(server.url, apiKey);
    const load = await startLoad({
      url: server.url,
      apiKey,
      clients: Number(values.clients),
      messageEverySeconds: MESSAGE_EVERY_SECONDS,
    });
    const startedMs = performance.now();
    const samples: Sample[] = [];
    const done: string[] = [];
    let fault: Promise<void> | undefined;
    while (performance.now() - startedMs < minutes * 60_000) {
      await sleep(sampleMs);
      const { residentBytes, loopDelayP99Ms } = await server.usage();
      const passed = (performance.now() - startedMs) / (minutes * 60_000);
      const sample: Sample = {
        minute: Number((passed * minutes).toFixed(2)),
        residentMb: Math.round(residentBytes / 2 ** 20),
        loopDelayP99Ms: Math.round(loopDelayP99Ms),
        answered: load.answered(),
        outcomes: load.takeOutcomes(),
        fault: undefined,
      };
      // The last part is without faults, so that everything can be caught up.
      if (passed * FAULTS >= done.length + 1 && done.length < FAULTS - 1) {
        const next = faults[done.length % faults.length]!;
        done.push(next.name);
        await fault;
        fault = next.run();
        samples.push({ ...sample, fault: next.name });
      } else samples.push(sample);
      console.error(JSON.stringify(samples.at(-1)));
    }
    await fault;
    await load.stop();
    for (const failure of load.failures()) console.error(failure);
    await untilIndexed(server.url, apiKey);
    const verified = command(settings, 'verify');
    return {
      ...runInfo(),
      minutes,
      clients: Number(values.clients),
      requests: load.answered(),
      samples,
      verify: verified.output.trim().split('\n').at(-1) ?? '',
      verified: verified.status === 0,
    };
  } finally {
    await server.stop();
    chain.kill('SIGTERM');
    await once(chain, 'exit');
  }
}

try {
  const report = await run();
  // Short runs are not stored.
  if (minutes >= MIN_STORED_MINUTES) writeResults('soak', report, toMarkdown(report));
  console.log(toMarkdown(report));
  const missed = missedGoals(report);
  for (const line of missed) console.error(line);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
