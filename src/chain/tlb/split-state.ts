import { CellBuilder } from '../boc/builder.ts';
import type { CellRef, Cells } from '../boc/cells.ts';
import { digestOfCell, hashOfParts } from '../boc/hashes.ts';
import { makeMerkleProofs } from '../boc/merkle.ts';
import { Slice } from '../boc/slice.ts';
import { shardPrefixBits } from '../shards.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { writeCurrencyCollection } from './currency.ts';
import { bitOf, firstDifference, readLabel, setKeyBit, writeLabel } from './dictionary.ts';
import {
  type DepthBalanceInfo,
  readDepthBalanceInfo,
  readShardAccounts,
  SPLIT_DEPTH_BITS,
} from './shard-accounts.ts';
import { readShardState } from './shard-state.ts';

// Nodes write a large state as a header, which is a Merkle proof of it without the accounts, and one part for each
// prefix of a given length that has accounts: a ShardAccounts of those alone. The header shows the dictionary of accounts up
// to the roots of the parts, of which it cuts off what is below them.

const ID_BITS = 256;

/** A shard as the prefix of ids of accounts. */
function prefixOf(shard: bigint): { readonly key: Buffer; readonly bits: number } {
  const bits = shardPrefixBits(shard);
  const key = Buffer.alloc(ID_BITS / 8);
  key.writeBigUInt64BE(BigInt.asUintN(64, shard), 0);
  return { key, bits };
}

/** The dictionary of the accounts with a prefix: its root with the whole prefix in the label, and the sum of its accounts. */
interface PartRoot {
  readonly root: CellBuilder;
  readonly extra: DepthBalanceInfo;
}

/** Finds the accounts of a smaller shard in a dictionary of accounts; undefined if there are none. */
function partRoot(cells: Cells, root: number, shard: bigint): PartRoot | undefined {
  if (root < 0) return undefined;
  const { key, bits } = prefixOf(shard);
  const path = Buffer.alloc(ID_BITS / 8);
  const slice = new Slice(cells, root);
  for (let depth = 0; ; ) {
    const at = readLabel(slice, ID_BITS - depth, path, depth);
    const end = Math.min(at, bits);
    if (firstDifference(path, key, depth, end) < end) return undefined;
    if (at >= bits) {
      const builder = new CellBuilder();
      writeLabel(builder, path, 0, at, ID_BITS);
      builder.slice(slice.clone());
      // In a fork the references of the extra follow those to both children.
      if (at < ID_BITS) slice.refAt = 2;
      return { root: builder, extra: readDepthBalanceInfo(slice) };
    }
    const bit = bitOf(key, at);
    const left = slice.ref();
    slice.open(bit === 0 ? left : slice.ref());
    depth = setKeyBit(path, at, bit);
  }
}

function writeExtra(builder: CellBuilder, { splitDepth, balance }: DepthBalanceInfo): CellBuilder {
  writeCurrencyCollection(builder.uint(splitDepth, SPLIT_DEPTH_BITS), balance);
  return builder;
}

/** Builds the root cell of the part of a state with the accounts of a smaller shard; undefined if there are none. */
export function buildStatePart(arena: BuildingArena, accounts: number, shard: bigint): number | undefined {
  const part = partRoot(arena, readShardAccounts(arena, accounts).root, shard);
  if (part === undefined) return undefined;
  const builder = new CellBuilder().boolean(true).ref(arena.build(part.root));
  return arena.build(writeExtra(builder, part.extra));
}

/** The hash that the root cell of this part must have by the header of the state; undefined if there must be no part. */
export function hashOfStatePart(cells: Cells, accounts: number, shard: bigint): Buffer | undefined {
  const part = partRoot(cells, readShardAccounts(cells, accounts).root, shard);
  if (part === undefined) return undefined;
  const refs = part.root.refs.map((ref) => digestOfCell(cells, ref));
  const root = {
    hash: hashOfParts(part.root.data, part.root.bitCount, refs),
    depth: Math.max(0, ...refs.map(({ depth }) => depth + 1)),
  };
  const wrap = writeExtra(new CellBuilder().boolean(true), part.extra);
  return hashOfParts(wrap.data, wrap.bitCount, [root, ...wrap.refs.map((ref) => digestOfCell(cells, ref))]);
}

/** Builds the header of a state that is split into parts with prefixes of a length, as a bag of cells. */
export function makeStateHeader({ cells, cell: state }: CellRef, prefixBits: number): Buffer {
  const { accounts } = readShardState(cells, state);
  const { root } = readShardAccounts(cells, accounts);
  const path = Buffer.alloc(ID_BITS / 8);
  const cut = new Set<number>();
  // Not the extra currencies in their extras: these cells may be elsewhere in the state too.
  const cutBelow = (cell: number, isLeaf: boolean): void => {
    if (isLeaf) cut.add(cells.ref(cell, cells.refCount(cell) - 1));
    else cut.add(cells.ref(cell, 0)).add(cells.ref(cell, 1));
  };
  const descend = (cell: number, depth: number): void => {
    const slice = new Slice(cells, cell);
    const at = readLabel(slice, ID_BITS - depth, path, depth);
    if (at >= prefixBits) cutBelow(cell, at === ID_BITS);
    else {
      descend(cells.ref(cell, 0), setKeyBit(path, at, 0));
      descend(cells.ref(cell, 1), setKeyBit(path, at, 1));
    }
  };
  if (root >= 0) descend(root, 0);
  return makeMerkleProofs([{ cells, cell: state, shows: (cell) => !cut.has(cell) }]);
}
