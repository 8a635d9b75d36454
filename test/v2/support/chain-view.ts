import { type BlockId, sameBlock } from '../../../src/chain/block-id.ts';
import type { StoredBlock } from '../../../src/localnet/store/block-index.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';

/** The part of a chain that a server has, by masterchain seqnos; a limit that is left out does not apply. */
export interface ViewLimits {
  /** The last block that it gets. */
  readonly newest?: number;
  /** The oldest block it has. Key blocks are never removed. */
  readonly oldest?: number;
  /** The oldest state it has. */
  readonly oldestState?: number;
}

/** A chain as seen by a server that has only a part of it. */
export interface ChainView extends ChainStore {
  limit(limits: ViewLimits): void;
}

/** Creates a view of a whole chain, which can be limited later. */
export function createChainView(store: ChainStore): ChainView {
  const listeners = new Set<(head: BlockId) => void>();
  let limits: ViewLimits = {};

  const isReached = (seqno: number): boolean => seqno <= (limits.newest ?? seqno);
  const tell = (head: BlockId): void => {
    if (isReached(head.seqno)) for (const listener of [...listeners]) listener(head);
  };
  const isKept = ({ id, masterchainSeqno }: StoredBlock): boolean =>
    masterchainSeqno >= (limits.oldest ?? 0) || sameBlock(store.lastKeyBlock(masterchainSeqno), id);
  const shown = (block: StoredBlock | undefined): StoredBlock | undefined =>
    block !== undefined && isReached(block.masterchainSeqno) && isKept(block) ? block : undefined;
  store.onHead(tell);

  return {
    limit(next) {
      limits = next;
      tell(store.head);
    },
    get head() {
      const { head } = store;
      return isReached(head.seqno) ? head : store.masterchainBlock(limits.newest!)!.id;
    },
    zeroState: store.zeroState,
    zeroStates: store.zeroStates,
    signed: [],
    block: (id) => shown(store.block(id)),
    masterchainBlock: (seqno) => shown(store.masterchainBlock(seqno)),
    lastKeyBlock: (upTo) => store.lastKeyBlock(Math.min(upTo, limits.newest ?? upTo)),
    nextKeyBlock(from) {
      const next = store.nextKeyBlock(from);
      return next !== undefined && isReached(next.seqno) ? next : undefined;
    },
    find: (place, by, value) => shown(store.find(place, by, value)),
    firstSeqno: (place) => store.firstSeqno(place),
    open: (block) => store.open(block),
    state(id) {
      const block = store.block(id);
      if (block === undefined) return store.state(id);
      if (!isReached(block.masterchainSeqno)) return undefined;
      return block.masterchainSeqno < (limits.oldestState ?? limits.oldest ?? 0) ? 'gone' : store.state(id);
    },
    zeroStateBytes: (id) => store.zeroStateBytes(id),
    signatures: (id) => store.signatures(id),
    onHead(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
