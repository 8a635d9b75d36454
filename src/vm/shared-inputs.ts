import { hash } from 'node:crypto';
import { beginCell, type Cell, Dictionary } from '@ton/core';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../chain/block-id.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { CellError, type Cells } from '../chain/boc/cells.ts';
import { Slice } from '../chain/boc/slice.ts';
import { toCoreCell } from '../chain/boc/ton-core.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { intEntry, NULL_ENTRY, type StackEntry } from '../chain/stack/entries.ts';
import { writeStackBoc } from '../chain/stack/vm-stack.ts';
import type { ExtBlkRef } from '../chain/tlb/block.ts';
import { configParam, readGlobalVersion } from '../chain/tlb/config.ts';
import { lookUpOldMcBlock, type McStateInfo } from '../chain/tlb/masterchain-state.ts';

/** A bag of cells that many runs share: each thread gets it once, and only its key after that. */
export interface SharedBoc {
  /** The SHA-256 of the bytes. */
  readonly key: string;
  /** The bytes in base64, as the emulator takes them. */
  readonly text: string;
}

export function shareBoc(boc: Uint8Array): SharedBoc {
  return { key: hash('sha256', boc, 'hex'), text: toBase64(boc) };
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function shareCell(cell: Cell): SharedBoc {
  return shareBoc(cell.toBoc({ idx: false, crc32: false }));
}

/** A network config that runs refer to. */
export interface VmConfig {
  readonly globalVersion: number;
  readonly full: SharedBoc;
  /** The part that is enough for most get-methods; undefined if it may not be. */
  readonly trimmed: SharedBoc | undefined;
  /** The part of it that is enough for those that need no fees. */
  readonly limits: SharedBoc | undefined;
}

/** Before this version, instructions for sending and fees read the config itself. */
const UNPACKED_CONFIG_SINCE = 6;

/**
 * Prepares a config for runs, from the bag of cells with the dictionary of parameters. It takes milliseconds, so do it
 * once per config and keep the result.
 */
export function prepareConfig(boc: Uint8Array): VmConfig {
  const bag = readBoc(boc);
  const version = configParam(bag, bag.root, 8);
  const globalVersion = version < 0 ? 0 : readGlobalVersion(bag, version).version;
  const part = (params: readonly number[]): SharedBoc | undefined =>
    globalVersion < UNPACKED_CONFIG_SINCE ? undefined : shareCell(trimConfig(bag, bag.root, params));
  return { globalVersion, full: shareBoc(boc), trimmed: part(SET_UP_PARAMS), limits: part(LIMIT_PARAMS) };
}

/**
 * The parameters that the emulator itself reads to set up a get-method: version (8), workchains (12), what goes into
 * the unpacked part of c7 (18 to 21, 24, 25, 43), special accounts (31) and precompiled contracts (45).
 */
const SET_UP_PARAMS = [8, 12, 18, 19, 20, 21, 24, 25, 31, 43, 45];

/**
 * Of these, the ones that every run depends on: version (8) and the size of data (43). The others only go into c7, where
 * instructions for fees read them.
 */
const LIMIT_PARAMS = [8, 43];

/**
 * A config with only some parameters. The emulator parses the config on every get-method, which takes ten times as long
 * as a small method if the validators are in it. A run with the trimmed config gives the same result as long as the
 * code does not read more of it, see `configThatIsRead` in `worker/runner.ts`.
 */
function trimConfig(cells: Cells, root: number, indexes: readonly number[]): Cell {
  const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const index of indexes) {
    const cell = configParam(cells, root, index);
    if (cell >= 0) params.set(index, toCoreCell(cells, cell));
  }
  return beginCell().storeDictDirect(params).endCell();
}

/** The masterchain blocks that contracts can read, newest first in each list. */
type PrevBlocks = Readonly<ReturnType<typeof prevBlocksOf>>;

const LIST_LENGTH = 16;
const STACK_DEPTH_BITS = 24;

/** The previous blocks for runs at a masterchain block; `info` comes from the state after that block. */
export function prevBlocksOf(cells: Cells, info: McStateInfo, block: BlockId, globalVersion: number) {
  const at = (seqno: number): BlockId => {
    if (seqno === block.seqno) return block;
    const old = lookUpOldMcBlock(cells, info.prevBlocks.root, seqno);
    if (old === undefined) throw new CellError(`the masterchain state does not know block ${seqno}`);
    return masterchainBlock(old);
  };
  const from = (first: number, step: number): BlockId[] => {
    const blocks: BlockId[] = [];
    for (let seqno = first; seqno >= 0 && blocks.length < LIST_LENGTH; seqno -= step) blocks.push(at(seqno));
    return blocks;
  };
  const lastKey = info.lastKeyBlock && masterchainBlock(info.lastKeyBlock);
  return {
    /** The last 16. */
    last: from(block.seqno, 1),
    keyBlock: info.afterKeyBlock ? block : lastKey,
    /** The last 16 whose seqno is a multiple of 100; from version 9 on. */
    every100: globalVersion >= 9 ? from(block.seqno - (block.seqno % 100), 100) : undefined,
  };
}

/** Writes previous blocks as input of runs: a bag of cells with a stack value. */
export function writePrevBlocks({ last, keyBlock, every100 }: PrevBlocks): SharedBoc {
  const items = [tuple(last.map(blockEntry)), keyBlock ? blockEntry(keyBlock) : NULL_ENTRY];
  if (every100 !== undefined) items.push(tuple(every100.map(blockEntry)));
  const bag = readBoc(writeStackBoc([tuple(items)]));
  // Only the value, without the stack depth and the reference to the rest.
  const value = new Slice(bag, bag.root);
  value.skip(STACK_DEPTH_BITS);
  value.ref();
  return shareBoc(writeBoc(value, { order: 'core', crc: false }));
}

function masterchainBlock({ seqno, rootHash, fileHash }: ExtBlkRef): BlockId {
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash };
}

function blockEntry({ workchain, shard, seqno, rootHash, fileHash }: BlockId): StackEntry {
  const numbers = [workchain, BigInt.asUintN(64, shard), seqno, asNumber(rootHash), asNumber(fileHash)];
  return tuple(numbers.map(intEntry));
}

function asNumber(hash: Buffer): bigint {
  return BigInt(`0x${hash.toString('hex')}`);
}

function tuple(items: readonly StackEntry[]): StackEntry {
  return { type: 'tuple', items };
}

/** Combines libraries, each a bag of cells, as input of runs; undefined for none. */
export function writeLibraries(libraries: readonly Uint8Array[]): SharedBoc | undefined {
  if (libraries.length === 0) return undefined;
  const byHash = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const library of libraries) {
    const bag = readBoc(library);
    byHash.set(Buffer.from(bag.hash(bag.root)), toCoreCell(bag, bag.root));
  }
  return shareCell(beginCell().storeDictDirect(byHash).endCell());
}
