import fc from 'fast-check';
import { expect, it } from 'vitest';
import { moveTraceIds, packTraceIds, traceIdAt, truncateTraceIds } from '../../../src/index/format/page.ts';
import { bytesKey, bytesOf } from '../../../src/lib/bytes-key.ts';

const name = (number: number): string => bytesKey(Buffer.alloc(32, number));
/** Slots of a page, each with the slot of its first transaction or the number of another trace. */
const page = fc
  .array(fc.record({ root: fc.option(fc.nat(31)), other: fc.integer({ min: 100, max: 140 }) }), {
    minLength: 1,
    maxLength: 32,
  })
  .map((slots) => ({
    hashes: slots.map((_, slot) => name(slot)),
    ids: slots.map(({ root, other }, slot) => name(root === null ? other : Math.min(root, slot))),
  }));

const read = (traces: Buffer, count: number, hashes: readonly string[]): string[] =>
  hashes.map((_, slot) => bytesKey(traceIdAt(traces, count, slot, (at) => bytesOf(hashes[at]!))));

it('trace ids are read back, and stored once unless the first transaction is in the page', () => {
  fc.assert(
    fc.property(page, ({ ids, hashes }) => {
      const traces = packTraceIds(ids, hashes);
      expect(read(traces, ids.length, hashes)).toEqual(ids);
      const stored = new Set(ids.filter((id) => !hashes.includes(id)));
      expect(traces.length).toBe(ids.length + 32 * stored.size);
    }),
  );
});

it('moved slots have the new trace, and ids that no slot has are dropped', () => {
  fc.assert(
    fc.property(page, fc.array(fc.tuple(fc.nat(31), fc.integer({ min: 200, max: 203 }))), (given, list) => {
      const { ids, hashes } = given;
      const moved = new Map(list.filter(([slot]) => slot < ids.length).map(([slot, id]) => [slot, name(id)]));
      const traces = moveTraceIds(packTraceIds(ids, hashes), ids.length, moved);
      const expected = ids.map((id, slot) => moved.get(slot) ?? id);
      expect(read(traces, ids.length, hashes)).toEqual(expected);
      expect(traces).toEqual(packTraceIds(expected, hashes));
    }),
  );
});

it('a page that loses its last slots keeps the traces of the others', () => {
  fc.assert(
    fc.property(page, fc.nat(31), ({ ids, hashes }, last) => {
      const kept = Math.min(ids.length, 1 + last);
      const traces = truncateTraceIds(packTraceIds(ids, hashes), ids.length, kept);
      expect(traces).toEqual(packTraceIds(ids.slice(0, kept), hashes.slice(0, kept)));
    }),
  );
});
