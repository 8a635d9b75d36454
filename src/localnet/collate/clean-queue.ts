import type { BlockDraft } from './block-draft.ts';
import { isProcessed } from './processed-upto.ts';
import { messagesFor, openQueued } from './queued-message.ts';

const DEQUEUED_BYTES = 300;

/**
 * Takes out of the queue what the neighbours have taken in: each takes messages in their order, so the first that a
 * neighbour does not have ends the search.
 */
export function cleanQueue(draft: BlockDraft): void {
  const { arena, neighbours, endLtAt, before } = draft.input;
  for (const neighbour of neighbours)
    for (const entry of messagesFor(arena, before.queue, neighbour)) {
      if (!draft.load.fitsInternal) return;
      const message = openQueued(arena, entry);
      if (!isProcessed(neighbour.processed, message, endLtAt)) break;
      draft.queue.remove(message.key);
      draft.load.addBytes(DEQUEUED_BYTES);
      draft.addOut(
        message.hash,
        draft.shortDequeue
          ? {
              kind: 'deq_short',
              envelopeHash: Buffer.from(arena.hash(message.envelope)),
              nextWorkchain: message.next.workchain,
              nextAddrPrefix: BigInt.asUintN(64, message.next.prefix),
              importBlockLt: neighbour.endLt,
            }
          : { kind: 'deq', envelope: message.envelope, importBlockLt: neighbour.endLt },
      );
    }
}
