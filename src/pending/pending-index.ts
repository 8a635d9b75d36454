import type { Kysely } from 'kysely';
import { normalizedHash } from '../chain/tlb/message.ts';
import type { Database } from '../db/connection.ts';
import type { Tables } from '../db/tables/tables.ts';
import { openPage } from '../index/format/page.ts';
import { pageOf, slotOf } from '../index/format/position.ts';
import { readSettledTraces } from '../index/read/pending-traces.ts';
import { locateByMessage } from '../index/read/transaction-positions.ts';
import { readPages } from '../index/read/tx-pages.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { traceKey } from './pending-traces.ts';

/** A trace that the index may have. */
interface SoughtTrace {
  readonly normalizedHash: Buffer;
  /** A trace that began in an earlier masterchain block is another one. */
  readonly sinceSeqno: number;
}

/** What pending messages need of the index. */
export interface PendingIndex {
  /** The keys of those traces that the index has complete and classified. */
  findIndexed(traces: readonly SoughtTrace[]): Promise<ReadonlySet<string>>;
}

const TRACES_PER_QUERY = 500;

/** Reads the index, whichever process fills it. Throws when the database does not respond. */
export function createPendingIndex(database: Pick<Database, 'read'>): PendingIndex {
  return {
    async findIndexed(traces) {
      const found = new Set<string>();
      for (let at = 0; at < traces.length; at += TRACES_PER_QUERY) {
        const some = traces.slice(at, at + TRACES_PER_QUERY);
        for (const hash of await database.read((db) => findSettled(db, some))) found.add(traceKey(hash));
      }
      return found;
    },
  };
}

/** The normalized hashes of the messages whose trace is complete and classified. */
async function findSettled(db: Kysely<Tables>, sought: readonly SoughtTrace[]): Promise<Buffer[]> {
  const roots = await readRoots(db, sought);
  const settled = await readSettledTraces(db, { traces: roots });
  const isSettled = new Set(settled.map(bytesKey));
  return roots.filter(({ traceId }) => isSettled.has(bytesKey(traceId))).map((root) => root.normalizedHash);
}

/** A transaction that received a message which traces begin with; its hash is the id of its trace. */
interface Root {
  readonly traceId: Buffer;
  readonly mcSeqnoStart: number;
  readonly normalizedHash: Buffer;
}

/** Reads the first transactions of traces. Rows of the index hold prefixes of hashes, so each transaction is checked. */
async function readRoots(db: Kysely<Tables>, sought: readonly SoughtTrace[]): Promise<Root[]> {
  const since = new Map(sought.map((one) => [bytesKey(one.normalizedHash), one.sinceSeqno]));
  const { positions } = await locateByMessage(db, {
    hashes: sought.map((one) => one.normalizedHash),
    sinceSeqno: Math.min(...since.values()),
  });
  const stored = await readPages(db, { pages: [...new Set(positions.map(pageOf))] });
  const pages = new Map(stored.map(({ page, body }) => [page, openPage(page, body)]));
  return positions.flatMap((at) => {
    const page = pages.get(pageOf(at));
    const transaction = page?.transaction(slotOf(at));
    if (page === undefined || transaction?.inMessage === undefined) return [];
    const { mcSeqno } = page.place(slotOf(at));
    const hash = normalizedHash(transaction.inMessage);
    const isSought = mcSeqno >= (since.get(bytesKey(hash)) ?? Number.POSITIVE_INFINITY);
    return isSought ? [{ traceId: transaction.hash, mcSeqnoStart: mcSeqno, normalizedHash: hash }] : [];
  });
}
