import { Cell } from '@ton/core';
import { openDatabase } from '../../src/cli/open-database.ts';
import { indexChain } from '../../test/pending/support/demo-index.ts';
import { openPendingContext, type PendingContext } from '../../test/pending/support/pending-context.ts';
import { createQuietLog } from '../../test/support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../test/support/temporary-directory.ts';
import { type Case, prepareCases } from './cases.ts';
import { summary } from './measure-case.ts';
import type { LifeResult } from './report.ts';

/** How long it takes from when a message is accepted until its trace is found, classified, beside an index. */
export async function measureLife(seconds: number): Promise<LifeResult[]> {
  const dataDir = makeTemporaryDirectory('bench-pending');
  const opened = await openDatabase(
    {
      databaseUrl: undefined,
      databaseReplicaUrls: [],
      databaseReplicaMaxLag: 5000,
      databaseKeepPlans: true,
      databasePoolSize: 5,
      dataDir,
    },
    createQuietLog(),
  );
  const context = await openPendingContext(opened);
  try {
    const cases = await prepareCases(context);
    await indexChain(context, opened);
    const results: LifeResult[] = [];
    for (const one of cases) {
      await latenciesOf(context, one, seconds, false);
      results.push({
        name: one.name,
        shown: summary(await latenciesOf(context, one, seconds, false)),
        shownAtNewBlock: summary(await latenciesOf(context, one, seconds, true)),
      });
    }
    return results;
  } finally {
    await context.close();
    await opened.close();
    await removeTemporaryDirectory(dataDir);
  }
}

/** Milliseconds of one message after another. */
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
  return counts.shownSeconds.map((one) => one * 1000);
}
