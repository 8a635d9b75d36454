import { Slice } from '../../../chain/boc/slice.ts';
import { dictionaryEntries } from '../../../chain/tlb/dictionary-entries.ts';
import { loadMasterchainBlockAndState } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import { stateRootProof } from '../proofs/header-proof.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import { readMasterchainState } from '../proofs/state-reading.ts';
import type { Query } from '../query.ts';

const KNOWN_BITS = 7;
/** Bits 0 and 1 of the mode: start after a key, or at it. */
const START_BITS = 3;
const START_AFTER = 1;
const MAX_ENTRIES = 1000;
const KEY_BITS = 256;

/** How many blocks validators made, as the state after a masterchain block counts them. */
export const getValidatorStats: Query<'getValidatorStats'> = ({ store }, request) => {
  const { mode, id, startAfter } = request;
  if (request.limit <= 0) refuse('requested entry count limit must be positive');
  if ((mode & ~KNOWN_BITS) !== 0) refuse('unknown flags set in mode');
  const block = loadMasterchainBlockAndState(store, id);
  const tree = new ProvenTree(block.state);
  const stats = readMasterchainState(tree).info.blockCreateStats;
  if (stats === undefined || stats.augmented) refuse('cannot extract block create stats from mc state');
  const limit = Math.min(request.limit, MAX_ENTRIES);
  const inclusive = (mode & START_BITS) !== START_AFTER;
  let count = 0;
  if (stats.root >= 0) {
    const entries = dictionaryEntries(new Slice(tree.cells, stats.root), KEY_BITS, {
      from: startAfter,
      inclusive,
    });
    while (count < limit && entries.next().done !== true) count++;
  }
  const complete = count < limit;
  const stateProof = stateRootProof(block);
  return { mode, id, count, complete, stateProof, dataProof: tree.toBoc() };
};
