import type { Database } from '../db/connection.ts';
import { readSettledTraces } from '../db/queries/pending-traces.ts';
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
        const hashes = some.map(({ normalizedHash }) => normalizedHash);
        const seqnos = some.map(({ sinceSeqno }) => sinceSeqno);
        for (const hash of await database.read((db) => readSettledTraces(db, { hashes, seqnos })))
          found.add(traceKey(hash));
      }
      return found;
    },
  };
}
