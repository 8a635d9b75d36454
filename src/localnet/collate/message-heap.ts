import { byTime } from '../../chain/logical-time.ts';
import type { NewMessage } from './made-transaction.ts';

/** New messages of a block; the first in the order of messages comes out first. */
export class MessageHeap {
  readonly #heap: NewMessage[] = [];

  get size(): number {
    return this.#heap.length;
  }

  push(message: NewMessage): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(message);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (byTime(heap[parent]!, message) <= 0) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = message;
  }

  pop(): NewMessage | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && byTime(heap[child + 1]!, heap[child]!) < 0) child++;
      if (byTime(last, heap[child]!) <= 0) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  /** Some of the messages that come out next, in their order; they stay. */
  next(count: number): NewMessage[] {
    return this.#heap.slice(0, count).sort(byTime);
  }
}
