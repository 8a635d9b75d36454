import { normalizedHash } from '../chain/tlb/message.ts';
import { accountsOfTransaction, type PlacedTransaction } from '../chain/tlb/placed-transaction.ts';
import type { ActionRow } from '../index/action-row.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { byEndDescending, createActionWriter } from '../v3/action-json.ts';
import { type ActionJson, actionSchema } from '../v3/action-schemas.ts';
import { compileReadyText } from '../v3/envelope.ts';
import type { V3Ports } from '../v3/operation.ts';
import { buildTraceTree, linkOf, writeTraceTree } from '../v3/trace-json.ts';
import { type TransactionJson, transactionSchema } from '../v3/transaction-json.ts';
import { formatHash } from '../v3/values.ts';
import {
  type ActionItem,
  actionsEvent,
  type EventHead,
  type StreamEvent,
  type TraceName,
  type TransactionItem,
  traceEvent,
  transactionsEvent,
} from './events.ts';

// Events of traces, be they indexed or pending: what is read of a trace becomes items here, and items become events.

const writeTransaction = compileReadyText(transactionSchema);
const writeAction = compileReadyText(actionSchema);

type ActionWriter = ReturnType<typeof createActionWriter>;

/** An event that lacks its address book. */
export interface EventDraft {
  /** Accounts for the address book. */
  readonly accounts: readonly Buffer[];
  readonly make: (head: EventHead) => StreamEvent;
}

export interface WrittenTransaction {
  readonly placed: PlacedTransaction;
  readonly json: TransactionJson;
}

/** The name of a trace, from its first transaction. */
export function nameOfTrace({ transaction: { inMessage }, traceId }: PlacedTransaction): TraceName {
  const isSystem = inMessage?.info.kind !== 'external-in';
  return traceNameOf(isSystem ? traceId : normalizedHash(inMessage!), isSystem);
}

/** The name of a trace, by the normalized hash of the message that started it. */
export function traceNameOf(hash: Buffer, isSystem = false): TraceName {
  return { key: bytesKey(hash), text: formatHash(hash), isSystem };
}

function toTransactionItem({ placed: { account, transaction }, json }: WrittenTransaction): TransactionItem {
  return {
    key: bytesKey(account),
    json: writeTransaction(json).json,
    accounts: [account, ...accountsOfTransaction(transaction)],
    bodyHash: () => transaction.inMessage && bytesKey(transaction.inMessage.bodyHash),
  };
}

export function draftTransactions(name: TraceName, transactions: readonly WrittenTransaction[]): EventDraft {
  const items = transactions.toSorted((a, b) => compareLt(b.placed, a.placed)).map(toTransactionItem);
  return {
    accounts: items.flatMap(({ accounts }) => accounts),
    make: (head) => transactionsEvent(head, name, items),
  };
}

export interface WrittenAction {
  readonly row: ActionRow;
  readonly item: ActionItem;
}

/** Writes actions for events; `write` adds to the JSON of each. */
export function writeActions(
  ports: V3Ports,
  rows: readonly ActionRow[],
  write: (writer: ActionWriter, row: ActionRow) => ActionJson,
): WrittenAction[] {
  return rows.map((row) => {
    const writer = createActionWriter({ ports });
    const { json } = writeAction(write(writer, row));
    const item = {
      type: row.type,
      ancestors: row.ancestor_type,
      keys: row.accounts.map(bytesKey),
      json,
      accounts: [...row.accounts, ...writer.accounts],
    };
    return { row, item };
  });
}

export function draftActions(name: TraceName, actions: readonly WrittenAction[]): EventDraft {
  const items = actions.toSorted((a, b) => byEndDescending(a.row, b.row)).map(({ item }) => item);
  return {
    accounts: items.flatMap(({ accounts }) => accounts),
    make: (head) => actionsEvent(head, name, items),
  };
}

/** The event of a whole trace; undefined without transactions. They are shown with the hash of its message. */
export function draftTrace(
  name: TraceName,
  {
    transactions,
    externalHash,
    actions,
  }: {
    readonly transactions: readonly WrittenTransaction[];
    readonly externalHash: Buffer | undefined;
    readonly actions: readonly ActionItem[];
  },
): EventDraft | undefined {
  const ordered = transactions.map(({ placed }) => placed).toSorted(compareLt);
  const { root } = buildTraceTree(ordered.map(linkOf));
  if (root === undefined) return undefined;
  const ofMessage = externalHash && { trace_external_hash: formatHash(externalHash) };
  const items = new Map(
    transactions.map(({ placed, json }) => [
      formatHash(placed.transaction.hash),
      toTransactionItem({ placed, json: { ...json, ...ofMessage } }),
    ]),
  );
  const content = { tree: writeTraceTree(root), transactions: items, actions };
  return {
    accounts: [...items.values(), ...actions].flatMap(({ accounts }) => accounts),
    make: (head) => traceEvent(head, name, content),
  };
}

/** Those of one logical time stay in the order of their trace. */
function compareLt(a: PlacedTransaction, b: PlacedTransaction): number {
  const [ofA, ofB] = [a.transaction.lt, b.transaction.lt];
  return ofA === ofB ? 0 : ofA < ofB ? -1 : 1;
}
