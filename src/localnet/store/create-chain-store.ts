import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName, WHOLE_SHARD } from '../../chain/block-id.ts';
import type { SignatureSet } from '../../chain/tl/signature-sets.ts';
import { BlockCache } from './block-cache.ts';
import { BlockIndex } from './block-index.ts';
import type { ChainStore, StoredBlock } from './chain-store.ts';
import { type NewBlock, type ParsedBlock, parseBlock, shardTops } from './new-block.ts';
import { StateKeeper } from './state-keeper.ts';
import { parseZeroState, type ZeroState } from './zero-state.ts';

export interface ChainStoreOptions {
  /** The bags of cells of the zero states of all workchains. */
  readonly zeroStates: readonly Buffer[];
  /** Room for states; older ones are forgotten when it is used up. */
  readonly maxStateBytes?: number;
  /** Room for blocks whose cells are kept at hand. */
  readonly maxBlockBytes?: number;
}

/** What one masterchain block adds: itself and the shard blocks it brings in, each after those it builds on. */
export interface ChainStep {
  readonly masterchain: NewBlock;
  readonly shards: readonly NewBlock[];
}

/** A store that grows. */
export interface GrowingChainStore extends ChainStore {
  /** Adds a step whole or, if it does not continue the chain, throws and adds nothing. */
  append(step: ChainStep): void;
}

const MEBIBYTE = 2 ** 20;
const MAX_STATE_BYTES = 512 * MEBIBYTE;
const MAX_BLOCK_BYTES = 64 * MEBIBYTE;

/** Makes a store in memory that holds nothing but the zero states. */
export function createChainStore({
  zeroStates,
  maxStateBytes = MAX_STATE_BYTES,
  maxBlockBytes = MAX_BLOCK_BYTES,
}: ChainStoreOptions): GrowingChainStore {
  const index = new BlockIndex();
  const blocks = new BlockCache(maxBlockBytes);
  const states = new StateKeeper(maxStateBytes);
  const signatures = new Map<number, SignatureSet>();
  const listeners = new Set<(head: BlockId) => void>();
  const zeros = zeroStates.map(addZeroState);
  const masterchainZero = zeros.find(({ id }) => id.workchain === MASTERCHAIN);
  if (masterchainZero === undefined) throw new Error('a chain needs the zero state of its masterchain');
  let head = masterchainZero.id;
  /** By seqno; there are few. */
  const keyBlocks = [head];

  function addZeroState(bytes: Buffer): ZeroState {
    const { bag, ...zero } = parseZeroState(bytes);
    states.add(zero.id, bag, bag.root);
    return zero;
  }

  function block(id: BlockId): StoredBlock | undefined {
    const found = index.at(id.workchain, id.shard, id.seqno);
    return found !== undefined && sameBlock(found.id, id) ? found : undefined;
  }

  function zeroState(id: BlockId): ZeroState | undefined {
    return zeros.find((zero) => sameBlock(zero.id, id));
  }

  function append(step: ChainStep): void {
    const parsed = [...step.shards, step.masterchain].map((part) => ({
      part,
      block: parseBlock(part.load()),
    }));
    const all = parsed.map((entry) => entry.block);
    const masterchain = all.at(-1)!;
    const tops = checkStep(all);
    for (const { part, block: added } of parsed) states.addAfter(added, part.state);
    for (const { part, block: added } of parsed) {
      const { endLt, genUtime } = added.info;
      const stored = { id: added.id, endLt, genUtime, masterchainSeqno: masterchain.id.seqno };
      index.add(stored);
      blocks.add(stored, added.bag, part.load);
    }
    if (step.masterchain.signatures !== undefined)
      signatures.set(masterchain.id.seqno, step.masterchain.signatures);
    if (masterchain.info.keyBlock) keyBlocks.push(masterchain.id);
    states.tidy([masterchain.id, ...tops]);
    head = masterchain.id;
    for (const listener of [...listeners]) listener(head);
  }

  /** Throws unless all blocks build on known ones and the last, a masterchain block, names known ones alone. */
  function checkStep(all: readonly ParsedBlock[]): BlockId[] {
    const fresh: BlockId[] = [];
    const isKnown = (id: BlockId): boolean =>
      block(id) !== undefined || zeroState(id) !== undefined || fresh.some((known) => sameBlock(known, id));
    const check = (of: BlockId, named: readonly BlockId[]): void => {
      const missing = named.find((id) => !isKnown(id));
      if (missing !== undefined)
        throw new Error(`block ${shortBlockName(of)} needs ${shortBlockName(missing)}, which is not there`);
    };
    for (const { id, previous } of all) {
      check(id, previous);
      fresh.push(id);
    }
    const masterchain = all.at(-1)!;
    if (masterchain.id.workchain !== MASTERCHAIN || !sameBlock(masterchain.previous[0]!, head))
      throw new Error(`block ${shortBlockName(masterchain.id)} does not follow ${shortBlockName(head)}`);
    const tops = shardTops(masterchain);
    check(masterchain.id, tops);
    return tops;
  }

  return {
    zeroState: masterchainZero.id,
    get head() {
      return head;
    },
    block,
    masterchainBlock: (seqno) => index.at(MASTERCHAIN, WHOLE_SHARD, seqno),
    lastKeyBlock: (upTo) => keyBlocks.findLast(({ seqno }) => seqno <= upTo) ?? keyBlocks[0]!,
    nextKeyBlock: (from) => keyBlocks.find(({ seqno }) => seqno >= from),
    find: (place, by, value) => index.find(place, by, value),
    firstSeqno: (place) => index.firstSeqno(place),
    open(stored) {
      const bag = blocks.open(stored);
      return { id: stored.id, cells: bag, root: bag.root, bytes: bag.bytes };
    },
    state(id) {
      return block(id) === undefined && zeroState(id) === undefined ? undefined : states.get(id);
    },
    zeroStateBytes: (id) => zeroState(id)?.bytes,
    signatures: (id) => (block(id) === undefined ? undefined : signatures.get(id.seqno)),
    onHead(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    append,
  };
}
