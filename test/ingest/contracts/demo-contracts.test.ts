import { expect, test } from 'vitest';
import { createQuietLog } from '../../support/quiet-log.ts';
import { readIndexedDemo, startDemoChain } from '../../v3/support/indexed-demo.ts';
import { openChainPool } from '../support/index-tables.ts';
import { compareContracts } from './support/compare-contracts.ts';

test('every demo contract is indexed as its get-methods say, and no other', {
  timeout: 300_000,
}, async () => {
  const running = await startDemoChain();
  const pool = await openChainPool(running.globalConfigPath, createQuietLog());
  const context = await readIndexedDemo();
  try {
    await pool.waitForSeqno(running.localnet.store.head.seqno, { timeoutMs: 120_000 });
    const counts = await compareContracts(context, pool);
    expect(counts).toEqual({
      jetton_masters: 2,
      jetton_wallets: 9,
      nft_collections: 2,
      nft_items: 8,
      nft_sales: 2,
      nft_auctions: 0,
      telemint_items: 0,
      dns_entries: 4,
      multisigs: 1,
      multisig_orders: 2,
      vestings: 1,
      nominator_pools: 1,
      dex_pools: 0,
      jetton_transfers: 6,
      jetton_burns: 1,
      nft_transfers: 5,
    });
  } finally {
    await context.drop();
    await pool.close();
    await running.stop();
  }
});
