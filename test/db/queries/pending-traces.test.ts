import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArrivedMessages, readCompleteTraces } from '../../../src/db/queries/pending-traces.ts';
import { distinctBytes } from '../../../src/lib/bytes-key.ts';
import type { TestDatabase } from '../../support/database.ts';
import { readStoredTraces } from '../../support/stored-traces.ts';
import { hashOf, makeFilled, openFilledIndex } from '../support/filled-index.ts';
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
    const transactions = makeFilled(1, 300);
    const received = transactions.map(({ mcSeqno, transaction }) => ({
      mcSeqno,
      hash: transaction.inMessage!.hash,
    }));
    const sent = transactions.flatMap(({ transaction }) => transaction.outMessages.map(({ hash }) => hash));
    for (const seqno of [0, received[150]!.mcSeqno, 2 ** 31 - 1]) {
      const expected = received.filter(({ mcSeqno }) => mcSeqno >= seqno);
      const sought = ask(distinctBytes([...received.map(({ hash }) => hash), ...sent, ...UNKNOWN]), seqno);
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
    const named = (await readStoredTraces(db)).slice(0, 300).map((trace) => ({
      seqno: trace.mcSeqnoStart,
      hash: trace.externalHashNorm ?? trace.externalHash!,
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
