import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import { type EnqueuedMsg, OUT_MSG_QUEUE } from '../../chain/tlb-write/out-msg-queue.ts';

/** The queue of messages that leave a shard, while a block is being made. */
export class OutQueue {
  readonly #dictionary: Dictionary<EnqueuedMsg, bigint>;
  root: number;
  size: number;

  constructor(arena: BuildingArena, root: number, size: number) {
    this.#dictionary = new Dictionary(arena, OUT_MSG_QUEUE);
    this.root = root;
    this.size = size;
  }

  put(key: Buffer, message: EnqueuedMsg): void {
    this.root = this.#dictionary.set(this.root, key, message);
    this.size++;
  }

  remove(key: Buffer): void {
    const root = this.#dictionary.delete(this.root, key);
    if (root === this.root) throw new Error('a message that is not in the queue cannot leave it');
    this.root = root;
    this.size--;
  }
}
