import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DecodedSeqno } from '../../../src/index/write/decoded-seqno.ts';
import type { AccountUpdate } from '../../../src/index/write/write-accounts.ts';
import { createWriter } from '../../../src/index/write/writer.ts';
import { decodeSeqno } from '../../../src/ingest/decode/decode-seqno.ts';
import type { FetchedSeqno } from '../../../src/ingest/fetch/fetch-seqnos.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import { fetchAll, fetchContext } from '../../ingest/fetch/fetch-all.ts';
import { beginIndex, putChunk, rowsOf } from '../../ingest/support/index-tables.ts';
import { type LogicalIndex, logicalIndex } from '../../ingest/support/logical-index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { isLongRun } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { openReplayApp } from '../../v2/support/v2-app.ts';

const HEAD = 125;
const CHUNK = 10;

describe.skipIf(missingNetwork !== '')(`the recorded network${missingNetwork}`, () => {
  let context: TestDatabase;
  let fetched: FetchedSeqno[];
  beforeAll(async () => {
    const replay = await openReplayApp();
    try {
      fetched = await fetchAll(fetchContext(replay), { from: 1, to: HEAD });
    } finally {
      await replay.close();
    }
    context = await createTestDatabase();
  });
  afterAll(() => context?.drop());

  /** Writes chunks with concurrent writers and returns the content of the tables. */
  async function index(options: { firsts: number[]; size: number; writers: number }): Promise<LogicalIndex> {
    const { firsts, size, writers } = options;
    const db = context.database.primary;
    await beginIndex(db, 1, 50);
    const open = Array.from({ length: writers }, () =>
      createWriter({ url: context.url, log: createQuietLog(), metadata: createChainMetadataReader() }),
    );
    const left = [...firsts];
    await Promise.all(
      open.map(async (writer) => {
        for (let first = left.shift(); first !== undefined; first = left.shift()) {
          const last = Math.min(HEAD, first + size - 1);
          const claim = await putChunk(db, first, last);
          for (let next = first; next <= last; next += 3) {
            const seqnos = fetched.slice(next - 1, Math.min(last, next + 2)).map(decodeSeqno);
            await writer.write(claim, { seqnos, latest: latestOf(seqnos), earlier: [] });
          }
        }
        await writer.close();
      }),
    );
    const others = ['blocks', 'shard_states', 'contract_codes', 'latest_account_states'];
    return {
      ...(await logicalIndex(db, others)),
      chunks: await rowsOf(db, 'select sum(done_seqno - first_seqno + 1) as seqnos from index_chunks'),
    };
  }

  it.runIf(isLongRun)('is written with the same rows in any order of chunks', async () => {
    const inOrder = await index({ firsts: [1], size: HEAD, writers: 1 });
    expect(inOrder.transactions).toHaveLength(898);
    expect(inOrder.chunks).toEqual([{ seqnos: String(HEAD) }]);
    expect(inOrder.open_traces!.filter(({ broken }) => broken)).toEqual([]);
    expect(inOrder.orphan_messages).toEqual([]);
    const nodes = [...inOrder.traces!, ...inOrder.open_traces!].reduce(
      (sum, row) => sum + Number(row.nodes),
      0,
    );
    expect(nodes).toBe(898);
    const repeated = Map.groupBy(
      inOrder.traces!.filter((row) => row.externalHash !== undefined),
      (row) => row.externalHash,
    );
    expect(Math.max(...[...repeated.values()].map((rows) => rows.length))).toBe(3);

    const firsts = Array.from({ length: Math.ceil(HEAD / CHUNK) }, (_, at) => 1 + at * CHUNK).reverse();
    for (const writers of [1, 3]) expect(await index({ firsts, size: CHUNK, writers })).toEqual(inOrder);
  });
});

/** Data of states with pruned cells is omitted. */
function latestOf(seqnos: readonly DecodedSeqno[]): AccountUpdate[] {
  const latest = new Map<string, AccountUpdate>();
  for (const { accounts } of seqnos)
    for (const change of accounts)
      latest.set(change.account.toString('hex'), {
        change,
        data: change.dataIsWhole ? change.data : undefined,
        isMissing: false,
      });
  return [...latest.values()];
}
