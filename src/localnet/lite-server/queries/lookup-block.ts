import { findBlock, readLookupKey } from '../find-block.ts';
import { headerParts } from '../proofs/header-parts.ts';
import type { Query } from '../query.ts';

/** Bits of the mode from here on say which parts of the header the proof shows. */
const HEADER_MODE_SHIFT = 4;

/** Finds a block by seqno, logical time or time. */
export const lookupBlock: Query<'lookupBlock'> = ({ store }, request) => {
  const { workchain, shard: prefix } = request.id;
  const block = store.open(findBlock(store, { workchain, prefix }, ...readLookupKey(request)));
  const mode = request.mode >>> HEADER_MODE_SHIFT;
  return { id: block.id, mode, headerProof: headerParts(block, mode) };
};
