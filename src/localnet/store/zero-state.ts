import { hash } from 'node:crypto';
import { type BlockId, WHOLE_SHARD } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { Slice } from '../../chain/boc/slice.ts';

/** The state that a workchain starts from. */
export interface ZeroState {
  readonly id: BlockId;
  readonly bytes: Buffer;
}

const SHARD_STATE = 0x9023afe2;
const SHARD_NAME_HEAD_BITS = 2 + 6;

/**
 * Reads a zero state as far as its name. Not by `readShardState`: the tool that makes zero states writes the name of
 * the whole basechain in a form that no later state has.
 */
export function parseZeroState(bytes: Buffer): ZeroState & { readonly bag: CellBag } {
  const bag = readBoc(bytes);
  const slice = new Slice(bag, bag.root);
  if (slice.uint(32) !== SHARD_STATE) throw new CellFault('a zero state of an unknown form');
  slice.skip(32 + SHARD_NAME_HEAD_BITS);
  const id = {
    workchain: slice.int(32),
    shard: WHOLE_SHARD,
    seqno: 0,
    rootHash: Buffer.from(bag.hash(bag.root)),
    fileHash: hash('sha256', bytes, 'buffer'),
  };
  return { id, bytes, bag };
}
