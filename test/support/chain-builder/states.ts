import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import type { BuiltAccount } from './accounts.ts';
import {
  type Augmentation,
  type BlockRef,
  DEPTH_AND_BALANCE,
  LOWEST_LT,
  storeAmount,
  storeAugmentedE,
  storeBlockRef,
  storeShardIdent,
} from './cells.ts';

/** The network id of all built blocks and states. */
export const GLOBAL_ID = -3;

/** Input for a shard state. */
interface ShardStateParts {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly utime: number;
  readonly lt: bigint;
  readonly accounts?: readonly BuiltAccount[];
  /** Public libraries with their publishers; only in the masterchain. */
  readonly libraries?: readonly Cell[];
  /** Undefined for a state in the older format, without the size of the queue. */
  readonly queueSize?: bigint | undefined;
  readonly masterRef?: BlockRef | undefined;
  readonly masterchain?: MasterchainStateParts;
}

/** Builds a ShardStateUnsplit. References: out-queue, accounts, a cell with the libraries, masterchain extra. */
export function buildShardState(parts: ShardStateParts): Cell {
  const { accounts = [], libraries = [] } = parts;
  const balance = accounts.reduce((sum, account) => sum + account.balance, 0n);
  const state = beginCell().storeUint(0x9023afe2, 32).storeInt(GLOBAL_ID, 32);
  storeShardIdent(state, parts.workchain, parts.shard)
    .storeUint(parts.seqno, 32)
    .storeUint(0, 32)
    .storeUint(parts.utime, 32)
    .storeUint(parts.lt, 64)
    .storeUint(0, 32)
    .storeRef(queueInfo(parts.queueSize))
    .storeBit(0)
    .storeRef(shardAccounts(accounts));
  const group = storeAmount(beginCell().storeUint(0, 64).storeUint(0, 64), balance);
  storeAmount(group, 0n).storeDict(libraryDictionary(libraries));
  if (parts.masterRef === undefined) group.storeBit(0);
  else storeBlockRef(group.storeBit(1), parts.masterRef);
  const extra = parts.masterchain && masterchainStateExtra(parts.masterchain);
  return state.storeRef(group).storeMaybeRef(extra).endCell();
}

function shardAccounts(accounts: readonly BuiltAccount[]): Cell {
  const entries = accounts.map((account) => ({
    key: BigInt(`0x${account.id.hash.toString('hex')}`),
    extra: account.balance,
    value: beginCell()
      .storeRef(account.cell)
      .storeBuffer(account.lastTransHash)
      .storeUint(account.lastTransLt, 64),
  }));
  return storeAugmentedE(beginCell(), entries, 256, DEPTH_AND_BALANCE).endCell();
}

/** An empty queue that claims to have `size` messages. */
function queueInfo(size: bigint | undefined): Cell {
  const info = storeAugmentedE(beginCell(), [], 352, LOWEST_LT).storeBit(0);
  if (size === undefined) return info.storeBit(0).endCell();
  info.storeBit(1).storeUint(0, 4);
  return storeAugmentedE(info, [], 256, LOWEST_LT).storeBit(1).storeUint(size, 48).endCell();
}

function libraryDictionary(libraries: readonly Cell[]): Dictionary<Buffer, Cell> {
  const dictionary = Dictionary.empty(Dictionary.Keys.Buffer(32), {
    serialize: (library: Cell, builder: Builder) => {
      const publishers = Dictionary.empty(Dictionary.Keys.Buffer(32), TRUE);
      publishers.set(Buffer.alloc(32, 7), true);
      builder.storeUint(0, 2).storeRef(library).storeDictDirect(publishers);
    },
    parse: () => {
      throw new Error('Write-only');
    },
  });
  for (const library of libraries) dictionary.set(library.hash(), library);
  return dictionary;
}

const TRUE = { serialize() {}, parse: () => true };

/** Config params by number. */
export type ConfigCells = ReadonlyMap<number, Cell>;

/** An older masterchain block, as listed in newer states. */
interface OldBlock extends BlockRef {
  readonly keyBlock: boolean;
}

/** Input for the masterchain part of a state. */
interface MasterchainStateParts {
  readonly shards: readonly ShardTop[];
  readonly config: ConfigCells;
  readonly oldBlocks: readonly OldBlock[];
  readonly lastKeyBlock?: BlockRef | undefined;
  /** Number of masterchain blocks by public key of their creator. */
  readonly creators?: ReadonlyMap<bigint, bigint>;
}

interface KeyMaxLt {
  readonly keyBlock: boolean;
  readonly maxEndLt: bigint;
}

const KEY_AND_MAX_LT: Augmentation<KeyMaxLt> = {
  zero: { keyBlock: false, maxEndLt: 0n },
  combine: (left, right) => ({
    keyBlock: left.keyBlock || right.keyBlock,
    maxEndLt: left.maxEndLt > right.maxEndLt ? left.maxEndLt : right.maxEndLt,
  }),
  store: (builder, { keyBlock, maxEndLt }) => builder.storeBit(keyBlock).storeUint(maxEndLt, 64),
};

/** Builds a McStateExtra. References: shard hashes, configuration, a cell with the older blocks. */
export function masterchainStateExtra(parts: MasterchainStateParts): Cell {
  const { creators = new Map<bigint, bigint>() } = parts;
  const extra = storeShardHashes(beginCell().storeUint(0xcc26, 16), parts.shards);
  storeConfig(extra, parts.config);
  const group = beginCell().storeUint(1, 16).storeUint(0, 65);
  const oldBlocks = parts.oldBlocks.map((old) => ({
    key: BigInt(old.id.seqno),
    extra: { keyBlock: old.keyBlock, maxEndLt: old.endLt },
    value: storeBlockRef(beginCell().storeBit(old.keyBlock), old),
  }));
  storeAugmentedE(group, oldBlocks, 32, KEY_AND_MAX_LT).storeBit(0);
  if (parts.lastKeyBlock === undefined) group.storeBit(0);
  else storeBlockRef(group.storeBit(1), parts.lastKeyBlock);
  group.storeUint(0x17, 8).storeDict(creatorStats(creators));
  return storeAmount(extra.storeRef(group), 0n).endCell();
}

/** Writes ConfigParams. */
export function storeConfig(builder: Builder, config: ConfigCells): Builder {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const [index, cell] of config) dictionary.set(index, cell);
  return builder.storeBuffer(Buffer.alloc(32, 0x55)).storeRef(beginCell().storeDictDirect(dictionary));
}

function creatorStats(creators: ReadonlyMap<bigint, bigint>): Dictionary<bigint, bigint> {
  const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(256), {
    serialize: (blocks: bigint, builder: Builder) => {
      builder.storeUint(4, 4);
      for (const count of [blocks, 0n])
        builder.storeUint(0, 32).storeUint(count, 64).storeUint(0, 64).storeUint(0, 64);
    },
    parse: () => 0n,
  });
  for (const [key, blocks] of creators) dictionary.set(key, blocks);
  return dictionary;
}

/** The top block of a shard in masterchain blocks and states. */
export interface ShardTop extends BlockRef {
  readonly startLt: bigint;
  readonly utime: number;
}

/** Writes ShardHashes; the shards of a workchain must be the leaves of a complete tree. */
export function storeShardHashes(builder: Builder, tops: readonly ShardTop[]): Builder {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  const WHOLE = 1n << 63n;
  for (const workchain of new Set(tops.map(({ id }) => id.workchain))) {
    const own = tops.filter(({ id }) => id.workchain === workchain);
    dictionary.set(workchain, binaryTree(own, WHOLE));
  }
  return builder.storeDict(dictionary);
}

function binaryTree(tops: readonly ShardTop[], shard: bigint): Cell {
  const here = tops.find(({ id }) => BigInt.asUintN(64, id.shard) === shard);
  if (here !== undefined) return shardLeaf(here);
  const half = (shard & -shard) >> 1n;
  if (half === 0n) throw new Error('Shards are not the leaves of a complete tree');
  return beginCell()
    .storeBit(1)
    .storeRef(binaryTree(tops, shard - half))
    .storeRef(binaryTree(tops, shard + half))
    .endCell();
}

/** A leaf of the tree: its bit, and a ShardDescr in the newer format. */
function shardLeaf({ id, startLt, endLt, utime }: ShardTop): Cell {
  const amounts = beginCell().storeCoins(0).storeBit(0).storeCoins(0).storeBit(0).endCell();
  return beginCell()
    .storeBit(0)
    .storeUint(0xa, 4)
    .storeUint(id.seqno, 32)
    .storeUint(0, 32)
    .storeUint(startLt, 64)
    .storeUint(endLt, 64)
    .storeBuffer(id.rootHash)
    .storeBuffer(id.fileHash)
    .storeUint(0, 8)
    .storeUint(0, 32)
    .storeInt(id.shard, 64)
    .storeUint(0, 32)
    .storeUint(utime, 32)
    .storeBit(0)
    .storeRef(amounts)
    .endCell();
}
