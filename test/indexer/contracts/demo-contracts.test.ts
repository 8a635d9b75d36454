import { expect, test } from 'vitest';
import { startLocalnet } from '../../../src/localnet/chain/start-localnet.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { openChainPool } from '../support/index-tables.ts';
import { isComplete, openTestIndexer, until, untilNothingIsMissing } from '../support/test-indexer.ts';
import { compareContracts } from './support/compare-contracts.ts';

test('every demo contract is indexed as its get-methods say, and no other', {
  timeout: 180_000,
}, async () => {
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('contracts');
  await copyDemoChain(folder, 4);
  const running = await startLocalnet({
    vm: sharedVm(),
    folder,
    settings: { blockMs: 3_600_000, mine: 'interval', shards: 4 },
    host: '127.0.0.1',
    port: 0,
    log,
  });
  const pool = await openChainPool(running.globalConfigPath, log);
  const context = await openTestIndexer();
  try {
    const to = running.localnet.store.head.seqno;
    await pool.waitForSeqno(to, { timeoutMs: 30_000 });
    const indexer = context.indexer(pool, { detection: context.detection(pool), chunkSeqnos: 10 });
    indexer.start();
    await until(indexer, isComplete(to));
    await untilNothingIsMissing(context);
    const counts = await compareContracts(context, pool);
    expect(counts).toEqual({
      jetton_masters: 2,
      jetton_wallets: 9,
      nft_collections: 2,
      nft_items: 6,
      nft_sales: 2,
      nft_auctions: 0,
      telemint_items: 0,
      dns_entries: 2,
      multisigs: 1,
      multisig_orders: 2,
      vestings: 1,
      nominator_pools: 0,
      dex_pools: 0,
      jetton_transfers: 6,
      jetton_burns: 1,
      nft_transfers: 5,
    });
  } finally {
    await context.close();
    await pool.close();
    await running.stop();
  }
});
