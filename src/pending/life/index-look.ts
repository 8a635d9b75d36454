import type { Database } from '../../db/connection.ts';
import { readSettledTraces } from '../../db/queries/settled-traces.ts';
import { traceKey } from '../store/trace-store.ts';
import type { PendingIndex } from './pending-ports.ts';

const TRACES_A_QUERY = 500;

/** Looks into the index that this process reads, whoever fills it. Throws when the database does not answer. */
export function createIndexLook(database: Pick<Database, 'read'>): PendingIndex {
  return {
    async settled(traces) {
      const found = new Set<string>();
      for (let at = 0; at < traces.length; at += TRACES_A_QUERY) {
        const some = traces.slice(at, at + TRACES_A_QUERY);
        const hashes = some.map(({ normalizedHash }) => normalizedHash);
        const seqnos = some.map(({ sinceSeqno }) => sinceSeqno);
        for (const hash of await database.read((db) => readSettledTraces(db, { hashes, seqnos })))
          found.add(traceKey(hash));
      }
      return found;
    },
  };
}
