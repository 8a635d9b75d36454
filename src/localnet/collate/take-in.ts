import { byTime } from '../../chain/logical-time.ts';
import { accountOf } from '../../chain/tlb/msg-address.ts';
import { buildInMsg } from '../../chain/tlb-write/in-msg.ts';
import { bocOf } from '../run-surroundings.ts';
import type { BlockDraft } from './block-draft.ts';
import { isProcessed } from './processed-upto.ts';
import { messagesFor, openQueued, type QueuedMessage } from './queued-message.ts';
import { holds } from './routing.ts';
import type { Task } from './transaction-maker.ts';

/** How many messages are run ahead together. */
const BATCH = 32;

/** Delivers what waits for this shard in the queues of its neighbours, in the order of messages, while there is room. */
export async function takeIn(draft: BlockDraft): Promise<void> {
  const { arena, neighbours, before, endLtAt, shard } = draft.input;
  const waiting = neighbours.flatMap(({ queue }) => messagesFor(arena, queue, shard)).sort(byTime);
  for (let from = 0; from < waiting.length; from += BATCH) {
    const batch = waiting.slice(from, from + BATCH).map((entry) => {
      const message = openQueued(arena, entry);
      const isDone = isProcessed(before.processed, message, endLtAt);
      return { message, task: isDone ? undefined : taskOf(draft, message) };
    });
    await draft.maker.prepare(batch.flatMap(({ task }) => task ?? []));
    for (const { message, task } of batch) {
      if (!draft.load.fitsInternal) return;
      // One that was delivered by an earlier block counts for the order like others.
      draft.delivered(message.lt, message.hash);
      if (task !== undefined) await deliver(draft, message, task);
    }
  }
  draft.allTakenIn = true;
}

function taskOf(draft: BlockDraft, { opened, info, destination }: QueuedMessage): Task {
  const { arena, shard, startLt } = draft.input;
  if (info.dest.kind !== 'std' || !holds(shard, destination))
    throw new Error('a message that is not for an account of this shard');
  const account = draft.book.get(accountOf(info.dest));
  return { account, cause: { message: bocOf(arena, opened.message) }, lt: startLt + 1n };
}

async function deliver(draft: BlockDraft, message: QueuedMessage, task: Task): Promise<void> {
  const { arena, shard } = draft.input;
  const made = await draft.maker.make(task);
  if (!('cell' in made)) throw new Error(`a message from an account was not delivered: ${made.text}`);
  const { metadata, fwdFeeRemaining } = message.opened;
  draft.note(made, metadata && { ...metadata, depth: metadata.depth + 1 }, true);
  draft.burn(message.info);
  const inMessage = {
    kind: 'fin',
    envelope: message.envelope,
    transaction: made.cell,
    fwdFee: fwdFeeRemaining,
  } as const;
  draft.addIn(message.hash, inMessage);
  if (holds(shard, message.current)) {
    draft.addOut(message.hash, {
      kind: 'deq_imm',
      envelope: message.envelope,
      reimport: buildInMsg(arena, inMessage),
    });
    draft.queue.remove(message.key);
  }
}
