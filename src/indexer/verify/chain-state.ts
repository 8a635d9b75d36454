import type { Cell, Slice } from '@ton/core';
import { type Amount, augmented, readAddress, readAmount, readBytes } from './core-readers.ts';

/** An account as a state, or the part of one that a block shows, has it. */
export interface ChainState {
  readonly hash: Buffer;
  readonly status: 'uninit' | 'frozen' | 'active' | 'nonexist';
  readonly balance: Amount;
  readonly codeHash: Buffer | null;
  readonly dataHash: Buffer | null;
  readonly frozenHash: Buffer | null;
}

const SPLIT_STATE = 0x5f327da5;
const NOTHING: Amount = { grams: 0n, extra: null };

/**
 * The accounts that one side of a Merkle update shows, by address in hex. Before a merge it has two states; one that
 * did not change is not shown at all.
 */
export function readShownStates(side: Cell): Map<string, ChainState> {
  if (side.isExotic) return new Map();
  if (side.beginParse().preloadUint(32) === SPLIT_STATE)
    return new Map(side.refs.flatMap((ref) => [...readShownStates(ref)]));
  const shown = new Map<string, ChainState>();
  const accounts = side.refs[1];
  if (accounts === undefined || accounts.isExotic) return shown;
  const slice = accounts.beginParse();
  const root = slice.loadMaybeRef();
  if (root === null || root.isExotic) return shown;
  const skipSum = (sum: Slice) => {
    sum.skip(5);
    readAmount(sum);
  };
  for (const [address, cell] of augmented(root.beginParse(), 256, skipSum, (leaf) => leaf.loadRef()))
    if (!cell.isExotic) shown.set(address.toString(16).padStart(64, '0'), readChainState(cell));
  return shown;
}

/** Reads an Account cell, whose code and data may be pruned. */
export function readChainState(cell: Cell): ChainState {
  const hash = cell.hash(0);
  const nothing = { hash, codeHash: null, dataHash: null, frozenHash: null };
  const slice = cell.beginParse();
  if (!slice.loadBit()) return { ...nothing, status: 'nonexist', balance: NOTHING };
  readAddress(slice);
  skipStorageInfo(slice);
  slice.skip(64);
  const balance = readAmount(slice);
  if (!slice.loadBit()) {
    if (slice.loadBit()) return { ...nothing, status: 'frozen', balance, frozenHash: readBytes(slice) };
    return { ...nothing, status: 'uninit', balance };
  }
  for (const bits of [5, 2]) if (slice.loadBit()) slice.skip(bits);
  const codeHash = slice.loadMaybeRef()?.hash(0) ?? null;
  const dataHash = slice.loadMaybeRef()?.hash(0) ?? null;
  return { ...nothing, status: 'active', balance, codeHash, dataHash };
}

function skipStorageInfo(slice: Slice): void {
  slice.loadVarUintBig(3);
  slice.loadVarUintBig(3);
  if (slice.loadUint(3) === 1) slice.skip(256);
  slice.skip(32);
  if (slice.loadBit()) slice.loadCoins();
}
