import type { BlockId } from '../../../chain/block-id.ts';
import type { BlockLinkBack, BlockLinkForward } from '../../../chain/tl/block-proofs.ts';
import { configParam } from '../../../chain/tlb/config.ts';
import type { ChainStore } from '../../store/chain-store.ts';
import { fullBlockName } from '../block-names.ts';
import { loadBlock, loadBlockAndState, loadState } from '../known-blocks.ts';
import { LiteRefusal, NOT_READY, refuse } from '../lite-refusal.ts';
import { headerProof, readHeader, stateRootProof } from './header-proof.ts';
import { readKeyBlockConfig } from './key-block-config.ts';
import { oldBlockProof } from './old-block-proof.ts';
import { ProvenTree } from './proven-tree.ts';
import { readMasterchainState } from './state-reading.ts';

const CURRENT_VALIDATORS = 34;
/** Validators for the time being, who come before the current ones. */
const TEMPORARY_VALIDATORS = 35;
const CATCHAIN_CONFIG = 28;

/** A step to an older masterchain block, which the state of the newer one remembers. */
export function linkBack(store: ChainStore, from: BlockId, to: BlockId): BlockLinkBack {
  const block = loadBlockAndState(store, from);
  const stateProof = oldBlockProof(block.state, to, true);
  if (stateProof === undefined)
    refuse(
      `cannot prove that ${fullBlockName(to)} is in the previous block set of the masterchain state of ${fullBlockName(from)}`,
    );
  return { kind: 'back', from, to, ...destination(store, to), proof: stateRootProof(block), stateProof };
}

/** A step from a key block or the zero state to a newer block, which its validators signed. */
export function linkForward(store: ChainStore, from: BlockId, to: BlockId): BlockLinkForward {
  const signatures = store.signatures(to);
  if (signatures === undefined)
    throw new LiteRefusal(
      NOT_READY,
      `cannot load proof for ${fullBlockName(to)} : the signatures of this block are not known here`,
    );
  return {
    kind: 'forward',
    from,
    to,
    ...destination(store, to),
    configProof: validatorsProof(store, from),
    signatures,
  };
}

/** The header of the block that a step leads to; the zero state has none. */
function destination(store: ChainStore, to: BlockId): { toKeyBlock: boolean; destProof: Buffer } {
  if (to.seqno === 0) return { toKeyBlock: true, destProof: Buffer.alloc(0) };
  const block = loadBlock(store, to);
  return { toKeyBlock: readHeader(block).info.keyBlock, destProof: headerProof(block) };
}

/** A bag with a proof of the validators that a key block or the zero state names. */
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
