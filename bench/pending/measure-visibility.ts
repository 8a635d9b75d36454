import { Cell } from '@ton/core';
import { openDatabase } from '../../src/cli/open-database.ts';
import { indexChain } from '../../test/pending/support/demo-index.ts';
import { openPendingContext, type PendingContext } from '../../test/pending/support/pending-context.ts';
import { createQuietLog } from '../../test/support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../test/support/temporary-directory.ts';
import { type Case, prepareCases } from './cases.ts';
import { summary } from './measure-emulation.ts';
import type { LifeResult } from './report.ts';

/** Time from accepting a message until its trace is visible and classified, on a server with an index. */
export async function measureVisibility(seconds: number): Promise<LifeResult[]> {
  const dataDir = makeTemporaryDirectory('bench-pending');
  const opened = await openDatabase(
    {
      databaseUrl: undefined,
      databaseReplicaUrls: [],
      databaseReplicaMaxLag: 5000,
      databaseCluster: 'none',
      databaseShards: 1,
      databaseKeepPlans: true,
      databasePoolSize: 5,
      dataDir,
      network: 'localnet',
    },
    createQuietLog(),
  );
  const context = await openPendingContext(opened);
  try {
    const cases = await prepareCases(context);
    await indexChain(context, opened);
    const results: LifeResult[] = [];
    for (const benchCase of cases) {
      // Warm-up.
      await latenciesOf(context, benchCase, seconds, false);
      results.push({
        name: benchCase.name,
        shown: summary(await latenciesOf(context, benchCase, seconds, false)),
        shownAtNewBlock: summary(await latenciesOf(context, benchCase, seconds, true)),
      });
    }
    return results;
  } finally {
    await context.close();
    await opened.close();
    await removeTemporaryDirectory(dataDir);
  }
}

/** Sends the message repeatedly; returns milliseconds. */
async function latenciesOf(
  context: PendingContext,
  { message }: Case,
  seconds: number,
  withBlocks: boolean,
): Promise<number[]> {
  const { pending, counts } = context;
  const cell = Cell.fromBoc(message)[0]!;
  const until = performance.now() + seconds * 1000;
  counts.shownSeconds.length = 0;
  while (performance.now() < until) {
    pending.clear();
    if (withBlocks) await context.mine();
    await context.accept(cell);
  }
  pending.clear();
  return counts.shownSeconds.map((shown) => shown * 1000);
}
