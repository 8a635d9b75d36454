import { normalizedHash } from '../chain/tlb/message.ts';
import type { Database } from '../db/connection.ts';
import type { Db } from '../db/tables/tables.ts';
import { readSettledTraces } from '../index/read/stored-traces.ts';
import { TransactionReader } from '../index/read/transaction-reader.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { traceKey } from './pending-traces.ts';

interface SoughtTrace {
  readonly normalizedHash: Buffer;
  /** A trace that began in an earlier masterchain block is another one. */
  readonly sinceSeqno: number;
}

/** The index, as pending messages use it. */
export interface PendingIndex {
  /** The keys of those traces that the index has complete and classified. */
  findIndexed(traces: readonly SoughtTrace[]): Promise<ReadonlySet<string>>;
}

const TRACES_PER_QUERY = 500;

/** Reads the index, whichever process fills it. Throws when the database does not respond. */
export function createPendingIndex(database: Pick<Database, 'read'>): PendingIndex {
  return {
    async findIndexed(traces) {
      const indexed = new Set<string>();
      for (let at = 0; at < traces.length; at += TRACES_PER_QUERY) {
        const some = traces.slice(at, at + TRACES_PER_QUERY);
        for (const hash of await database.read((db) => findSettled(db, some))) indexed.add(traceKey(hash));
      }
      return indexed;
    },
  };
}

/** The normalized hashes of the messages whose trace is complete and classified. */
async function findSettled(db: Db, sought: readonly SoughtTrace[]): Promise<Buffer[]> {
  const roots = await readRoots(db, sought);
  const settled = await readSettledTraces(db, { traces: roots });
  const isSettled = new Set(settled.map(bytesKey));
  return roots.filter(({ traceId }) => isSettled.has(bytesKey(traceId))).map((root) => root.normalizedHash);
}

/** The transactions that received a message which traces begin with; their hashes are the ids of the traces. */
async function readRoots(db: Db, sought: readonly SoughtTrace[]) {
  const since = new Map(sought.map((one) => [bytesKey(one.normalizedHash), one.sinceSeqno]));
  const hashes = sought.map((one) => one.normalizedHash);
  const transactions = await new TransactionReader(db).readByMessage(hashes, Math.min(...since.values()));
  return transactions.flatMap(({ hash: traceId, mcSeqno, transaction: { inMessage } }) => {
    if (inMessage === undefined) return [];
    const hash = normalizedHash(inMessage);
    const isSought = mcSeqno >= (since.get(bytesKey(hash)) ?? Number.POSITIVE_INFINITY);
    return isSought ? [{ traceId, mcSeqnoStart: mcSeqno, normalizedHash: hash }] : [];
  });
}
