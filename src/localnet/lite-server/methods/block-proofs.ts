import { type BlockId, fullBlockName, isMasterchain, sameBlock } from '../../../chain/block-id.ts';
import { configParam } from '../../../chain/tlb/config.ts';
import { PROOF_AT_LATER_BLOCK } from '../../../lite/methods/block-proofs.ts';
import type { BlockLink, BlockLinkBack, BlockLinkForward } from '../../../lite/methods/codec.ts';
import type { ChainStore } from '../../store/chain-store.ts';
import { type MethodHandlers, refuse, refuseNotReady } from './method-context.ts';
import {
  EMPTY,
  headerProof,
  oldBlockProof,
  ProvenTree,
  readHeader,
  readKeyBlockConfig,
  readMasterchainState,
  stateRootProof,
} from './proofs.ts';
import { checkInChain, loadBlock, loadBlockAndState, loadState, storedState } from './stored-blocks.ts';

const MAX_LINKS = 16;

export const blockProofMethods = {
  /** Proves a masterchain block, or the newest one, from a known one; returns the first steps if there are many. */
  getBlockProof({ store }, { mode, knownBlock: from, targetBlock }) {
    if (!isMasterchain(from))
      refuse(`source block ${fullBlockName(from)} is not a valid masterchain block id`);
    if (targetBlock !== undefined && !isMasterchain(targetBlock))
      refuse(`destination block ${fullBlockName(targetBlock)} is not a valid masterchain block id`);
    const to = targetBlock ?? store.head;
    const base = mode & PROOF_AT_LATER_BLOCK ? (from.seqno > to.seqno ? from : to) : store.head;
    storedState(store, base);
    checkInChain(store, from, base, 'proof source', refuse);
    checkInChain(store, to, base, 'proof destination', refuse);

    const steps: BlockLink[] = [];
    let at = from;
    while (steps.length < MAX_LINKS && !sameBlock(at, to)) {
      const step = nextStep(store, at, to, base);
      steps.push(step);
      at = step.to;
    }
    return { complete: sameBlock(at, to), from, to: at, steps };
  },
} satisfies Partial<MethodHandlers>;

/** Back to an older target; else through key blocks, each of which has the validators of the blocks up to the next. */
function nextStep(store: ChainStore, at: BlockId, to: BlockId, base: BlockId): BlockLink {
  if (to.seqno < at.seqno) return linkBack(store, at, to);
  const lastKey = store.lastKeyBlock(at.seqno);
  if (lastKey.seqno !== at.seqno) return linkBack(store, at, lastKey);
  const nextKey = store.nextKeyBlock(at.seqno + 1);
  return linkForward(store, at, nextKey !== undefined && nextKey.seqno <= base.seqno ? nextKey : to);
}

const CURRENT_VALIDATORS = 34;
/** Temporary validators replace the current ones. */
const TEMPORARY_VALIDATORS = 35;
const CATCHAIN_CONFIG = 28;

/** A step to an older masterchain block, which the state of the newer one lists. */
function linkBack(store: ChainStore, from: BlockId, to: BlockId): BlockLinkBack {
  const block = loadBlockAndState(store, from);
  const stateProof = oldBlockProof(block.state, to, true);
  if (stateProof === undefined)
    refuse(
      `cannot prove that ${fullBlockName(to)} is in the previous block set of the masterchain state of ${fullBlockName(from)}`,
    );
  return { kind: 'back', from, to, ...destination(store, to), proof: stateRootProof(block), stateProof };
}

/** A step from a key block or the zero state to a newer block, which its validators signed. */
function linkForward(store: ChainStore, from: BlockId, to: BlockId): BlockLinkForward {
  const signatures = store.signatures(to);
  if (signatures === undefined)
    refuseNotReady(
      `cannot load proof for ${fullBlockName(to)} : the signatures of this block are not known here`,
    );
  const configProof = validatorsProof(store, from);
  return { kind: 'forward', from, to, ...destination(store, to), configProof, signatures };
}

/** The header of the block that a step leads to; the zero state has none. */
function destination(store: ChainStore, to: BlockId): { toKeyBlock: boolean; destProof: Buffer } {
  if (to.seqno === 0) return { toKeyBlock: true, destProof: EMPTY };
  const block = loadBlock(store, to);
  return { toKeyBlock: readHeader(block).info.keyBlock, destProof: headerProof(block) };
}

/** A bag with a proof of the validators in a key block or the zero state. */
function validatorsProof(store: ChainStore, from: BlockId): Buffer {
  const isZeroState = from.seqno === 0;
  const tree = new ProvenTree(isZeroState ? loadState(store, from) : loadBlock(store, from));
  if (!isZeroState) readHeader(tree);
  const config = isZeroState ? readMasterchainState(tree).extra.config : readKeyBlockConfig(tree);
  const temporary = configParam(tree.cells, config, TEMPORARY_VALIDATORS);
  const validators = temporary >= 0 ? temporary : configParam(tree.cells, config, CURRENT_VALIDATORS);
  for (const cell of [validators, configParam(tree.cells, config, CATCHAIN_CONFIG)])
    if (cell >= 0) tree.showAll(cell);
  return tree.toBoc();
}
