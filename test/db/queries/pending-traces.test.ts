import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArrivedMessages, readCompleteTraces } from '../../../src/db/queries/pending-traces.ts';
import type { TestDatabase } from '../../support/database.ts';
import { hashOf, openFilledIndex } from '../support/filled-index.ts';
import { openPlans, type PlanReader } from '../support/query-plan.ts';

let test: TestDatabase;
let reader: PlanReader;
beforeAll(async () => {
  test = await openFilledIndex();
  reader = openPlans(test.url);
});
afterAll(async () => {
  await reader?.close();
  await test?.drop();
});

const UNKNOWN = Array.from({ length: 300 }, (_, i) => hashOf(`nobody ${i}`));
const inHex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex')).sort();
/** One seqno per hash, from which on it counts. */
const ask = (hashes: readonly Buffer[], seqno: number) => ({ hashes, seqnos: hashes.map(() => seqno) });

describe('readArrivedMessages', () => {
  it('finds received messages from a seqno on, each by an index', async () => {
    const db = test.database.primary;
    const rows = await db
      .selectFrom('messages')
      .select(['hash', 'mc_seqno', 'ordinal'])
      .orderBy('hash')
      .limit(500)
      .execute();
    for (const seqno of [0, rows[250]!.mc_seqno, 2 ** 31 - 1]) {
      const expected = rows.filter((row) => row.ordinal === 0 && row.mc_seqno >= seqno);
      const hashes = [...new Map(rows.map(({ hash }) => [hash.toString('hex'), hash])).values()];
      const sought = ask([...hashes, ...UNKNOWN], seqno);
      const found = await readArrivedMessages(db, sought);
      expect(new Set(inHex(found))).toEqual(new Set(inHex(expected.map(({ hash }) => hash))));
      const { plans } = await reader.run((captured) => readArrivedMessages(captured, sought));
      expect(plans[0]!.seqScans, plans[0]!.text).toEqual([]);
      expect(plans[0]!.touchedRows, plans[0]!.text).toBeLessThan(2500);
    }
  });
});

describe('readCompleteTraces', () => {
  it('finds complete traces by normalized hash, whether it differs from the hash or not, each by an index', async () => {
    const db = test.database.primary;
    const rows = await db
      .selectFrom('traces')
      .select(['external_hash', 'external_hash_norm', 'mc_seqno_start'])
      .where('external_hash', 'is not', null)
      .orderBy('trace_id')
      .limit(300)
      .execute();
    const named = rows.map((row) => ({
      seqno: row.mc_seqno_start,
      hash: row.external_hash_norm ?? row.external_hash!,
    }));
    expect(named.length).toBeGreaterThan(100);
    for (const seqno of [0, named[150]!.seqno, 2 ** 31 - 1]) {
      const sought = ask([...named.map(({ hash }) => hash), ...UNKNOWN], seqno);
      const expected = named.filter((one) => one.seqno >= seqno);
      const found = await readCompleteTraces(db, sought);
      expect(inHex(found)).toEqual(inHex(expected.map(({ hash }) => hash)));
      const { plans } = await reader.run((captured) => readCompleteTraces(captured, sought));
      expect(plans[0]!.seqScans, plans[0]!.text).toEqual([]);
      expect(plans[0]!.touchedRows, plans[0]!.text).toBeLessThan(2500);
    }
  });

  it('sends no query without hashes', async () => {
    const none = { hashes: [], seqnos: [] };
    for (const read of [readArrivedMessages, readCompleteTraces])
      expect((await reader.run<unknown>((db) => read(db, none))).plans).toEqual([]);
  });
});
