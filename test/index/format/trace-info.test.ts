import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashPrefix, pageNumber, positionOf, storedTime } from '../../../src/index/format/position.ts';
import {
  packTraceInfo,
  type TraceInfo,
  traceIdOf,
  unpackTraceInfo,
} from '../../../src/index/format/trace-info.ts';

const MAX_SEQNO = 2 ** 31 - 1;
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const uint32 = fc.nat(2 ** 32 - 1);

/** A trace whose first page begins `before` seqnos before it. */
const trace = fc
  .record({
    traceId: hash,
    seqno: fc.integer({ min: 1, max: MAX_SEQNO - 1000 }),
    before: fc.nat(3),
    ordinal: fc.nat(2 ** 16 - 1),
    slot: fc.nat(31),
    gaps: fc.array(fc.oneof(fc.nat(70), fc.nat(2 ** 30)), { maxLength: 40 }),
    edges: fc.nat(2 ** 31 - 1),
    startLt: fc.bigInt({ min: 0n, max: 2n ** 62n }),
    lts: fc.oneof(fc.bigInt({ min: 0n, max: 1000n }), fc.bigInt({ min: 0n, max: 2n ** 62n })),
    startUtime: uint32,
    seconds: uint32,
    external: fc.option(fc.record({ hash: fc.option(hash), norm: fc.option(hash) }), { nil: undefined }),
  })
  .map(({ seqno, before, ordinal, slot, gaps, lts, seconds, ...rest }) => {
    const positions = [positionOf(pageNumber(Math.max(seqno - before, 0), ordinal), slot)];
    for (const gap of gaps) positions.push(positions.at(-1)! + gap + 1);
    const info: TraceInfo = { ...rest, positions };
    const end = { endLt: rest.startLt + lts, endUtime: rest.startUtime + seconds, mcSeqnoStart: seqno };
    return { info, end };
  });

function rowOf({ info, end }: { info: TraceInfo; end: Parameters<typeof packTraceInfo>[0] }) {
  return {
    trace8: String(hashPrefix(info.traceId)),
    end_lt: String(end.endLt),
    end_utime: storedTime(end.endUtime),
    mc_seqno_start: end.mcSeqnoStart,
    nodes: info.positions.length,
    info: packTraceInfo(end, info),
  };
}

describe('packed traces', () => {
  it('are read back', () => {
    fc.assert(
      fc.property(trace, (given) => {
        const row = rowOf(given);
        expect(unpackTraceInfo(row)).toEqual(given.info);
        expect(traceIdOf(row)).toEqual(given.info.traceId);
      }),
    );
  });

  it('take few bytes: a trace of three neighbours', () => {
    const first = positionOf(pageNumber(40_000_000, 2), 5);
    const info: TraceInfo = {
      traceId: Buffer.alloc(32, 7),
      edges: 3,
      startLt: 50_000_000_000_001n,
      startUtime: 1_700_000_000,
      positions: [first, first + 1, first + 4],
      external: undefined,
    };
    const end = { endLt: info.startLt + 8n, endUtime: info.startUtime, mcSeqnoStart: 40_000_001 };
    expect(packTraceInfo(end, info).length).toBe(24 + 9);
  });

  it('have at least one transaction', () => {
    fc.assert(
      fc.property(trace, ({ info, end }) => {
        expect(() => packTraceInfo(end, { ...info, positions: [] })).toThrow(RangeError);
      }),
    );
  });

  it('throw if their bytes end too early', () => {
    fc.assert(
      fc.property(trace, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (given, part) => {
        const row = rowOf(given);
        const cut = row.info.subarray(0, Math.floor(part * row.info.length));
        expect(() => unpackTraceInfo({ ...row, info: cut })).toThrow(RangeError);
      }),
    );
  });
});
