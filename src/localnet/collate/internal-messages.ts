import { writeCellBoc } from '../../chain/boc/writer.ts';
import { compareByLt } from '../../chain/logical-time.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { InternalInfo } from '../../chain/tlb/message.ts';
import { accountOf } from '../../chain/tlb/msg-address.ts';
import { buildInMsg, buildMessageEnvelope, type MessageMetadata } from '../../chain/tlb/msg-descr.ts';
import { outMsgQueueKey } from '../../chain/tlb/queues.ts';
import type { BlockDraft } from './block-draft.ts';
import { messagesFor, openQueued, type QueuedMessage } from './out-queue.ts';
import { isProcessed } from './processed-upto.ts';
import { holds, placeBetween, placeOf, routeFrom } from './routing.ts';
import type { NewMessage, TransactionTask } from './transactions.ts';

/** Messages that are run ahead together. */
const BATCH = 32;

/** Imports messages for this shard from its neighbours' queues, in message order, while there is room. */
export async function importMessages(draft: BlockDraft): Promise<void> {
  const { arena, neighbours, before, endLtAt, shard } = draft.input;
  const waiting = neighbours.flatMap(({ queue }) => messagesFor(arena, queue, shard)).sort(compareByLt);
  for (let from = 0; from < waiting.length; from += BATCH) {
    const batch = waiting.slice(from, from + BATCH).map((entry) => {
      const message = openQueued(arena, entry);
      const isDone = isProcessed(before.processed, message, endLtAt);
      return { message, task: isDone ? undefined : queuedTask(draft, message) };
    });
    await draft.maker.prepare(batch.flatMap(({ task }) => task ?? []));
    for (const { message, task } of batch) {
      if (!draft.load.fitsInternal) return;
      // A message delivered by an earlier block counts for the order too.
      draft.delivered(message.lt, message.hash);
      if (task !== undefined) await deliverQueued(draft, message, task);
    }
  }
  draft.allImported = true;
}

function queuedTask(draft: BlockDraft, { opened, info, destination }: QueuedMessage): TransactionTask {
  const { arena, shard, startLt } = draft.input;
  if (info.dest.kind !== 'std' || !holds(shard, destination))
    throw new Error('a message that is not for an account of this shard');
  const account = draft.accounts.get(accountOf(info.dest));
  return { account, cause: { message: writeCellBoc(arena, opened.message) }, lt: startLt + 1n };
}

async function deliverQueued(
  draft: BlockDraft,
  message: QueuedMessage,
  task: TransactionTask,
): Promise<void> {
  const { arena, shard } = draft.input;
  const { envelope, hash } = message;
  const { metadata, fwdFeeRemaining: fwdFee } = message.opened;
  const transaction = await deliver(draft, message.info, metadata, task);
  const inMessage = { kind: 'fin', envelope, transaction, fwdFee } as const;
  draft.addIn(hash, inMessage);
  if (holds(shard, message.current)) {
    draft.addOut(hash, { kind: 'deq_imm', envelope, reimport: buildInMsg(arena, inMessage) });
    draft.queue.remove(message.key);
  }
}

/** Makes the transaction of a message between accounts; returns its cell. */
async function deliver(
  draft: BlockDraft,
  info: InternalInfo,
  metadata: MessageMetadata | undefined,
  task: TransactionTask,
): Promise<number> {
  const made = await draft.maker.make(task);
  if (!('cell' in made)) throw new Error(`a message from an account was not delivered: ${made.text}`);
  draft.note(made, metadata && { ...metadata, depth: metadata.depth + 1 }, true);
  draft.burn(info);
  return made.cell;
}

const ALL_BITS = 96;

/**
 * Finds a place for every message that the block's transactions sent: those to accounts of this shard are delivered
 * at once while there is room, others go into the queue or, to the outside, into the block alone.
 */
export async function processNewMessages(draft: BlockDraft): Promise<void> {
  const tasks = new Map<string, TransactionTask>();
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
      await deliverNewMessage(draft, message, tasks.get(name)!);
    }
  }
}

/** Runs the next messages ahead, assuming that no new one has to be delivered before them. */
async function runAhead(
  draft: BlockDraft,
  first: NewMessage,
  tasks: Map<string, TransactionTask>,
): Promise<void> {
  const added: TransactionTask[] = [];
  for (const message of [first, ...draft.fresh.next(BATCH)]) {
    const name = message.hash.toString('latin1');
    if (tasks.has(name) || !isOurs(draft, message)) continue;
    const task = newMessageTask(draft, message);
    tasks.set(name, task);
    added.push(task);
  }
  await draft.maker.prepare(added);
}

function isOurs({ input }: BlockDraft, { info }: NewMessage): boolean {
  return info.kind === 'internal' && holds(input.shard, placeOf(info.dest));
}

function newMessageTask(
  { input, accounts: book }: BlockDraft,
  { cell, lt, info }: NewMessage,
): TransactionTask {
  if (info.dest.kind !== 'std') throw new Error('a message to an address of an unknown kind');
  const after = lt > input.startLt ? lt : input.startLt;
  const account = book.get(accountOf(info.dest));
  return { account, cause: { message: writeCellBoc(input.arena, cell) }, lt: after + 1n };
}

async function deliverNewMessage(
  draft: BlockDraft,
  message: NewMessage,
  task: TransactionTask,
): Promise<void> {
  const { hash, info, metadata, transaction } = message;
  if (info.kind !== 'internal') throw new Error('only messages between accounts are delivered');
  draft.delivered(message.lt, hash);
  const delivered = await deliver(draft, info, metadata, task);
  const { envelope, inMsg } = addImmediate(draft, { ...message, fwdFee: info.fwdFee }, delivered);
  draft.addOut(hash, { kind: 'imm', envelope, transaction, reimport: inMsg });
}

/** A message to put into an envelope. */
interface EnvelopeContent extends Pick<NewMessage, 'cell' | 'metadata'> {
  readonly fwdFee: bigint;
}

/** Adds a message that was not in a queue and the transaction it led to; returns the cells of envelope and InMsg. */
export function addImmediate(
  draft: BlockDraft,
  message: EnvelopeContent & { readonly hash: Buffer },
  transaction: number,
) {
  const { arena } = draft.input;
  const envelope = buildEnvelope(arena, message, { current: ALL_BITS, next: ALL_BITS });
  const inMessage = { kind: 'imm', envelope, transaction, fwdFee: message.fwdFee } as const;
  draft.addIn(message.hash, inMessage);
  return { envelope, inMsg: buildInMsg(arena, inMessage) };
}

function enqueue(draft: BlockDraft, message: NewMessage): void {
  const { arena, shard } = draft.input;
  const { hash, lt, info, transaction } = message;
  if (info.kind !== 'internal') throw new Error('only messages between accounts are queued');
  const source = placeOf(info.src);
  const destination = placeOf(info.dest);
  const route = routeFrom(shard, source, destination);
  const envelope = buildEnvelope(arena, { ...message, fwdFee: info.fwdFee }, route);
  const next = placeBetween(source, destination, route.next);
  draft.addOut(hash, { kind: 'new', envelope, transaction });
  draft.queue.put(outMsgQueueKey(next.workchain, next.prefix, hash), { enqueuedLt: lt, envelope });
}

function buildEnvelope(
  arena: BuildingArena,
  { cell: message, metadata, fwdFee: fwdFeeRemaining }: EnvelopeContent,
  route: ReturnType<typeof routeFrom>,
): number {
  const current = { kind: 'regular', destBits: route.current } as const;
  const next = { kind: 'regular', destBits: route.next } as const;
  return buildMessageEnvelope(arena, {
    current,
    next,
    fwdFeeRemaining,
    message,
    emittedLt: undefined,
    metadata,
  });
}

const DEQUEUED_BYTES = 300;

/**
 * Takes out of the queue what the neighbours have taken in: each takes messages in their order, so the first that a
 * neighbour does not have ends the search.
 */
export function cleanOutQueue(draft: BlockDraft): void {
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
