import { createHash } from 'node:crypto';
import { type Builder, beginCell, type Cell } from '@ton/core';
import type { BlockId } from '../../../src/chain/block-id.ts';
import type { BuiltTransaction } from './accounts.ts';
import {
  AMOUNTS,
  type BlockRef,
  bagOf,
  blockRefCell,
  merkleUpdate,
  storeAmount,
  storeAugmented,
  storeAugmentedE,
  storeShardIdent,
} from './cells.ts';
import { type ConfigCells, GLOBAL_ID, type ShardTop, storeConfig, storeShardHashes } from './states.ts';

/** Input for a block. */
export interface BlockParts {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly utime: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  /** One block, or two after a merge, left shard first. */
  readonly prev: readonly BlockRef[];
  readonly afterSplit?: boolean;
  readonly beforeSplit?: boolean;
  readonly keyBlock?: boolean;
  readonly prevKeyBlockSeqno?: number;
  readonly validatorListHashShort?: number;
  readonly catchainSeqno?: number;
  /** The masterchain block that a shard block references. */
  readonly masterRef?: BlockRef | undefined;
  readonly oldState: Cell;
  readonly newState: Cell;
  readonly transactions?: readonly BuiltTransaction[];
  /** Only in masterchain blocks; the configuration only in key blocks. */
  readonly masterchain?: { readonly shards: readonly ShardTop[]; readonly config: ConfigCells };
}

/** A block, with everything that responses are built from. */
export interface BuiltBlock extends ShardTop {
  readonly parts: BlockParts;
  /** Its references: info, value flow, state update, extra. */
  readonly root: Cell;
  readonly bytes: Buffer;
  readonly state: Cell;
}

/** Builds a block. */
export function buildBlock(parts: BlockParts): BuiltBlock {
  const root = beginCell()
    .storeUint(0x11ef55aa, 32)
    .storeInt(GLOBAL_ID, 32)
    .storeRef(blockInfo(parts))
    .storeRef(valueFlow())
    .storeRef(merkleUpdate(parts.oldState, parts.newState))
    .storeRef(blockExtra(parts))
    .endCell();
  const bytes = bagOf(root);
  const { workchain, shard, seqno, startLt, endLt, utime } = parts;
  const id = nameOf({ workchain, shard, seqno }, root, bytes);
  return { id, parts, root, bytes, state: parts.newState, startLt, endLt, utime };
}

/** The id of a block or a zero state. */
export function nameOf(
  place: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>,
  root: Cell,
  bytes: Buffer,
): BlockId {
  const fileHash = createHash('sha256').update(bytes).digest();
  return { ...place, shard: BigInt.asIntN(64, place.shard), rootHash: root.hash(), fileHash };
}

function blockInfo(parts: BlockParts): Cell {
  const { prev, masterRef } = parts;
  const info = beginCell()
    .storeUint(0x9bc7a987, 32)
    .storeUint(0, 32)
    .storeBit(masterRef !== undefined)
    .storeBit(prev.length === 2)
    .storeBit(parts.beforeSplit ?? false)
    .storeBit(parts.afterSplit ?? false)
    .storeBit(false)
    .storeBit(false)
    .storeBit(parts.keyBlock ?? false)
    .storeBit(false)
    .storeUint(0, 8)
    .storeUint(parts.seqno, 32)
    .storeUint(0, 32);
  storeShardIdent(info, parts.workchain, parts.shard)
    .storeUint(parts.utime, 32)
    .storeUint(parts.startLt, 64)
    .storeUint(parts.endLt, 64)
    .storeUint(parts.validatorListHashShort ?? 0, 32)
    .storeUint(parts.catchainSeqno ?? 0, 32)
    .storeUint(0, 32)
    .storeUint(parts.prevKeyBlockSeqno ?? 0, 32);
  if (masterRef !== undefined) info.storeRef(blockRefCell(masterRef));
  const [first, second] = prev.map(blockRefCell);
  info.storeRef(second === undefined ? first! : beginCell().storeRef(first!).storeRef(second));
  return info.endCell();
}

function valueFlow(): Cell {
  const amounts = () => [0n, 0n, 0n, 0n].reduce(storeAmount, beginCell());
  const flow = beginCell().storeUint(0xb8e48dfb, 32).storeRef(amounts());
  return storeAmount(flow, 0n).storeRef(amounts()).endCell();
}

function blockExtra({ transactions = [], masterchain, keyBlock }: BlockParts): Cell {
  // The descriptions of messages are empty: built transactions have no messages.
  const noImports = beginCell().storeBit(0).storeCoins(0).storeCoins(0).storeBit(0).endCell();
  const noExports = storeAugmentedE(beginCell(), [], 256, AMOUNTS).endCell();
  const extra = beginCell()
    .storeUint(0x4a33f6fd, 32)
    .storeRef(noImports)
    .storeRef(noExports)
    .storeRef(accountBlocks(transactions))
    .storeUint(0, 256)
    .storeUint(0, 256);
  if (masterchain === undefined) return extra.storeBit(0).endCell();
  const special = beginCell()
    .storeUint(0xcca5, 16)
    .storeBit(keyBlock ?? false);
  storeShardHashes(special, masterchain.shards)
    .storeBit(0)
    .store(noShardFees)
    .storeRef(beginCell().storeUint(0, 3));
  if (keyBlock) storeConfig(special, masterchain.config);
  return extra.storeMaybeRef(special.endCell()).endCell();
}

function noShardFees(builder: Builder): void {
  storeAmount(storeAmount(builder, 0n), 0n);
}

function accountBlocks(transactions: readonly BuiltTransaction[]): Cell {
  const byAccount = Map.groupBy(transactions, ({ account }) => account.hash.toString('hex'));
  const entries = [...byAccount].map(([account, own]) => {
    const value = beginCell().storeUint(5, 4).storeBuffer(Buffer.from(account, 'hex'));
    const extra = storeAugmented(
      value,
      own.map(({ lt, cell }) => ({ key: lt, extra: 1n, value: beginCell().storeRef(cell) })),
      64,
      AMOUNTS,
    );
    value.storeRef(beginCell().storeUint(0x72, 8).storeUint(0, 256).storeUint(0, 256));
    return { key: BigInt(`0x${account}`), extra, value };
  });
  return storeAugmentedE(beginCell(), entries, 256, AMOUNTS).endCell();
}
