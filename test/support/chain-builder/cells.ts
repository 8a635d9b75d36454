import { type Builder, beginCell, Cell } from '@ton/core';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import type { Cells } from '../../../src/chain/boc/cells.ts';
import { makeMerkleProofs, type ProofRequest, ReadRecorder } from '../../../src/chain/boc/merkle.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { readBlockInfo, readBlockRoot } from '../../../src/chain/tlb/block.ts';

/** An entry of an augmented dictionary; the key is an unsigned number. */
interface AugmentedEntry<E> {
  readonly key: bigint;
  readonly extra: E;
  readonly value: Builder;
}

/** Combines the extras of two branches, and writes an extra. */
export interface Augmentation<E> {
  readonly zero: E;
  combine(left: E, right: E): E;
  store(builder: Builder, extra: E): void;
}

/** Writes a HashmapAugE. */
export function storeAugmentedE<E>(
  builder: Builder,
  entries: readonly AugmentedEntry<E>[],
  keyBits: number,
  aug: Augmentation<E>,
): Builder {
  if (entries.length === 0) {
    aug.store(builder.storeBit(0), aug.zero);
    return builder;
  }
  const root = beginCell();
  const extra = storeAugmented(root, entries, keyBits, aug);
  aug.store(builder.storeBit(1).storeRef(root), extra);
  return builder;
}

/** Writes a HashmapAug without a cell for its root; returns the combined extra of all entries. */
export function storeAugmented<E>(
  builder: Builder,
  entries: readonly AugmentedEntry<E>[],
  keyBits: number,
  aug: Augmentation<E>,
): E {
  const sorted = [...entries].sort((a, b) => (a.key < b.key ? -1 : 1));
  return storeNode(builder, sorted, keyBits, aug);
}

function storeNode<E>(
  builder: Builder,
  entries: readonly AugmentedEntry<E>[],
  keyBits: number,
  aug: Augmentation<E>,
): E {
  const first = entries[0]!;
  const differing = first.key ^ entries.at(-1)!.key;
  const rest = differing === 0n ? 0 : differing.toString(2).length;
  const length = keyBits - rest;
  storeLabel(builder, first.key >> BigInt(rest), length, keyBits);
  if (rest === 0) {
    aug.store(builder, first.extra);
    builder.storeBuilder(first.value);
    return first.extra;
  }
  const below = BigInt(rest - 1);
  const half = (bit: bigint) =>
    entries
      .filter(({ key }) => ((key >> below) & 1n) === bit)
      .map((entry) => ({ ...entry, key: entry.key & ((1n << below) - 1n) }));
  const [left, right] = [beginCell(), beginCell()];
  const leftExtra = storeNode(left, half(0n), rest - 1, aug);
  const rightExtra = storeNode(right, half(1n), rest - 1, aug);
  const extra = aug.combine(leftExtra, rightExtra);
  aug.store(builder.storeRef(left).storeRef(right), extra);
  return extra;
}

/** Writes a label in its shortest form. */
function storeLabel(builder: Builder, label: bigint, length: number, max: number): void {
  const lengthBits = max === 0 ? 0 : max.toString(2).length;
  const same = label === 0n || label === (1n << BigInt(length)) - 1n;
  if (same && length > 1 && 3 + lengthBits < 2 + 2 * length) {
    builder
      .storeUint(0b11, 2)
      .storeBit(label !== 0n)
      .storeUint(length, lengthBits);
  } else if (2 + 2 * length <= 2 + lengthBits + length) {
    builder.storeBit(0).storeUint((1n << BigInt(length + 1)) - 2n, length + 1);
    builder.storeUint(label, length);
  } else {
    builder.storeUint(0b10, 2).storeUint(length, lengthBits).storeUint(label, length);
  }
}

/** Writes a CurrencyCollection without extra currencies. */
export function storeAmount(builder: Builder, grams: bigint): Builder {
  return builder.storeCoins(grams).storeBit(0);
}

/** The augmentation of account blocks, messages and transactions: the sum of amounts. */
export const AMOUNTS: Augmentation<bigint> = {
  zero: 0n,
  combine: (left, right) => left + right,
  store: storeAmount,
};

/** The augmentation of the accounts of a state: split depth and balance. */
export const DEPTH_AND_BALANCE: Augmentation<bigint> = {
  zero: 0n,
  combine: (left, right) => left + right,
  store: (builder, balance) => storeAmount(builder.storeUint(0, 5), balance),
};

/** The augmentation of out-queues: the smallest logical time. */
export const LOWEST_LT: Augmentation<bigint> = {
  zero: 0n,
  combine: (left, right) => (left < right ? left : right),
  store: (builder, lt) => builder.storeUint(lt, 64),
};

/** A block id with its end logical time, as blocks and states reference it. */
export interface BlockRef {
  readonly id: BlockId;
  readonly endLt: bigint;
}

/** Writes a ShardIdent. */
export function storeShardIdent(builder: Builder, workchain: number, shard: bigint): Builder {
  const unsigned = BigInt.asUintN(64, shard);
  const lowest = unsigned & -unsigned;
  const prefixBits = 64 - lowest.toString(2).length;
  return builder
    .storeUint(0, 2)
    .storeUint(prefixBits, 6)
    .storeInt(workchain, 32)
    .storeUint(unsigned - lowest, 64);
}

/** Writes an ExtBlkRef. */
export function storeBlockRef(builder: Builder, { id, endLt }: BlockRef): Builder {
  return builder
    .storeUint(endLt, 64)
    .storeUint(id.seqno, 32)
    .storeBuffer(id.rootHash)
    .storeBuffer(id.fileHash);
}

/** A cell that holds one ExtBlkRef. */
export function blockRefCell(ref: BlockRef): Cell {
  return storeBlockRef(beginCell(), ref).endCell();
}

/** A pruned branch of level 1 that stands for a cell. */
export function prunedBranch(cell: Cell): Cell {
  const level = cell.mask.value === 0 ? 1 : cell.mask.value | 1;
  if (level !== 1) throw new Error('Only cells of level 0 or 1 can be pruned here');
  return beginCell()
    .storeUint(1, 8)
    .storeUint(level, 8)
    .storeBuffer(cell.hash(0))
    .storeUint(cell.depth(0), 16)
    .endCell({ exotic: true });
}

/** A Merkle update with both states pruned. */
export function merkleUpdate(from: Cell, to: Cell): Cell {
  return beginCell()
    .storeUint(4, 8)
    .storeBuffer(from.hash(0))
    .storeBuffer(to.hash(0))
    .storeUint(from.depth(0), 16)
    .storeUint(to.depth(0), 16)
    .storeRef(prunedBranch(from))
    .storeRef(prunedBranch(to))
    .endCell({ exotic: true });
}

/** A Merkle proof of a tree with the given cells pruned, wherever they occur. */
export function merkleProof(root: Cell, cut: readonly Cell[]): Cell {
  const leftOut = new Set(cut.map((cell) => cell.hash().toString('hex')));
  const done = new Map<string, Cell>();
  const copy = (cell: Cell): Cell => {
    const name = cell.hash().toString('hex');
    const known = done.get(name);
    if (known !== undefined) return known;
    const copied = leftOut.has(name)
      ? prunedBranch(cell)
      : cell.isExotic
        ? cell
        : new Cell({ bits: cell.bits, refs: cell.refs.map(copy) });
    done.set(name, copied);
    return copied;
  };
  return beginCell()
    .storeUint(3, 8)
    .storeBuffer(root.hash(0))
    .storeUint(root.depth(0), 16)
    .storeRef(copy(root))
    .endCell({ exotic: true });
}

/** A bag of several root cells, in the format of lite servers. */
export function bagOf(...roots: readonly Cell[]): Buffer {
  // A chain of cells that references all roots puts them into one bag, from which they are written without the chain.
  let chain = beginCell().endCell();
  for (const root of [...roots].reverse()) chain = beginCell().storeRef(root).storeRef(chain).endCell();
  const cells = readBoc(chain.toBoc());
  const places: number[] = [];
  for (let link = cells.root; places.length < roots.length; link = cells.ref(link, 1))
    places.push(cells.ref(link, 0));
  return writeBoc({ cells, roots: places }, { order: 'tonlib', crc: false });
}

/** A tree of cells, and the cells that a proof includes. */
export interface Shown<T> extends ProofRequest {
  /** The result of the reader. */
  readonly value: T;
}

const flat = new WeakMap<Cell, CellBag>();

/** The cells of a tree as a table; cached. */
export function flatCells(root: Cell): CellBag {
  const known = flat.get(root);
  if (known !== undefined) return known;
  const made = fromCoreCell(root);
  flat.set(root, made);
  return made;
}

/** Includes the cells that a reader opens, as a node does; the reader adds exotic cells to `keep` itself. */
export function showRead<T>(
  root: Cell,
  read: (cells: Cells, root: number, shows: Set<number>) => T,
): Shown<T> {
  const cells = flatCells(root);
  const recorder = new ReadRecorder(cells);
  const value = read(recorder, cells.root, recorder.read);
  return { cells, cell: cells.root, shows: recorder.read, value };
}

/** Includes the header of a block and the hash of its new state. */
export function showHeader(block: Cell): Shown<void> {
  return showRead(block, (cells, root, keep) => {
    const { info, stateUpdate } = readBlockRoot(cells, root);
    readBlockInfo(cells, info);
    keep.add(stateUpdate);
  });
}

/** A bag of one or more proofs. */
export function proofBag(...shown: readonly ProofRequest[]): Buffer {
  return makeMerkleProofs(shown);
}
