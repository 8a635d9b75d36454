import { type BlockId, isMasterchain } from '../../../chain/block-id.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { configParam } from '../../../chain/tlb/config.ts';
import { dictionaryEntries } from '../../../chain/tlb/dictionary.ts';
import { lookUpOldMcBlock, type McStateInfo } from '../../../chain/tlb/masterchain-state.ts';
import {
  CONFIG_FROM_KEY_BLOCK,
  CONFIG_WITH_PREVIOUS_BLOCKS,
  type ConfigInfo,
} from '../../../lite/methods/config.ts';
import type { ChainStore } from '../../store/chain-store.ts';
import { type MethodHandlers, refuse, refusePlainly } from './method-context.ts';
import {
  EMPTY,
  ProvenTree,
  readHeader,
  readKeyBlockConfig,
  readMasterchainState,
  stateRootProof,
} from './proofs.ts';
import { checkInChain, loadBlock, loadMasterchainBlockAndState } from './stored-blocks.ts';

export const configMethods = {
  getConfigAll({ store }, { mode, id }) {
    return configAt(store, id, mode, (tree, root) => tree.showAll(root));
  },

  getConfigParams({ store }, { mode, id, paramList }) {
    if (paramList.length > MAX_PARAMS) refuse('too long param list');
    return configAt(store, id, mode, (tree, root) => {
      for (const index of paramList) {
        const cell = configParam(tree.cells, root, index);
        if (cell >= 0) tree.showAll(cell);
      }
    });
  },

  /** How many blocks each validator created, as counted in the state after a masterchain block. */
  getValidatorStats({ store }, request) {
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
  },
} satisfies Partial<MethodHandlers>;

const MAX_PARAMS = 256;

/** Shows config params in a proof; `root` is the root of their dictionary. */
type ShowParams = (tree: ProvenTree, root: number) => void;

const WITH_CAPABILITIES = 0x200;
const MODE_MASK = 0xffff;
/** Bits of the mode for params that a client always unpacks, and these params. */
const PARAMS_OF_MODE: readonly [bit: number, indexes: readonly number[]][] = [
  [0x10, [35, 34]],
  [0x20, [31]],
  [0x100, [12]],
  [WITH_CAPABILITIES, [8]],
];

/** Config params at a masterchain block, as proofs. */
function configAt(store: ChainStore, id: BlockId, requested: number, show: ShowParams): ConfigInfo {
  if (!isMasterchain(id))
    refuse('configuration parameters can be loaded with respect to a masterchain block only');
  const mode = requested & MODE_MASK;
  return mode & CONFIG_FROM_KEY_BLOCK
    ? fromKeyBlock(store, id, mode, show)
    : fromState(store, id, mode, show);
}

function fromState(store: ChainStore, id: BlockId, requested: number, show: ShowParams): ConfigInfo {
  const mode = requested & CONFIG_WITH_PREVIOUS_BLOCKS ? requested | WITH_CAPABILITIES : requested;
  const block = loadMasterchainBlockAndState(store, id);
  const tree = new ProvenTree(block.state);
  const { extra, info } = readMasterchainState(tree);
  showParamsOfMode(tree, extra.config, mode);
  show(tree, extra.config);
  if (mode & CONFIG_WITH_PREVIOUS_BLOCKS) showPreviousBlocks(tree, info, id.seqno);
  return { mode, id, stateProof: stateRootProof(block), configProof: tree.toBoc() };
}

function fromKeyBlock(store: ChainStore, id: BlockId, mode: number, show: ShowParams): ConfigInfo {
  checkInChain(store, id, store.head, 'requested', refusePlainly);
  const keyBlock = store.lastKeyBlock(id.seqno);
  const tree = new ProvenTree(loadBlock(store, keyBlock));
  readHeader(tree);
  const config = readKeyBlockConfig(tree);
  showParamsOfMode(tree, config, mode);
  show(tree, config);
  return { mode, id: keyBlock, stateProof: EMPTY, configProof: tree.toBoc() };
}

function showParamsOfMode(tree: ProvenTree, config: number, mode: number): void {
  for (const [bit, indexes] of PARAMS_OF_MODE)
    for (const index of mode & bit ? indexes : []) {
      const cell = configParam(tree.cells, config, index);
      if (cell >= 0) tree.showAll(cell);
    }
}

const COUNT = 16;
const STRIDE = 100;

/** Shows the earlier masterchain blocks that a get-method can see: the last ones, and every hundredth. */
function showPreviousBlocks(tree: ProvenTree, { prevBlocks }: McStateInfo, seqno: number): void {
  const show = (old: number): unknown => lookUpOldMcBlock(tree.cells, prevBlocks.root, old);
  // Clients always look for the zero state there.
  show(0);
  for (let i = 1; i < COUNT && i <= seqno; i++) show(seqno - i);
  const last = Math.floor(seqno / STRIDE) * STRIDE;
  for (let i = 0, old = last; i < COUNT && old >= 0; i++, old -= STRIDE) if (old < seqno) show(old);
}

const KNOWN_BITS = 7;
/** Bits 0 and 1 of the mode: start after a key, or at it. */
const START_BITS = 3;
const START_AFTER = 1;
const MAX_ENTRIES = 1000;
const KEY_BITS = 256;
