import { beginCell, type Cell } from '@ton/core';
import { type BlockId, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import type { AccountId } from '../../../src/chain/tl/names.ts';
import { type BuiltAccount, buildAccount } from './accounts.ts';
import { type BuiltBlock, buildBlock, nameOf } from './block.ts';
import type { BlockRef } from './block-names.ts';
import type { ConfigCells, OldBlock } from './masterchain-state.ts';
import { bagOf } from './merkle-cells.ts';
import type { ShardTop } from './shard-hashes.ts';
import { buildShardState } from './shard-state.ts';
import { type BuiltTransaction, buildTransaction } from './transactions.ts';

/** A whole small network. Blocks are in the order of their making. */
export interface SampleChain {
  readonly masterchain: readonly BuiltBlock[];
  readonly shardBlocks: readonly BuiltBlock[];
  readonly zeroState: ZeroState;
  /** Accounts of the masterchain, of the left and of the right half of the basechain. */
  readonly accounts: { readonly mc: AccountId; readonly left: AccountId; readonly right: AccountId };
  /** All transactions, the newest of each account first. */
  readonly transactions: readonly (BuiltTransaction & { readonly block: BlockId })[];
  readonly library: Cell;
}

interface ZeroState extends BlockRef {
  readonly state: Cell;
  readonly bytes: Buffer;
}

export const LEFT = 0x4000000000000000n;
export const RIGHT = -0x4000000000000000n;

const FIRST_UTIME = 1_700_000_000;
const LT_STEP = 1_000_000n;
/** Masterchain block 3 changes the configuration. */
const KEY_BLOCK = 3;
const LAST_SEQNO = 7;
/** How many transactions each account gets in each block. */
const TRANSACTIONS = 4;

const account = (workchain: number, firstByte: number): AccountId => ({
  workchain,
  hash: Buffer.alloc(32, 0x11).fill(firstByte, 0, 1),
});

/**
 * Makes the network. The basechain splits after block 2 and merges before block 6. Masterchain block 4 brings no new
 * shard block, block 5 brings two of each shard.
 */
export function sampleChain(): SampleChain {
  const accounts = { mc: account(-1, 0x33), left: account(0, 0x22), right: account(0, 0xee) };
  const library = beginCell().storeStringTail('a public library').endCell();
  const code = beginCell().storeStringTail('code').endCell();
  const transactions: (BuiltTransaction & { block: BlockId })[] = [];
  const newest = new Map<AccountId, BuiltTransaction>();
  const configs: readonly ConfigCells[] = [config(1), config(2)];

  const startLt = (step: number) => BigInt(step) * LT_STEP;
  const times = (step: number) => ({
    utime: FIRST_UTIME + 5 * step,
    startLt: startLt(step),
    endLt: startLt(step) + 100n,
  });

  /** New transactions of an account, each after the one before. */
  const transact = (id: AccountId, step: number): BuiltTransaction[] =>
    Array.from({ length: TRANSACTIONS }, (_, i) => {
      const { utime } = times(step);
      const made = buildTransaction({
        account: id,
        lt: startLt(step) + BigInt(3 * i + 1),
        utime,
        previous: newest.get(id),
      });
      newest.set(id, made);
      return made;
    });
  const stateOf = (id: AccountId): BuiltAccount[] => {
    const last = newest.get(id);
    if (last === undefined) return [];
    const init = { code, data: beginCell().storeUint(last.lt, 64).endCell() };
    return [
      buildAccount({ id, balance: 1000n + last.lt, init, lastTransLt: last.lt, lastTransHash: last.hash }),
    ];
  };
  const keep = (block: BuiltBlock): BuiltBlock => {
    for (const made of block.parts.transactions ?? []) transactions.unshift({ ...made, block: block.id });
    return block;
  };

  const baseZero = zeroState(
    0,
    buildShardState({ workchain: 0, shard: WHOLE_SHARD, seqno: 0, utime: FIRST_UTIME, lt: 0n }),
  );
  const topOfZero: ShardTop = { ...baseZero, startLt: 0n, utime: FIRST_UTIME };
  const mcZero = zeroState(
    -1,
    buildShardState({
      workchain: -1,
      shard: WHOLE_SHARD,
      seqno: 0,
      utime: FIRST_UTIME,
      lt: 0n,
      masterchain: { shards: [topOfZero], config: configs[0]!, oldBlocks: [] },
    }),
  );

  const masterchain: BuiltBlock[] = [];
  const shardBlocks: BuiltBlock[] = [];
  const masterRef = (): BlockRef => masterchain.at(-1) ?? mcZero;

  /** A block of one shard with transactions of the accounts that live there. */
  const addShardBlock = (
    seqno: number,
    shard: bigint,
    ids: readonly AccountId[],
    prev: readonly (BlockRef & { readonly state: Cell })[],
    flags: { afterSplit?: boolean; beforeSplit?: boolean } = {},
  ): void => {
    const made = ids.flatMap((id) => transact(id, seqno));
    const place = { workchain: 0, shard, seqno, ...times(seqno) };
    const newState = buildShardState({
      ...place,
      lt: place.endLt,
      accounts: ids.flatMap(stateOf),
      queueSize: BigInt(seqno),
      masterRef: masterRef(),
    });
    const [first, second] = prev;
    const oldState = second === undefined ? first!.state : splitState(first!.state, second.state);
    const parts = {
      ...place,
      ...flags,
      prev,
      masterRef: masterRef(),
      oldState,
      newState,
      transactions: made,
    };
    shardBlocks.push(keep(buildBlock(parts)));
  };

  const addMasterchainBlock = (seqno: number, shards: readonly ShardTop[]): void => {
    const keyBlock = seqno === KEY_BLOCK;
    const made = transact(accounts.mc, seqno);
    const place = { workchain: -1, shard: WHOLE_SHARD, seqno, ...times(seqno) };
    const prev = masterchain.at(-1) ?? mcZero;
    const current = configs[seqno >= KEY_BLOCK ? 1 : 0]!;
    const oldBlocks: OldBlock[] = [
      { ...mcZero, keyBlock: true },
      ...masterchain.map((old) => ({ ...old, keyBlock: old.id.seqno === KEY_BLOCK })),
    ];
    const newState = buildShardState({
      ...place,
      lt: place.endLt,
      accounts: stateOf(accounts.mc),
      libraries: seqno >= KEY_BLOCK ? [library] : [],
      queueSize: 0n,
      masterchain: {
        shards,
        config: current,
        oldBlocks,
        lastKeyBlock: seqno > KEY_BLOCK ? masterchain[KEY_BLOCK - 1] : undefined,
        creators: new Map([
          [1n, 5n],
          [2n ** 255n, 6n],
        ]),
      },
    });
    const prevKeyBlockSeqno = seqno > KEY_BLOCK ? KEY_BLOCK : 0;
    masterchain.push(
      keep(
        buildBlock({
          ...place,
          prev: [prev],
          keyBlock,
          prevKeyBlockSeqno,
          oldState: prev.state,
          newState,
          transactions: made,
          masterchain: { shards, config: current },
        }),
      ),
    );
  };

  const { left, right } = accounts;
  addShardBlock(1, WHOLE_SHARD, [left, right], [baseZero]);
  addMasterchainBlock(1, shardBlocks.slice(-1));
  addShardBlock(2, WHOLE_SHARD, [left, right], shardBlocks.slice(-1), { beforeSplit: true });
  addMasterchainBlock(2, shardBlocks.slice(-1));
  const beforeSplit = shardBlocks.slice(-1);
  addShardBlock(3, LEFT, [left], beforeSplit, { afterSplit: true });
  addShardBlock(3, RIGHT, [right], beforeSplit, { afterSplit: true });
  addMasterchainBlock(3, shardBlocks.slice(-2));
  addMasterchainBlock(4, shardBlocks.slice(-2));
  for (const seqno of [4, 5]) {
    const [leftPrev, rightPrev] = shardBlocks.slice(-2);
    addShardBlock(seqno, LEFT, [left], [leftPrev!]);
    addShardBlock(seqno, RIGHT, [right], [rightPrev!]);
  }
  addMasterchainBlock(5, shardBlocks.slice(-2));
  addShardBlock(6, WHOLE_SHARD, [left, right], shardBlocks.slice(-2));
  addMasterchainBlock(6, shardBlocks.slice(-1));
  addMasterchainBlock(LAST_SEQNO, shardBlocks.slice(-1));
  return { masterchain, shardBlocks, zeroState: mcZero, accounts, transactions, library };
}

/** Configurations that differ in parameter 8. */
function config(version: number): ConfigCells {
  return new Map([
    [0, beginCell().storeUint(0x55, 256).endCell()],
    [8, beginCell().storeUint(0xc4, 8).storeUint(version, 32).storeUint(0, 64).endCell()],
    [-7, beginCell().storeStringTail('a parameter of our own').endCell()],
  ]);
}

function splitState(left: Cell, right: Cell): Cell {
  return beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).endCell();
}

function zeroState(workchain: number, state: Cell): ZeroState {
  const bytes = bagOf(state);
  return { id: nameOf({ workchain, shard: WHOLE_SHARD, seqno: 0 }, state, bytes), endLt: 0n, state, bytes };
}
