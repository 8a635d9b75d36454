/**
 * Our lite-server connection compared with the engine of ton-lite-client, on the same server: many small concurrent
 * queries, and a block of 4 MB. Usage: npm run bench:lite [-- --rounds 5 --queries 5000]. Exits with 1 if a goal is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createOurClient, createTheirClient } from './lite/clients.ts';
import { judge, type Round, type Rounds, runRound } from './lite/measure.ts';
import { type Report, toMarkdown } from './lite/report.ts';
import type { ServerAddress } from './lite/server-process.ts';
import { runInfo, writeResults } from './support/report.ts';

const blockBytes = 4 * 1024 * 1024;
// One block is too short to measure with our client; with theirs, many take too long.
const ourBlocksPerRound = 10;
const theirBlocksPerRound = 1;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, queries: { type: 'string', default: '5000' } },
});
const rounds = Number(values.rounds);
const queriesPerRound = Number(values.queries);

async function measure(address: ServerAddress): Promise<Rounds> {
  const [our, their] = await Promise.all([createOurClient(address), createTheirClient(address)]);
  const results: Record<'ours' | 'theirs', Round[]> = { ours: [], theirs: [] };
  try {
    for (let round = -1; round < rounds; round += 1) {
      const ourRound = await runRound(our, queriesPerRound, ourBlocksPerRound, blockBytes);
      const theirRound = await runRound(their, queriesPerRound, theirBlocksPerRound, blockBytes);
      // The first round is a warm-up.
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
    ...runInfo(),
    rounds,
    queriesPerRound,
    blockBytes,
    ...judge(await measure(address)),
  };
  writeResults('lite', report, toMarkdown(report));
  console.log(toMarkdown(report));
  const missed = [report.queriesPerSecond, report.cpuMsPerBlock].filter(
    ({ ratio, goal }) => ratio < (goal ?? 0),
  );
  for (const { ratio, goal } of missed) console.error(`${ratio} is below ${goal}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  server.disconnect();
}
