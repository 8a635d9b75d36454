import { createProtocolDecoder } from '../actions/layouts.ts';
import type { PlacedTransaction } from '../chain/tlb/placed-transaction.ts';
import type { Database } from '../db/connection.ts';
import type { Db } from '../db/tables/tables.ts';
import { bytesKey, bytesOf, distinctBytes, type HashKey } from '../lib/bytes-key.ts';
import type { PendingChange, PendingTrace, WatchedPending } from '../pending/pending-traces.ts';
import { byEndDescending, toUnindexedAction } from '../v3/action-json.ts';
import { createDecodedBodies } from '../v3/decoded-bodies.ts';
import { readPending, toPendingTransaction, traceIdOf } from '../v3/pending.ts';
import { type AddressInfoOptions, loadAddressInfo } from './address-info.ts';
import type { StreamEvent } from './events.ts';
import type { Interest } from './load-events.ts';
import type { InvalidationReason } from './receiver.ts';
import { interestOf } from './subscribers.ts';
import { type Finality, leastFinality, type Subscription } from './subscription.ts';
import { draftActions, draftTrace, draftTransactions, traceNameOf, writeActions } from './trace-events.ts';

/** Events of traces that are not complete in the index. */
export type PendingEvents = ReturnType<typeof watchPending>;

interface PendingEventsOptions extends AddressInfoOptions {
  readonly pending: WatchedPending;
  readonly database: Pick<Database, 'read'>;
  /** The interest in a trace. */
  readonly interest: (trace: PendingTrace) => Interest | undefined | Promise<Interest | undefined>;
  readonly onEvents: (events: readonly StreamEvent[]) => void;
  readonly onInvalidated: (key: HashKey, reason: InvalidationReason) => void;
}

/** Traces whose end is remembered. */
const MAX_FINAL = 20_000;
/** Changes that may wait: more come only if the database does not respond. */
const MAX_WAITING = 1000;

/** Watches pending traces, and hands out events of those that somebody wants, in the order of the changes. */
export function watchPending(options: PendingEventsOptions) {
  const { pending, database, ports, interest, onEvents, onInvalidated, log } = options;
  const decoder = createProtocolDecoder();
  const final = new Set<HashKey>();
  let chain = Promise.resolve();
  let waiting = 0;

  function take(change: PendingChange): void {
    if (waiting >= MAX_WAITING) return;
    waiting += 1;
    chain = chain
      .then(() => handle(change))
      .catch((error: unknown) => log.warn({ err: error }, 'Failed to stream a pending trace'))
      .finally(() => {
        waiting -= 1;
      });
  }

  async function handle(change: PendingChange): Promise<void> {
    const key = bytesKey(change.normalizedHash);
    if (change.kind === 'ended') {
      if (change.reason !== 'indexed') onInvalidated(key, change.reason);
      return;
    }
    // The message may have been sent again to a chain that went back.
    if (change.trace.transactions[0]!.emulated && change.isFirst) final.delete(key);
    if (final.has(key)) return;
    const wanted = await interest(change.trace);
    if (wanted === undefined || final.has(key) || !isWanted(change.trace, key, wanted)) return;
    const events = await database.read((db) => toEvents(db, change.trace, wanted));
    if (!final.has(key)) onEvents(events);
  }

  /** Complete traces come from the index. */
  async function toEvents(db: Db, trace: PendingTrace, wanted: Interest): Promise<StreamEvent[]> {
    if (trace.finality === 'finalized') return [];
    const bodies = createDecodedBodies(decoder);
    const name = traceNameOf(trace.normalizedHash);
    const transactions = trace.transactions.map((transaction) => {
      const placed = readPending({ ports }, trace, transaction);
      // Only transactions in `trace` events show the hash of the message.
      const { trace_external_hash, ...json } = toPendingTransaction({ bodies }, trace, transaction, placed);
      return { placed, json, finality: transaction.finality };
    });
    const about = { ...trace, traceId: traceIdOf(trace) };
    const rows = trace.classification.actions.toSorted(byEndDescending);
    const actions = writeActions(ports, rows, (writer, row) => toUnindexedAction(writer, about, row));
    const settled = finalityOfEffect(transactions);
    const drafts = [
      { finality: trace.finality, draft: draftTransactions(name, transactions) },
      { finality: settled, draft: draftActions(name, actions) },
      {
        finality: settled,
        draft: draftTrace(name, {
          transactions,
          externalHash: trace.externalHash,
          actions: actions.map(({ item }) => item),
        }),
      },
    ];
    const accounts = drafts.flatMap(({ draft }) => draft?.accounts ?? []);
    const info = await loadAddressInfo(db, distinctBytes(accounts), {
      ...options,
      addressBook: wanted.includeAddressBook,
      metadata: wanted.includeMetadata,
    });
    return drafts.flatMap(({ finality, draft }) => draft?.make({ finality, at: undefined, info }) ?? []);
  }

  const unwatch = pending.watch(take);
  return {
    /** The traces of a subscription as they are now. */
    async current(subscription: Subscription): Promise<StreamEvent[]> {
      const { addresses, traceKeys, minFinality } = subscription;
      if (minFinality === 'finalized') return [];
      const matches = [
        ...(addresses.size === 0 ? [] : await pending.find({ accounts: [...addresses].map(bytesOf) })),
        ...(traceKeys.size === 0 ? [] : await pending.find({ messages: [...traceKeys].map(bytesOf) })),
      ];
      const traces = new Map(matches.map((trace) => [bytesKey(trace.normalizedHash), trace]));
      const wanted = interestOf(subscription);
      const events: StreamEvent[] = [];
      for (const [key, trace] of traces)
        if (!final.has(key)) events.push(...(await database.read((db) => toEvents(db, trace, wanted))));
      return events;
    },
    /** The normalized hashes of messages that are known by another hash. */
    async resolve(keys: readonly HashKey[]): Promise<ReadonlyMap<HashKey, HashKey>> {
      const matches = keys.length === 0 ? [] : await pending.find({ messages: keys.map(bytesOf) });
      return new Map(matches.map((trace) => [bytesKey(trace.externalHash), bytesKey(trace.normalizedHash)]));
    },
    /** A trace was sent as finalized: what is still on its way about it is out of date. */
    noteFinal(key: HashKey): void {
      final.add(key);
      if (final.size > MAX_FINAL) final.delete(final.values().next().value!);
    },
    close: unwatch,
  };
}

function isWanted(trace: PendingTrace, key: HashKey, wanted: Interest): boolean {
  if (wanted.wantsTrace(key) || wanted.awaitsTrace(key)) return true;
  const { transactions, classification } = trace;
  return (
    transactions.some(({ account }) => wanted.wantsAccount(accountName(account))) ||
    classification.actions.some((row) => row.accounts.some((one) => wanted.wantsAccount(bytesKey(one))))
  );
}

function accountName({ workchain, hash }: { readonly workchain: number; readonly hash: Buffer }): HashKey {
  return String.fromCharCode(workchain & 0xff) + bytesKey(hash);
}

/** Notifications of jettons and NFTs, and excesses: what happened does not depend on them. */
const HARMLESS: ReadonlySet<number> = new Set([0x7362d09c, 0x05138d91, 0xd53276db]);

/** The finality of what a trace does: that of its least certain transaction, apart from harmless last ones. */
function finalityOfEffect(
  transactions: readonly { readonly placed: PlacedTransaction; readonly finality: Finality }[],
): Finality {
  const isHarmless = ({ placed: { transaction } }: { readonly placed: PlacedTransaction }) =>
    transaction.outMessages.length === 0 &&
    transaction.inMessage?.opcode !== undefined &&
    HARMLESS.has(transaction.inMessage.opcode >>> 0);
  const counted = transactions.filter((one) => !isHarmless(one));
  return leastFinality(counted.map(({ finality }) => finality));
}
