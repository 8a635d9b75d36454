import { beginCell, type Cell } from '@ton/core';
import type { AccountId } from '../../../src/chain/address.ts';
import { type BlockId, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { type BuiltAccount, type BuiltTransaction, buildAccount, buildTransaction } from './accounts.ts';
import { type BuiltBlock, buildBlock, nameOf } from './block.ts';
import { type BlockRef, bagOf } from './cells.ts';
import { buildShardState, type ConfigCells, type ShardTop } from './states.ts';

/** A zero state with its block id. */
export interface ZeroState extends ShardTop {
  readonly state: Cell;
  readonly bytes: Buffer;
}

/** A transaction and its block. */
export type PlacedTransaction = BuiltTransaction & { readonly block: BlockId };

/** Input for the next block of a shard. */
export interface NextShardBlock {
  readonly shard: bigint;
  readonly seqno: number;
  /** The accounts of the shard; each gets transactions. */
  readonly accounts: readonly AccountId[];
  /** The previous block, or two after a merge. */
  readonly prev: readonly (BlockRef & { readonly state: Cell })[];
  readonly afterSplit?: boolean;
  readonly beforeSplit?: boolean;
}

/** Input for the next masterchain block. */
export interface NextMasterchainBlock {
  readonly shards: readonly ShardTop[];
  readonly accounts: readonly AccountId[];
  readonly libraries?: readonly Cell[];
  /** Makes the block a key block. */
  readonly newConfig?: ConfigCells;
}

/** A network that is built block by block; shard blocks belong to the basechain. */
export interface NetworkBuilder {
  readonly masterchain: readonly BuiltBlock[];
  readonly shardBlocks: readonly BuiltBlock[];
  /** Newest first. */
  readonly transactions: readonly PlacedTransaction[];
  readonly mcZeroState: ZeroState;
  readonly baseZeroState: ZeroState;
  addShardBlock(next: NextShardBlock): void;
  addMasterchainBlock(next: NextMasterchainBlock): void;
}

const FIRST_UTIME = 1_700_000_000;
const SECONDS_BETWEEN_BLOCKS = 5;
const LT_STEP = 1_000_000n;
const BLOCK_LTS = 100n;
/** Transactions of each account in each block. */
const TRANSACTIONS = 4;
const CREATORS = new Map([
  [1n, 5n],
  [2n ** 255n, 6n],
]);

/** Starts a network. Block n of either chain has the time 5 n seconds after the start. */
export function createNetworkBuilder(firstConfig: ConfigCells): NetworkBuilder {
  const masterchain: BuiltBlock[] = [];
  const shardBlocks: BuiltBlock[] = [];
  const transactions: PlacedTransaction[] = [];
  const newest = new Map<AccountId, BuiltTransaction>();
  const baseZeroState = zeroState(0, buildShardState({ ...START, workchain: 0 }));
  const firstState = { shards: [baseZeroState], config: firstConfig, oldBlocks: [] };
  const mcZeroState = zeroState(-1, buildShardState({ ...START, workchain: -1, masterchain: firstState }));
  let config = firstConfig;

  function transact(account: AccountId, seqno: number): BuiltTransaction[] {
    const { utime, startLt } = timesOf(seqno);
    return Array.from({ length: TRANSACTIONS }, (_, i) => {
      const lt = startLt + BigInt(3 * i + 1);
      const made = buildTransaction({ account, lt, utime, previous: newest.get(account) });
      newest.set(account, made);
      return made;
    });
  }

  function addBlock(blocks: BuiltBlock[], block: BuiltBlock): void {
    blocks.push(block);
    for (const made of block.parts.transactions!) transactions.unshift({ ...made, block: block.id });
  }

  function stateOf(id: AccountId): BuiltAccount {
    const { lt, hash } = newest.get(id)!;
    const init = { code: CODE, data: beginCell().storeUint(lt, 64).endCell() };
    return buildAccount({ id, balance: 1000n + lt, init, lastTransLt: lt, lastTransHash: hash });
  }

  function addShardBlock({ accounts, prev, ...next }: NextShardBlock): void {
    const place = { ...next, workchain: 0, ...timesOf(next.seqno) };
    const made = accounts.flatMap((account) => transact(account, next.seqno));
    const masterRef = masterchain.at(-1) ?? mcZeroState;
    const newState = buildShardState({
      ...place,
      lt: place.endLt,
      accounts: accounts.map(stateOf),
      queueSize: BigInt(next.seqno),
      masterRef,
    });
    const [first, second] = prev;
    const oldState = second === undefined ? first!.state : joinedState(first!.state, second.state);
    addBlock(shardBlocks, buildBlock({ ...place, prev, masterRef, oldState, newState, transactions: made }));
  }

  function addMasterchainBlock({ shards, accounts, libraries, newConfig }: NextMasterchainBlock): void {
    const seqno = masterchain.length + 1;
    const place = { workchain: -1, shard: WHOLE_SHARD, seqno, ...timesOf(seqno) };
    const made = accounts.flatMap((account) => transact(account, seqno));
    const prev = masterchain.at(-1) ?? mcZeroState;
    const lastKeyBlock = masterchain.findLast(({ parts }) => parts.keyBlock);
    config = newConfig ?? config;
    const oldBlocks = [
      { ...mcZeroState, keyBlock: true },
      ...masterchain.map((old) => ({ ...old, keyBlock: old.parts.keyBlock ?? false })),
    ];
    const newState = buildShardState({
      ...place,
      lt: place.endLt,
      accounts: accounts.map(stateOf),
      libraries: libraries ?? [],
      queueSize: 0n,
      masterchain: { shards, config, oldBlocks, lastKeyBlock, creators: CREATORS },
    });
    const block = buildBlock({
      ...place,
      prev: [prev],
      keyBlock: newConfig !== undefined,
      prevKeyBlockSeqno: lastKeyBlock?.id.seqno ?? 0,
      oldState: prev.state,
      newState,
      transactions: made,
      masterchain: { shards, config },
    });
    addBlock(masterchain, block);
  }

  return {
    masterchain,
    shardBlocks,
    transactions,
    mcZeroState,
    baseZeroState,
    addShardBlock,
    addMasterchainBlock,
  };
}

const CODE = beginCell().storeStringTail('code').endCell();
const START = { shard: WHOLE_SHARD, seqno: 0, utime: FIRST_UTIME, lt: 0n };

function timesOf(seqno: number): { utime: number; startLt: bigint; endLt: bigint } {
  const startLt = BigInt(seqno) * LT_STEP;
  return { utime: FIRST_UTIME + SECONDS_BETWEEN_BLOCKS * seqno, startLt, endLt: startLt + BLOCK_LTS };
}

/** The state before the first block after a merge. */
function joinedState(left: Cell, right: Cell): Cell {
  return beginCell().storeUint(0x5f327da5, 32).storeRef(left).storeRef(right).endCell();
}

function zeroState(workchain: number, state: Cell): ZeroState {
  const bytes = bagOf(state);
  const id = nameOf({ workchain, shard: WHOLE_SHARD, seqno: 0 }, state, bytes);
  return { id, startLt: 0n, endLt: 0n, utime: FIRST_UTIME, state, bytes };
}
