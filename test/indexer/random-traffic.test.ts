import fc from 'fast-check';
import { expect, it } from 'vitest';
import { verifyRange } from '../../src/indexer/verify/verify-range.ts';
import { openLiteServer } from '../../src/localnet/chain/open-lite-server.ts';
import { startLocalChain } from '../localnet/support/local-chain.ts';
import { Traffic } from '../localnet/support/traffic.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { openChainPool } from './support/index-tables.ts';
import { isComplete, openTestIndexer, until, untilNothingIsMissing } from './support/test-indexer.ts';

/** After those that set it up. */
const TRANSACTIONS = sampled(60, 2000);

it('random traffic over four shards is indexed without differences', { timeout: 600_000 }, async () => {
  const [seed] = fc.sample(fc.integer(), 1);
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('traffic');
  let transactions = 0;
  // Large enough to keep the states of all blocks for the comparison.
  const chain = await startLocalChain(
    { shards: 4 },
    (collated) => {
      transactions += collated.transactions;
    },
    256 * 2 ** 20,
  );
  const traffic = new Traffic(seed!);
  await chain.steps(6);
  await traffic.fund(chain);
  const enough = transactions + TRANSACTIONS;
  while (transactions < enough) await chain.step(traffic.wave());
  await chain.steps(5);
  const server = await openLiteServer(folder, {
    store: chain.store,
    host: '127.0.0.1',
    port: 0,
    now: () => chain.now,
    log,
  });
  const pool = await openChainPool(server.globalConfigPath, log);
  const context = await openTestIndexer();
  try {
    const to = chain.store.head.seqno;
    await pool.waitForSeqno(to, { timeoutMs: 30_000 });
    const indexer = context.indexer(pool, { lanes: 2, chunkSeqnos: 15 });
    indexer.start();
    await until(indexer, isComplete(to));
    await untilNothingIsMissing(context);
    await indexer.close();
    const check = { verify: true };
    const found = await verifyRange({ db: context.database.primary, pool, check, from: 1, to });
    expect(found.differences).toEqual([]);
    expect(found.compared.get('transactions')).toBeGreaterThanOrEqual(enough);
    const blocks = await context.database.primary
      .selectFrom('blocks')
      .select('shard')
      .distinct()
      .where('workchain', '=', 0)
      .where('mc_seqno', '=', to)
      .execute();
    expect(blocks).toHaveLength(4);
  } finally {
    await context.close();
    await pool.close();
    await server.close();
    await chain.close();
    await removeTemporaryDirectory(folder);
  }
});
