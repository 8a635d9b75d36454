import { type BlockId, sameBlock } from '../../../chain/block-id.ts';
import type { BlockLink } from '../../../chain/tl/block-proofs.ts';
import type { ChainStore } from '../../store/chain-store.ts';
import { fullBlockName, isMasterchainBlock } from '../block-names.ts';
import { isInChain, knownState } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import { linkBack, linkForward } from '../proofs/block-links.ts';
import type { Query } from '../query.ts';

const MAX_LINKS = 16;
/** A bit of the mode: go by what was known at the later of the two blocks, not at the newest one. */
const FROM_LATER_BLOCK = 0x1000;

/** Proves a masterchain block, or the newest one, from one that is known; the first steps if there are many. */
export const getBlockProof: Query<'getBlockProof'> = ({ store }, { mode, knownBlock: from, targetBlock }) => {
  if (!isMasterchainBlock(from))
    refuse(`source block ${fullBlockName(from)} is not a valid masterchain block id`);
  if (targetBlock !== undefined && !isMasterchainBlock(targetBlock))
    refuse(`destination block ${fullBlockName(targetBlock)} is not a valid masterchain block id`);
  const to = targetBlock ?? store.head;
  const base = mode & FROM_LATER_BLOCK ? (from.seqno > to.seqno ? from : to) : store.head;
  knownState(store, base);
  checkKnown(store, from, base, 'source');
  checkKnown(store, to, base, 'destination');

  const steps: BlockLink[] = [];
  let at = from;
  while (steps.length < MAX_LINKS && !sameBlock(at, to)) {
    const step = nextStep(store, at, to, base);
    steps.push(step);
    at = step.to;
  }
  return { complete: sameBlock(at, to), from, to: at, steps };
};

function checkKnown(store: ChainStore, id: BlockId, base: BlockId, role: string): void {
  if (id.seqno > base.seqno)
    refuse(
      `client knows block ${fullBlockName(id)} newer than the reference masterchain block ${fullBlockName(base)}`,
    );
  if (!isInChain(store, id))
    refuse(
      `proof ${role} masterchain block ${fullBlockName(id)} is unknown from the perspective of reference block ${fullBlockName(base)}`,
    );
}

/** Back to an older target; else by way of key blocks, each of which names who signs the blocks up to the next. */
function nextStep(store: ChainStore, at: BlockId, to: BlockId, base: BlockId): BlockLink {
  if (to.seqno < at.seqno) return linkBack(store, at, to);
  const lastKey = store.lastKeyBlock(at.seqno);
  if (lastKey.seqno !== at.seqno) return linkBack(store, at, lastKey);
  const nextKey = store.nextKeyBlock(at.seqno + 1);
  return linkForward(store, at, nextKey !== undefined && nextKey.seqno <= base.seqno ? nextKey : to);
}
