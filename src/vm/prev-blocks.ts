import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../chain/block-id.ts';
import { CellFault } from '../chain/boc/cell-fault.ts';
import type { Cells } from '../chain/boc/cells.ts';
import { readBoc } from '../chain/boc/read-boc.ts';
import { Slice } from '../chain/boc/slice.ts';
import { writeBoc } from '../chain/boc/write-boc.ts';
import { intEntry, NULL_ENTRY, type StackEntry } from '../chain/stack/stack-entry.ts';
import { writeStackBoc } from '../chain/stack/write-stack.ts';
import type { ExtBlkRef } from '../chain/tlb/ext-blk-ref.ts';
import type { McStateInfo } from '../chain/tlb/mc-state-extra.ts';
import { lookUpOldMcBlock } from '../chain/tlb/old-mc-blocks.ts';
import { type SharedBoc, shareBoc } from './shared-boc.ts';

/** The masterchain blocks that contracts can ask for, each list with the newest first. */
export interface PrevBlocks {
  /** The last 16. */
  readonly last: readonly BlockId[];
  readonly keyBlock: BlockId | undefined;
  /** The last 16 whose seqno is a multiple of 100; from version 9 on. */
  readonly every100: readonly BlockId[] | undefined;
}

const LIST_LENGTH = 16;
const STACK_DEPTH_BITS = 24;

/** The previous blocks of a run that refers to a masterchain block; `info` comes from the state after that block. */
export function prevBlocksOf(
  cells: Cells,
  info: McStateInfo,
  block: BlockId,
  globalVersion: number,
): PrevBlocks {
  const at = (seqno: number): BlockId => {
    if (seqno === block.seqno) return block;
    const old = lookUpOldMcBlock(cells, info.prevBlocks.root, seqno);
    if (old === undefined) throw new CellFault(`the masterchain state does not know block ${seqno}`);
    return masterchainBlock(old);
  };
  const from = (first: number, step: number): BlockId[] => {
    const found: BlockId[] = [];
    for (let seqno = first; seqno >= 0 && found.length < LIST_LENGTH; seqno -= step) found.push(at(seqno));
    return found;
  };
  const lastKey = info.lastKeyBlock && masterchainBlock(info.lastKeyBlock);
  return {
    last: from(block.seqno, 1),
    keyBlock: info.afterKeyBlock ? block : lastKey,
    every100: globalVersion >= 9 ? from(block.seqno - (block.seqno % 100), 100) : undefined,
  };
}

/** Writes previous blocks in the form that runs take: a bag of cells with a stack value, ready to be shared. */
export function writePrevBlocks({ last, keyBlock, every100 }: PrevBlocks): SharedBoc {
  const items = [tuple(last.map(blockEntry)), keyBlock ? blockEntry(keyBlock) : NULL_ENTRY];
  if (every100 !== undefined) items.push(tuple(every100.map(blockEntry)));
  const bag = readBoc(writeStackBoc([tuple(items)]));
  // The value alone: without the number of values on the stack and the reference to those below.
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
