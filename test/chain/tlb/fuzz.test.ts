import { beginCell, type Cell, Dictionary } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError, type Cells } from '../../../src/chain/boc/cells.ts';
import { CellArena } from '../../../src/chain/state/arena.ts';
import { codeHash, dataHash, readAccount } from '../../../src/chain/tlb/account.ts';
import { walkTransactions } from '../../../src/chain/tlb/account-blocks.ts';
import { previousBlocks } from '../../../src/chain/tlb/block.ts';
import {
  readBlockLimits,
  readCatchainConfig,
  readSizeLimits,
  readSuspendedAddresses,
  readWorkchains,
} from '../../../src/chain/tlb/config.ts';
import { readGasPrices, readStoragePrices } from '../../../src/chain/tlb/config-prices.ts';
import { readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { libraryPublishers } from '../../../src/chain/tlb/libraries.ts';
import { readMasterchainMessages } from '../../../src/chain/tlb/masterchain-block.ts';
import {
  lookUpOldMcBlock,
  readMcStateExtra,
  readMcStateInfo,
} from '../../../src/chain/tlb/masterchain-state.ts';
import { normalizedHash } from '../../../src/chain/tlb/message.ts';
import { readOutMsgQueueInfo } from '../../../src/chain/tlb/queues.ts';
import { readShardAccounts, walkShardAccounts } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import { readShardState, readShardStateTotals, splitStateParts } from '../../../src/chain/tlb/shard-state.ts';
import { readValidatorSet } from '../../../src/chain/tlb/validators.ts';
import { buildAccount } from '../../support/chain-builder/accounts.ts';
import { buildShardState } from '../../support/chain-builder/states.ts';
import { fuzzDecoders } from '../../support/fuzz/fuzz-decoder.ts';
import { sampled } from '../../support/long-run.ts';
import { readBlock, readBlockTransactions } from '../support/block-readers.ts';
import { sampleBlock, sampleMasterBlock, sampleTransactions, shardTop } from '../support/block-samples.ts';
import { readShardFees, walkInMsgDescr, walkOutMsgDescr } from '../support/block-walks.ts';
import { hash, numbers, raw } from '../support/built-cells.ts';
import {
  configParams,
  listSuspended,
  readConsensusConfig,
  readPrecompiledContracts,
  readSimplexConfigs,
} from '../support/config-params.ts';
import { walkLibraries } from '../support/libraries.ts';

/** Reads everything that a block holds. */
function readAll(bytes: Buffer): void {
  const bag = readBoc(bytes);
  const { info, extra, masterchain } = readBlock(bag, bag.root);
  previousBlocks(info);
  for (const { inMessage } of readBlockTransactions(bag, bag.root))
    if (inMessage !== undefined) normalizedHash(inMessage);
  walkInMsgDescr(bag, extra.inMsgDescr, () => {});
  walkOutMsgDescr(bag, extra.outMsgDescr, () => {});
  if (masterchain === undefined) return;
  readShardHashes(bag, masterchain.shardHashes);
  readShardFees(bag, masterchain.shardFees);
  readMasterchainMessages(bag, masterchain.messages);
}

describe('damaged blocks', () => {
  it('are read or rejected with a CellError', () => {
    const seeds = [
      sampleBlock(sampleTransactions(3, 4)).bytes,
      sampleMasterBlock([shardTop(0, 2n ** 62n, 5), shardTop(0, -(2n ** 62n), 6)]).bytes,
    ];
    const report = fuzzDecoders({
      targets: [{ name: 'block', seeds, decode: readAll }],
      expectedError: CellError,
      rounds: sampled(400, 6000),
      seed: 20_261,
      hangMs: 50,
    });
    expect(report.problems).toEqual([]);
    expect(report.rejected).toBeGreaterThan(100);
    expect(report.accepted).toBeGreaterThan(100);
  });

  it('with more transactions than cells are rejected', () => {
    const [transaction] = sampleTransactions(1, 1);
    const amount = (builder = beginCell()) => builder.storeUint(0, 5);
    // Each fork has the same cell on both sides, so 200 cells stand for 2^200 accounts.
    const leaf = amount(beginCell().storeUint(0b10, 2).storeUint(56, 6).storeUint(0, 56))
      .storeUint(5, 4)
      .storeUint(0, 256)
      .storeUint(0b10, 2)
      .storeUint(64, 7)
      .storeUint(1, 64)
      .storeUint(0, 5)
      .storeRef(transaction!.cell)
      .storeRef(beginCell().storeUint(0x72, 8).storeUint(0, 512))
      .endCell();
    let tree: Cell = leaf;
    for (let i = 0; i < 200; i++)
      tree = amount(beginCell().storeUint(0, 2).storeRef(tree).storeRef(tree)).endCell();
    const bag = readBoc(amount(beginCell().storeBit(1).storeRef(tree)).endCell().toBoc());
    let count = 0;
    const visit = () => {
      count++;
    };
    expect(() => walkTransactions(bag, bag.root, visit)).toThrow(CellError);
    expect(count).toBeLessThanOrEqual(bag.count);
  });
});

/** A masterchain state with something of everything. */
function sampleState(): Cell {
  const leaf = beginCell().storeUint(1, 32).endCell();
  const accounts = [3, 77, 130, 200].map((fill, i) =>
    buildAccount({
      id: { workchain: -1, hash: hash(fill) },
      balance: 5n ** BigInt(i * 5),
      ...(i % 2 === 0 ? { init: { code: leaf, data: beginCell().storeRef(leaf).endCell() } } : {}),
      lastTransLt: BigInt(i),
      lastTransHash: hash(i),
    }),
  );
  const validators = Dictionary.empty(Dictionary.Keys.Uint(16), raw);
  for (const index of [0, 1, 2])
    validators.set(
      index,
      numbers(0x53, 8).storeUint(0x8e81278a, 32).storeBuffer(hash(index)).storeUint(5, 64),
    );
  const set = numbers(0x12, 32, 32).storeUint(3, 16).storeUint(1, 16).storeUint(15, 64).storeDict(validators);
  const prices = Dictionary.empty(Dictionary.Keys.Uint(32), raw);
  prices.set(0, numbers(0xcc, 32, 64, 64, 64, 64)).set(9, numbers(0xcc, 32, 64, 64, 64, 64));
  const config = new Map([
    [18, beginCell().storeDictDirect(prices).endCell()],
    [20, numbers(0xdd, 64, 64, 64, 64, 64, 64).endCell()],
    [28, numbers(0xc1, 32, 32, 32, 32).endCell()],
    [34, set.endCell()],
    [43, numbers(1, 32, 32, 32, 16, 32, 16).endCell()],
  ]);
  const oldBlocks = [1, 2, 3, 9].map((seqno) => {
    const id = { workchain: -1, shard: -(2n ** 63n), seqno, rootHash: hash(1), fileHash: hash(2) };
    return { id, endLt: BigInt(seqno), keyBlock: seqno % 2 === 0 };
  });
  return buildShardState({
    workchain: -1,
    shard: -(2n ** 63n),
    seqno: 10,
    utime: 1_700_000_000,
    lt: 10n,
    accounts,
    libraries: [leaf, beginCell().storeRef(leaf).endCell()],
    queueSize: 7n,
    masterchain: { shards: [], config, oldBlocks, lastKeyBlock: oldBlocks[1] },
  });
}

/** Runs something that may refuse, but not fail in another way; gives what came out. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

const CELL_READERS: readonly ((cells: Cells, cell: number) => unknown)[] = [
  readAccount,
  readBlockLimits,
  readCatchainConfig,
  readConsensusConfig,
  readGasPrices,
  readMcStateExtra,
  readMcStateInfo,
  readOutMsgQueueInfo,
  readPrecompiledContracts,
  readShardAccounts,
  readShardState,
  readShardStateTotals,
  readSimplexConfigs,
  readSizeLimits,
  readStoragePrices,
  (cells, cell) => listSuspended(cells, readSuspendedAddresses(cells, cell)),
  readValidatorSet,
  readWorkchains,
  splitStateParts,
];

/** Reads everything that a state has; each part may turn out to be refused. */
function readEverything(cells: Cells, root: number): number {
  let accounts = 0;
  const state = attempt(() => readShardState(cells, root));
  if (state === undefined) return 0;
  attempt(() => readOutMsgQueueInfo(cells, state.outMsgQueueInfo));
  attempt(() =>
    walkShardAccounts(cells, state.accounts, (_, entry) => {
      const account = attempt(() => readAccount(cells, entry.account));
      if (account === undefined) return;
      accounts++;
      attempt(() => [codeHash(cells, account), dataHash(cells, account)]);
      attempt(() => readExtraCurrencies(cells, account.balance));
    }),
  );
  const totals = attempt(() => readShardStateTotals(cells, state.totals));
  if (totals !== undefined)
    attempt(() =>
      walkLibraries(cells, totals.libraries, (key) => libraryPublishers(cells, totals.libraries, key)),
    );
  const extra = state.custom < 0 ? undefined : attempt(() => readMcStateExtra(cells, state.custom));
  if (extra === undefined) return accounts;
  const info = attempt(() => readMcStateInfo(cells, extra.info));
  if (info !== undefined) attempt(() => lookUpOldMcBlock(cells, info.prevBlocks.root, 3));
  for (const { cell } of attempt(() => configParams(cells, extra.config)) ?? [])
    for (const reader of CELL_READERS) attempt(() => reader(cells, cell));
  return accounts;
}

describe('damaged states', () => {
  const boc = sampleState().toBoc({ idx: false, crc32: false });

  it('are read completely when nothing is damaged', () => {
    const bag = readBoc(boc);
    expect(readEverything(bag, bag.root)).toBe(4);
  });

  it('are read or rejected with a CellError', () => {
    const flips = fc.array(fc.nat({ max: boc.length * 8 - 1 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(flips, (bits) => {
        const bytes = Buffer.from(boc);
        for (const bit of bits) bytes[bit >> 3]! ^= 0x80 >> (bit & 7);
        const bag = attempt(() => readBoc(bytes));
        if (bag === undefined) return;
        const arena = new CellArena();
        attempt(() => {
          for (const root of bag.roots) {
            const kept = arena.add(bag, root);
            arena.missing(kept, 10);
            readEverything(arena, arena.compact([kept])[0]!);
          }
        });
        for (const root of bag.roots) readEverything(bag, root);
      }),
      { numRuns: sampled(30, 1000) },
    );
  });

  it('are read or rejected by any reader at any cell', () => {
    fc.assert(
      fc.property(fc.nat({ max: boc.length * 8 - 1 }), (bit) => {
        const bytes = Buffer.from(boc);
        bytes[bit >> 3]! ^= 0x80 >> (bit & 7);
        const bag = attempt(() => readBoc(bytes));
        for (let cell = 0; cell < (bag?.count ?? 0); cell++)
          for (const reader of CELL_READERS) attempt(() => reader(bag!, cell));
      }),
    );
  });
});
