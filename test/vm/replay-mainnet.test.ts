import { existsSync, readFileSync } from 'node:fs';
import { Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { writeCellBoc } from '../../src/chain/boc/writer.ts';
import { readTransaction } from '../../src/chain/tlb/transaction.ts';
import { prepareConfig, shareBoc } from '../../src/vm/shared-inputs.ts';
import type { Vm } from '../../src/vm/vm.ts';
import { sharedVm } from '../support/shared-vm.ts';

const FILE = new URL(
  '../../../shared/data/mainnet/replay/transaction_replay_regression.json',
  import.meta.url,
);
const missing = existsSync(FILE) ? '' : ' (skipped: data of the mainnet is not beside this checkout)';

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');

describe.skipIf(missing !== '')(`transactions of the mainnet${missing}`, () => {
  let vm: Vm;
  beforeAll(() => {
    vm = sharedVm();
  });
  afterAll(() => vm.close());

  it('have the same hashes when they are executed again', async () => {
    const { config: given, accounts } = JSON.parse(readFileSync(FILE, 'utf8'));
    const config = prepareConfig(bytes(given.config_root_boc_base64));
    expect(config.globalVersion).toBe(given.global_version);
    const libraries = shareBoc(bytes(given.libraries_boc_base64[0]));
    const prevBlocks = shareBoc(bytes(given.prev_blocks_stack_boc_base64));
    for (const { from_shard_account_boc_base64: before, first_tx: made } of accounts) {
      const bag = readBoc(bytes(made.expected_tx_boc_base64));
      const { inMessage } = readTransaction(bag, bag.root, 0);
      const outcome = await vm.runTransaction(
        {
          config,
          libraries,
          prevBlocks,
          // Written anew: the file gives library cells a level, which they do not have.
          shardAccount: Cell.fromBase64(before).toBoc(),
          message: writeCellBoc(bag, inMessage!.cell),
          lt: BigInt(made.lt),
          utime: Number(made.now),
          randSeed: bytes(made.rand_seed_base64),
        },
        { timeoutMs: 60_000 },
      );
      if (outcome.kind !== 'done') throw new Error(outcome.text);
      const again = readBoc(outcome.transaction);
      expect(again.hash(again.root).toString('hex')).toBe(made.expected_tx_hash);
    }
  });
});
