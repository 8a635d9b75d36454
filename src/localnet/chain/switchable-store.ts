import type { BlockId } from '../../chain/block-id.ts';
import type { ChainStore } from '../store/chain-store.ts';

/** A store that shows another one, which can be exchanged under those who look at it. */
export interface SwitchableStore extends ChainStore {
  show(store: ChainStore): void;
}

/** Makes a store that shows another one; listeners stay when that one is exchanged. */
export function createSwitchableStore(first: ChainStore): SwitchableStore {
  const listeners = new Set<(head: BlockId) => void>();
  const tell = (head: BlockId): void => {
    for (const listener of [...listeners]) listener(head);
  };
  let shown = first;
  let stop = first.onHead(tell);
  return {
    show(store) {
      stop();
      shown = store;
      stop = store.onHead(tell);
      tell(store.head);
    },
    get zeroState() {
      return shown.zeroState;
    },
    get head() {
      return shown.head;
    },
    block: (id) => shown.block(id),
    masterchainBlock: (seqno) => shown.masterchainBlock(seqno),
    lastKeyBlock: (upTo) => shown.lastKeyBlock(upTo),
    nextKeyBlock: (from) => shown.nextKeyBlock(from),
    find: (place, by, value) => shown.find(place, by, value),
    firstSeqno: (place) => shown.firstSeqno(place),
    open: (block) => shown.open(block),
    state: (id) => shown.state(id),
    zeroStateBytes: (id) => shown.zeroStateBytes(id),
    signatures: (id) => shown.signatures(id),
    onHead(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
