import type { Kysely } from 'kysely';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { readStoredTransactions, type StoredMessage } from '../../support/stored-transactions.ts';
import type { ListQuery } from './list-queries.ts';
import {
  isReferenceTransaction,
  listReferenceTransactions,
  type SlowTransaction,
  slowTransaction,
} from './reference-transactions.ts';

/** A message as one of its transactions has it. */
export interface MessageSide {
  readonly message: StoredMessage;
  readonly isReceived: boolean;
  readonly source: string;
  readonly destination: string;
  readonly transaction: SlowTransaction;
}

/** Reads all messages of an index, once for each of their transactions. */
export async function readMessageSides(db: Kysely<Tables>): Promise<MessageSide[]> {
  const accountOf = (account: Buffer | undefined) => (account ? formatAccount(account) : 'null');
  return (await readStoredTransactions(db)).flatMap((one) => {
    const transaction = slowTransaction(one);
    const sideOf = (message: StoredMessage, isReceived: boolean) => ({
      message,
      isReceived,
      source: accountOf(message.source),
      destination: accountOf(message.destination),
      transaction,
    });
    const received = one.inMessage ? [sideOf(one.inMessage, true)] : [];
    return [...received, ...one.outMessages.map((message) => sideOf(message, false))];
  });
}

const b64 = (hash: Buffer) => hash.toString('base64');

type Test = (message: MessageSide, values: readonly string[]) => boolean;

const TESTS: Readonly<Record<string, Test>> = {
  msg_hash: ({ message: { hash, normalizedHash } }, values) =>
    values.includes(b64(hash)) || (normalizedHash !== undefined && values.includes(b64(normalizedHash))),
  body_hash: ({ message }, [value]) => b64(message.bodyHash) === value,
  opcode: ({ message }, [value]) => message.opcode === Number(value),
  direction: ({ isReceived }, [value]) => isReceived === (value === 'in'),
  source: ({ source }, [value]) => source === value,
  destination: ({ destination }, [value]) => destination === value,
};

/** Filters that leave few transactions, which are ordered as without filters on messages. */
const FEW = ['msg_hash', 'hash', 'lt', 'seqno', 'mc_seqno'];

/** The hashes of the transactions with such messages, each at the position of its first one. */
export function listReferenceByMessage(all: readonly MessageSide[], query: ListQuery): string[] {
  const way = query.sort === 'asc' ? 1 : -1;
  const fitting = all.filter(
    (side) =>
      isReferenceTransaction(side.transaction, query) &&
      Object.entries(query).every(([name, value]) => TESTS[name]?.(side, [value].flat()) ?? true),
  );
  if (FEW.some((name) => name in query))
    return listReferenceTransactions([...new Set(fitting.map(({ transaction }) => transaction))], query);
  const sorted = fitting.toSorted(
    (a, b) =>
      way *
      (Number(a.message.lt - b.message.lt) ||
        (a.transaction.account === b.transaction.account
          ? Number(a.transaction.lt - b.transaction.lt)
          : a.transaction.account < b.transaction.account
            ? -1
            : 1)),
  );
  return [...new Set(sorted.map(({ transaction }) => transaction.hash))];
}
