import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compressPage, joinSlots, OpenPage, openPage, planPages } from '../../../src/index/format/page.ts';
import { positionOf, seqnoOfPage } from '../../../src/index/format/position.ts';
import {
  type ShownState,
  type ShownStates,
  SlotCollector,
  type SlotList,
  type SlotPlace,
} from '../../../src/index/format/slots.ts';
import type { DecodedSeqno } from '../../../src/index/write/decoded-seqno.ts';
import { decodeSeqno } from '../../../src/ingest/decode/decode-seqno.ts';
import { decodeJob, toWire, unpackReply } from '../../../src/ingest/decode/worker-messages.ts';
import { keyAt } from '../../../src/lib/bytes-key.ts';
import { seqnoOf } from '../../ingest/decode/support/seqnos.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const maybeHash = fc.option(hash, { nil: undefined });
const state: fc.Arbitrary<ShownState> = fc
  .record({
    status: fc.constantFrom('uninit', 'frozen', 'active', 'nonexist'),
    balance: fc.bigInt(0n, 2n ** 120n - 1n),
    extra: fc.constantFrom(undefined, 'hidden', '{"1":"2"}', `{"7":"${'9'.repeat(70)}"}`),
    codeHash: maybeHash,
    dataHash: maybeHash,
    frozenHash: maybeHash,
  })
  .map(({ extra, ...rest }) => ({
    ...rest,
    balanceExtra: extra === 'hidden' ? undefined : extra,
    extraIsHidden: extra === 'hidden',
  }));
/** States, often with parts that did not change. */
const states: fc.Arbitrary<ShownStates> = fc
  .record({
    after: fc.option(state, { nil: undefined }),
    before: fc.option(state, { nil: undefined }),
    same: fc.subarray(['codeHash', 'dataHash', 'frozenHash', 'balanceExtra'] as const),
  })
  .map(({ after, before, same }) => {
    if (after === undefined || before === undefined || before.extraIsHidden) return { after, before };
    return { after, before: { ...before, ...Object.fromEntries(same.map((name) => [name, after[name]])) } };
  });
const slot = fc.record({
  blockSeqno: fc.nat(3),
  workchain: fc.constantFrom(-1, 0),
  shard: fc.constantFrom(-(2n ** 63n), 2n ** 61n, -1n),
  hasExtraFlags: fc.boolean(),
  states,
  bag: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});
type Given = typeof slot extends fc.Arbitrary<infer T> ? T : never;

/** Slots of consecutive seqnos; some have none. */
const seqnos = fc
  .record({
    first: fc.integer({ min: 1, max: 100 }),
    all: fc.array(fc.array(slot, { maxLength: 12 }), { maxLength: 12 }),
  })
  .map(({ first, all }) => all.map((slots, i) => ({ mcSeqno: first + i, slots })));

const placeOf = (mcSeqno: number, { bag: _, states: __, ...place }: Given): SlotPlace => ({
  mcSeqno,
  ...place,
});

function toList(mcSeqno: number, slots: readonly Given[]): SlotList {
  const collector = new SlotCollector();
  for (const one of slots) collector.add(placeOf(mcSeqno, one), one.states, one.bag);
  return collector.finish();
}

const slotsIn = (page: OpenPage) =>
  Array.from({ length: page.count }, (_, at) => ({
    at: positionOf(page.page, at),
    place: page.place(at),
    states: page.states(at),
    bag: page.packed(at).bag,
  }));

const limits = fc.record({
  width: fc.integer({ min: 1, max: 20 }),
  slots: fc.integer({ min: 1, max: 8 }),
  bytes: fc.integer({ min: 1, max: 2000 }),
});

it('planned pages hold all slots in order, within the limits, and the positions point to them', () => {
  fc.assert(
    fc.property(seqnos, limits, (given, limit) => {
      const lists = given.map(({ mcSeqno, slots }) => ({ mcSeqno, slots: toList(mcSeqno, slots) }));
      const { pages, positions } = planPages(lists, limit);
      const opened = pages.map(({ page, raw }) => new OpenPage(page, Buffer.from(raw)));
      const found = opened.flatMap(slotsIn);
      const expected = given.flatMap(({ mcSeqno, slots }) =>
        slots.map((one) => ({ place: placeOf(mcSeqno, one), states: one.states, bag: one.bag })),
      );
      expect(found.map(({ at: _, ...rest }) => rest)).toEqual(expected);
      expect(found.map(({ at }) => at)).toEqual(positions.flatMap((list) => [...list]));
      expect(new Set(pages.map(({ page }) => page)).size).toBe(pages.length);
      for (const [i, { page, count, lastSeqno, raw }] of pages.entries()) {
        const slots = slotsIn(opened[i]!);
        const bytes = slots.reduce((sum, { bag }) => sum + bag.length, 0);
        expect(count).toBe(slots.length);
        expect(count === 1 || (count <= limit.slots && bytes <= limit.bytes)).toBe(true);
        expect(slots[0]!.place.mcSeqno).toBe(seqnoOfPage(page));
        expect(slots.at(-1)!.place.mcSeqno).toBe(lastSeqno);
        expect(Math.floor(lastSeqno / limit.width)).toBe(Math.floor(seqnoOfPage(page) / limit.width));
        expect(joinSlots(slots.map((_, at) => opened[i]!.packed(at)))).toEqual(raw);
      }
    }),
  );
});

it('a page with an unknown format, or without its end, is refused', () => {
  const { pages } = planPages([{ mcSeqno: 1, slots: toList(1, fc.sample(slot, 2)) }], { width: 10 });
  const { page, raw } = pages[0]!;
  expect(() => new OpenPage(page, raw.subarray(0, -1))).toThrow('wrong length');
  expect(() => new OpenPage(page, Buffer.concat([Buffer.of(9), raw.subarray(1)]))).toThrow(
    'unknown format 9',
  );
});

const FOLDER = new URL('../../../../shared/data/mainnet/', import.meta.url);
const missing = existsSync(FOLDER) ? '' : ' (skipped: the mainnet blocks are not beside this checkout)';

describe.skipIf(missing !== '')(`pages of mainnet blocks${missing}`, () => {
  it('hold every transaction with its cells, block and states', () => {
    const bytesOf = (number: number) => readFileSync(new URL(`block-${number}/block.bin`, FOLDER));
    const fetched = seqnoOf(bytesOf(5), [1, 2, 3, 4].map(bytesOf), 12);
    const [decoded] = unpackReply(decodeJob(toWire([fetched]), decodeSeqno)) as [DecodedSeqno];
    const { mcSeqno, slots, traces, accounts } = decoded;
    const { pages } = planPages([{ mcSeqno, slots }], { width: 1_000_000 });
    const found = [];
    for (const { page, raw } of pages) found.push(openPage(page, compressPage(raw)));
    expect(found.every(({ count }) => count <= 32)).toBe(true);

    const all = found.flatMap((page) => Array.from({ length: page.count }, (_, slot) => ({ page, slot })));
    expect(all).toHaveLength(traces.count);
    const changes = new Map(accounts.map((change) => [keyAt(change.lastTransHash, 0), change]));
    const shownBefore = new Set<string>();
    // One comparison: thousands of them would take seconds.
    const slotsFound = all.map(({ page, slot }) => {
      const transaction = page.transaction(slot);
      const { after, before } = page.states(slot);
      if (before !== undefined) shownBefore.add(keyAt(transaction.oldStateHash, 0));
      const { workchain, hasExtraFlags, ...place } = page.place(slot);
      return {
        hash: transaction.hash.toString('hex'),
        account: page.account(slot).toString('hex'),
        lt: page.lt(slot),
        now: page.now(slot),
        place: [place.mcSeqno, workchain, hasExtraFlags],
        after,
      };
    });
    const expected = all.map((_, i) => {
      const hash = traces.hashes.subarray(32 * i, 32 * i + 32);
      const account = traces.accounts.subarray(33 * i, 33 * i + 33);
      return {
        hash: hash.toString('hex'),
        account: account.toString('hex'),
        lt: traces.lts[i],
        now: traces.nows[i],
        place: [mcSeqno, account.readInt8(0), true],
        after: withoutPlace(changes.get(keyAt(hash, 0))),
      };
    });
    if (!isDeepStrictEqual(slotsFound, expected)) expect(slotsFound).toEqual(expected);
    expect(shownBefore).toEqual(
      new Set(accounts.flatMap(({ before }) => (before === undefined ? [] : [keyAt(before.hash, 0)]))),
    );
  });
});

function withoutPlace(state: ShownState | undefined): ShownState | undefined {
  if (state === undefined) return undefined;
  const { status, balance, balanceExtra, extraIsHidden, codeHash, dataHash, frozenHash } = state;
  return { status, balance, balanceExtra, extraIsHidden, codeHash, dataHash, frozenHash };
}
