import type { BlockId } from '../../chain/block-id.ts';
import type { ConfigInfo } from '../../chain/tl/config.ts';
import { configParam } from '../../chain/tlb/config.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { fullBlockName, isMasterchainBlock } from './block-names.ts';
import { isInChain, loadBlock, loadMasterchainBlockAndState } from './known-blocks.ts';
import { LiteRefusal, PLAIN_ERROR, refuse } from './lite-refusal.ts';
import { readHeader, stateRootProof } from './proofs/header-proof.ts';
import { readKeyBlockConfig } from './proofs/key-block-config.ts';
import { showPreviousBlocks } from './proofs/previous-blocks.ts';
import { ProvenTree } from './proofs/proven-tree.ts';
import { readMasterchainState } from './proofs/state-reading.ts';

/** Shows parameters of a configuration in a proof; `root` is the root of their dictionary. */
export type ShowParams = (tree: ProvenTree, root: number) => void;

/** Bits of a mode: take the configuration from the last key block, and show what a get-method needs beside it. */
const FROM_KEY_BLOCK = 0x8000;
const WITH_PREVIOUS_BLOCKS = 0x80;
const WITH_CAPABILITIES = 0x200;
const MODE_MASK = 0xffff;
const NO_PROOF = Buffer.alloc(0);

/** Bits of a mode that show parameters which a client unpacks in any case, and these parameters. */
const PARAMS_OF_MODE: readonly [bit: number, indexes: readonly number[]][] = [
  [0x10, [35, 34]],
  [0x20, [31]],
  [0x100, [12]],
  [WITH_CAPABILITIES, [8]],
];

/** Parameters of the configuration at a masterchain block, as proofs. */
export function configAt(store: ChainStore, id: BlockId, requested: number, show: ShowParams): ConfigInfo {
  if (!isMasterchainBlock(id))
    refuse('configuration parameters can be loaded with respect to a masterchain block only');
  const mode = requested & MODE_MASK;
  return mode & FROM_KEY_BLOCK ? fromKeyBlock(store, id, mode, show) : fromState(store, id, mode, show);
}

function fromState(store: ChainStore, id: BlockId, requested: number, show: ShowParams): ConfigInfo {
  const mode = requested & WITH_PREVIOUS_BLOCKS ? requested | WITH_CAPABILITIES : requested;
  const block = loadMasterchainBlockAndState(store, id);
  const tree = new ProvenTree(block.state);
  const { extra, info } = readMasterchainState(tree);
  showParamsOfMode(tree, extra.config, mode);
  show(tree, extra.config);
  if (mode & WITH_PREVIOUS_BLOCKS) showPreviousBlocks(tree, info, id.seqno);
  return { mode, id, stateProof: stateRootProof(block), configProof: tree.toBoc() };
}

function fromKeyBlock(store: ChainStore, id: BlockId, mode: number, show: ShowParams): ConfigInfo {
  checkKnown(store, id);
  const keyBlock = store.lastKeyBlock(id.seqno);
  const tree = new ProvenTree(loadBlock(store, keyBlock));
  readHeader(tree);
  const config = readKeyBlockConfig(tree);
  showParamsOfMode(tree, config, mode);
  show(tree, config);
  return { mode, id: keyBlock, stateProof: NO_PROOF, configProof: tree.toBoc() };
}

function showParamsOfMode(tree: ProvenTree, config: number, mode: number): void {
  for (const [bit, indexes] of PARAMS_OF_MODE)
    for (const index of mode & bit ? indexes : []) {
      const cell = configParam(tree.cells, config, index);
      if (cell >= 0) tree.showAll(cell);
    }
}

function checkKnown(store: ChainStore, id: BlockId): void {
  const { head } = store;
  if (id.seqno > head.seqno)
    throw new LiteRefusal(
      PLAIN_ERROR,
      `client knows block ${fullBlockName(id)} newer than the reference masterchain block ${fullBlockName(head)}`,
    );
  if (!isInChain(store, id))
    throw new LiteRefusal(
      PLAIN_ERROR,
      `requested masterchain block ${fullBlockName(id)} is unknown from the perspective of reference block ${fullBlockName(head)}`,
    );
}
