import { describe, expect, it } from 'vitest';
import { normalizedHash } from '../../../src/chain/tlb/message.ts';
import { readCompleteTraces, readSettledTraces } from '../../../src/index/read/stored-traces.ts';
import { createPendingIndex } from '../../../src/pending/pending-index.ts';
import { traceKey } from '../../../src/pending/pending-traces.ts';
import { hashOf, makeFilled, openFilledIndex } from '../../db/support/filled-index.ts';
import { usePlans } from '../../db/support/query-plan.ts';

const index = usePlans(openFilledIndex);
const FEW = { rows: 2500, small: /^(?:unclassified_traces|classification_ranges)/ };

/** The first transactions of complete traces. */
const ROOTS = makeFilled(1, 900).filter((_, at) => at % 3 === 0);
const UNKNOWN = Array.from({ length: 300 }, (_, i) => hashOf(`nobody ${i}`));
const inHex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex')).sort();

describe('complete traces', () => {
  it('are found by id, each by an index', async () => {
    const known = ROOTS.map(({ hash, mcSeqno }) => ({ traceId: hash, mcSeqnoStart: mcSeqno }));
    const likeKnown = known.map(({ traceId, mcSeqnoStart }) => ({
      traceId: Buffer.concat([traceId.subarray(0, 31), Buffer.of(traceId[31]! ^ 1)]),
      mcSeqnoStart,
    }));
    const unknown = UNKNOWN.map((traceId) => ({ traceId, mcSeqnoStart: 0 }));
    const traces = [...known, ...likeKnown, ...unknown];
    for (const read of [readCompleteTraces, readSettledTraces]) {
      const { result } = await index.expectFewRows((db) => read(db, { traces }), FEW);
      expect(inHex(result)).toEqual(inHex(known.map(({ traceId }) => traceId)));
    }
  });

  it('send no query without ids', async () => {
    for (const read of [readCompleteTraces, readSettledTraces])
      expect((await index.run<unknown>((db) => read(db, { traces: [] }))).plans).toEqual([]);
  });
});

describe('createPendingIndex', () => {
  it('finds traces from a seqno on by normalized hash, whether it differs from the hash or not', async () => {
    const pending = createPendingIndex(index.test.database);
    const named = ROOTS.map(({ mcSeqno, transaction }) => ({
      seqno: mcSeqno,
      hash: normalizedHash(transaction.inMessage!),
    }));
    for (const sinceSeqno of [0, named[150]!.seqno, 2 ** 31 - 1]) {
      const sought = [...named.map(({ hash }) => hash), ...UNKNOWN].map((normalizedHash) => ({
        normalizedHash,
        sinceSeqno,
      }));
      const expected = named.filter(({ seqno }) => seqno >= sinceSeqno).map(({ hash }) => traceKey(hash));
      expect(await pending.findIndexed(sought)).toEqual(new Set(expected));
    }
  });
});
