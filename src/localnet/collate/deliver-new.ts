import { accountOf } from '../../chain/tlb/msg-address.ts';
import { buildInMsg } from '../../chain/tlb-write/in-msg.ts';
import { buildMessageEnvelope } from '../../chain/tlb-write/message-envelope.ts';
import { outMsgQueueKey } from '../../chain/tlb-write/out-msg-queue.ts';
import { bocOf } from '../run-surroundings.ts';
import type { BlockDraft } from './block-draft.ts';
import type { NewMessage } from './made-transaction.ts';
import { holds, placeBetween, placeOf, routeFrom } from './routing.ts';
import type { Task } from './transaction-maker.ts';

/** How many messages are run ahead together. */
const BATCH = 32;
const ALL_BITS = 96;

/**
 * Finds a place for every message that the block's transactions sent: those to accounts of this shard are delivered
 * at once while there is room, others go into the queue or, to the outside, into the block alone.
 */
export async function deliverNew(draft: BlockDraft): Promise<void> {
  const tasks = new Map<string, Task>();
  for (let message = draft.fresh.pop(); message !== undefined; message = draft.fresh.pop()) {
    draft.load.addWaiting(-1);
    if (!draft.load.fitsInternal) draft.enqueueOnly = true;
    if (message.info.kind === 'external-out') {
      draft.addOut(message.hash, { kind: 'ext', message: message.cell, transaction: message.transaction });
    } else if (draft.enqueueOnly || !isOurs(draft, message)) {
      enqueue(draft, message);
    } else {
      const name = message.hash.toString('latin1');
      if (!tasks.has(name)) await runAhead(draft, message, tasks);
      await deliver(draft, message, tasks.get(name)!);
    }
  }
}

/** Runs the next messages ahead, in the hope that none comes up that is to be delivered before them. */
async function runAhead(draft: BlockDraft, first: NewMessage, tasks: Map<string, Task>): Promise<void> {
  const added: Task[] = [];
  for (const message of [first, ...draft.fresh.next(BATCH)]) {
    const name = message.hash.toString('latin1');
    if (tasks.has(name) || !isOurs(draft, message)) continue;
    const task = taskOf(draft, message);
    tasks.set(name, task);
    added.push(task);
  }
  await draft.maker.prepare(added);
}

function isOurs({ input }: BlockDraft, { info }: NewMessage): boolean {
  return info.kind === 'internal' && holds(input.shard, placeOf(info.dest));
}

function taskOf({ input, book }: BlockDraft, { cell, lt, info }: NewMessage): Task {
  if (info.dest.kind !== 'std') throw new Error('a message to an address of an unknown kind');
  const after = lt > input.startLt ? lt : input.startLt;
  const account = book.get(accountOf(info.dest));
  return { account, cause: { message: bocOf(input.arena, cell) }, lt: after + 1n };
}

async function deliver(draft: BlockDraft, message: NewMessage, task: Task): Promise<void> {
  const { arena } = draft.input;
  const { cell, hash, info, metadata, transaction } = message;
  if (info.kind !== 'internal') throw new Error('only messages between accounts are delivered');
  draft.delivered(message.lt, hash);
  const made = await draft.maker.make(task);
  if (!('cell' in made)) throw new Error(`a message from an account was not delivered: ${made.text}`);
  draft.note(made, metadata && { ...metadata, depth: metadata.depth + 1 }, true);
  draft.burn(info);
  const envelope = buildMessageEnvelope(arena, {
    ...stations(ALL_BITS, ALL_BITS),
    fwdFeeRemaining: info.fwdFee,
    message: cell,
    emittedLt: undefined,
    metadata,
  });
  const inMessage = { kind: 'imm', envelope, transaction: made.cell, fwdFee: info.fwdFee } as const;
  draft.addIn(hash, inMessage);
  draft.addOut(hash, { kind: 'imm', envelope, transaction, reimport: buildInMsg(arena, inMessage) });
}

function enqueue(draft: BlockDraft, message: NewMessage): void {
  const { arena, shard } = draft.input;
  const { cell, hash, lt, info, metadata, transaction } = message;
  if (info.kind !== 'internal') throw new Error('only messages between accounts are queued');
  const source = placeOf(info.src);
  const destination = placeOf(info.dest);
  const route = routeFrom(shard, source, destination);
  const envelope = buildMessageEnvelope(arena, {
    ...stations(route.current, route.next),
    fwdFeeRemaining: info.fwdFee,
    message: cell,
    emittedLt: undefined,
    metadata,
  });
  const next = placeBetween(source, destination, route.next);
  draft.addOut(hash, { kind: 'new', envelope, transaction });
  draft.queue.put(outMsgQueueKey(next.workchain, next.prefix, hash), { enqueuedLt: lt, envelope });
}

function stations(current: number, next: number) {
  return {
    current: { kind: 'regular', destBits: current },
    next: { kind: 'regular', destBits: next },
  } as const;
}
