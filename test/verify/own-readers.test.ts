import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as written from '../../src/index/format/position.ts';
import { packTraceInfo } from '../../src/index/format/trace-info.ts';
import { accountPrefix, hashPrefix } from '../../src/verify/core-readers.ts';
import { readTraceInfo } from '../../src/verify/stored-format.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const account = fc
  .tuple(fc.oneof(fc.constantFrom(0, -1), fc.integer({ min: -128, max: 127 })), hash)
  .map(([workchain, bytes]) => Buffer.concat([Buffer.of(workchain & 0xff), bytes]));

const SEQNO = 1000;
const PAGES_PER_SEQNO = 2 ** 16;
const SLOTS = 2 ** 6;

/** A trace as a row of `traces`, and what is packed in it. */
const trace = fc
  .record({
    traceId: hash,
    edges: fc.nat(),
    lts: fc.bigInt({ min: -(2n ** 40n), max: 2n ** 62n }),
    seconds: fc.nat({ max: 2 ** 32 - 1 }),
    pageSeqno: fc.integer({ min: SEQNO - 30, max: SEQNO }),
    first: fc.nat({ max: PAGES_PER_SEQNO * SLOTS - 1 }),
    gaps: fc.array(fc.integer({ min: 1, max: 2 ** 40 }), { maxLength: 40 }),
    external: fc.option(fc.record({ hash: fc.option(hash), norm: fc.option(hash) }), { nil: undefined }),
  })
  .map(({ traceId, edges, lts, seconds, pageSeqno, first, gaps, external }) => {
    const positions = [pageSeqno * PAGES_PER_SEQNO * SLOTS + first];
    for (const gap of gaps) positions.push(positions.at(-1)! + gap);
    const end = { endLt: 2n ** 62n, endUtime: 2 ** 32 - 1, mcSeqnoStart: SEQNO };
    const info = {
      traceId,
      edges,
      startLt: end.endLt - lts,
      startUtime: end.endUtime - seconds,
      positions,
      external,
    };
    const row = {
      trace8: `${written.hashPrefix(traceId)}`,
      end_lt: `${end.endLt}`,
      end_utime: written.storedTime(end.endUtime),
      mc_seqno_start: SEQNO,
      mc_seqno_end: SEQNO,
      nodes: positions.length,
      info: packTraceInfo(end, info),
    };
    return { row, info };
  });

describe('the readers of verify agree with what the indexer writes', () => {
  it('prefixes of hashes and accounts', () => {
    fc.assert(
      fc.property(hash, account, (oneHash, oneAccount) => {
        expect(hashPrefix(oneHash)).toBe(written.hashPrefix(oneHash));
        expect(accountPrefix(oneAccount)).toBe(written.accountPrefix(oneAccount));
      }),
    );
  });

  it('packed traces', () => {
    fc.assert(
      fc.property(trace, ({ row, info }) => {
        expect(readTraceInfo(row)).toEqual({
          trace_id: info.traceId,
          edges: BigInt(info.edges),
          start_lt: info.startLt,
          start_utime: BigInt(info.startUtime),
          positions: info.positions,
          keeps_external: info.external !== undefined,
          external_hash: info.external?.hash ?? null,
          external_hash_norm: info.external?.norm ?? null,
        });
      }),
    );
  });

  it('packed traces with bytes too few or too many are damaged', () => {
    fc.assert(
      fc.property(trace, ({ row }) => {
        expect(() => readTraceInfo({ ...row, info: row.info.subarray(0, -1) })).toThrow();
        expect(() => readTraceInfo({ ...row, info: Buffer.concat([row.info, Buffer.of(1)]) })).toThrow();
        expect(() => readTraceInfo({ ...row, nodes: row.nodes + 70 })).toThrow();
      }),
    );
  });
});
