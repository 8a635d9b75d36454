import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { Claim } from '../../../src/index/chunks.ts';
import { createWriter, type Writer } from '../../../src/index/write/writer.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { beginIndex } from './index-tables.ts';
import { type ToyTransaction, toySeqno } from './toy-chain.ts';

/** Opens a database for the indexes of toy chains in the tests of a file, with a client and some writers. */
export function useToyIndex({ writers: count = 1 } = {}) {
  let context: TestDatabase | undefined;
  let client: pg.Client | undefined;
  const writers: Writer[] = [];
  beforeAll(async () => {
    context = await createTestDatabase();
    const { url } = context;
    client = new pg.Client({ connectionString: url });
    await client.connect();
    for (let at = 0; at < count; at++)
      writers.push(createWriter({ url, log: createQuietLog(), metadata: createChainMetadataReader() }));
  });
  afterAll(async () => {
    for (const writer of writers) await writer.close();
    await client?.end();
    await context?.drop();
  });
  return {
    get url() {
      return context!.url;
    },
    get db() {
      return context!.database.primary;
    },
    get client() {
      return client!;
    },
    writers,
    /** Starts an empty index whose partitions have this many seqnos. */
    async begin(width: number): Promise<void> {
      await beginIndex(context!.database.primary, 1, width);
      for (const writer of writers) writer.reset();
    },
  };
}

/** Writes what is left of a chunk in batches of these sizes, one after the other and from the first again. */
export async function writeChunk(
  writer: Writer,
  claim: Claim & { readonly lastSeqno: number },
  transactions: readonly ToyTransaction[],
  batches: readonly number[],
): Promise<void> {
  const bySeqno = Map.groupBy(transactions, ({ mcSeqno }) => mcSeqno);
  for (let next = claim.doneSeqno + 1, turn = 0; next <= claim.lastSeqno; turn++) {
    const end = Math.min(claim.lastSeqno, next + batches[turn % batches.length]! - 1);
    const seqnos = Array.from({ length: end - next + 1 }, (_, at) =>
      toySeqno(next + at, bySeqno.get(next + at) ?? []),
    );
    await writer.write(claim, { seqnos, latest: [], earlier: [] });
    next = end + 1;
  }
}
