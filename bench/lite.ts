/**
 * Our connection to a lite server against the engine of ton-lite-client, over the same server: many small queries at
 * once, and a block of 4 MB. Usage: npm run bench:lite [-- --rounds 5 --queries 5000]. Ends with 1 when a goal is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine } from './http/report.ts';
import { ours, theirs } from './lite/clients.ts';
import { judge, type Report, type Rounds, toMarkdown, writeReport } from './lite/report.ts';
import { type Round, runRound } from './lite/round.ts';
import type { ServerAddress } from './lite/server-process.ts';

const blockBytes = 4 * 1024 * 1024;
// Ours are too quick to be measured one at a time, theirs too slow to be asked for many.
const ourBlocksPerRound = 10;
const theirBlocksPerRound = 1;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, queries: { type: 'string', default: '5000' } },
});
const rounds = Number(values.rounds);
const queriesPerRound = Number(values.queries);

async function measure(address: ServerAddress): Promise<Rounds> {
  const [our, their] = await Promise.all([ours(address), theirs(address)]);
  const results: Record<'ours' | 'theirs', Round[]> = { ours: [], theirs: [] };
  try {
    for (let round = -1; round < rounds; round += 1) {
      const ourRound = await runRound(our, queriesPerRound, ourBlocksPerRound, blockBytes);
      const theirRound = await runRound(their, queriesPerRound, theirBlocksPerRound, blockBytes);
      // The first round of each only warms up.
      if (round < 0) continue;
      results.ours.push(ourRound);
      results.theirs.push(theirRound);
    }
    return results;
  } finally {
    our.close();
    their.close();
  }
}

const server = fork(fileURLToPath(new URL('./lite/server-process.ts', import.meta.url)), [
  String(blockBytes),
]);
try {
  const [address] = (await once(server, 'message')) as [ServerAddress];
  const report: Report = {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    node: process.version,
    rounds,
    queriesPerRound,
    blockBytes,
    ...judge(await measure(address)),
  };
  writeReport(report);
  console.log(toMarkdown(report));
  const missed = [report.queriesPerSecond, report.cpuMsPerBlock].filter(
    ({ ratio, goal }) => ratio < (goal ?? 0),
  );
  for (const { ratio, goal } of missed) console.error(`${ratio} is below ${goal}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  server.disconnect();
}
