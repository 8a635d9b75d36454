import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import { hashOf } from '../db/support/filled-index.ts';
import type { TestDatabase } from '../support/database.ts';
import { clearActions, putActions } from '../support/stored-actions.ts';
import { enlargeTrace, readStoredTraces, type StoredTrace } from '../support/stored-traces.ts';
import { readStoredTransactions } from '../support/stored-transactions.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { openIndexedDemo } from './support/indexed-demo.ts';
import { makeAction } from './support/made-actions.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

interface Changes {
  readonly changes: Record<string, number>;
  readonly fees: Record<string, number>;
  readonly jettons: Record<string, Record<string, string>>;
}

let test: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  test = await openIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const inject = (query: Record<string, string>) =>
  app.inject({ url: `/api/v3/balanceChanges?${new URLSearchParams(query)}` });

async function changesOf(query: Record<string, string>): Promise<Changes> {
  const answer = await inject(query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

/** All transactions of the demo by trace, each with the balance change of its account. */
async function readTransactions() {
  const balances = new Map<string, bigint | undefined>();
  return (await readStoredTransactions(test.database.primary)).map((one) => {
    const account = formatAccount(one.account);
    const before = one.origStatus === 'nonexist' ? 0n : balances.get(account);
    const after = one.endStatus === 'nonexist' ? 0n : one.after?.balance;
    balances.set(account, after);
    const change = before === undefined || after === undefined ? undefined : after - before;
    return { ...one, account, trace: one.traceId.toString('base64'), change };
  });
}

/** The changes of every trace, by its id. */
let ofTraces: Map<string, Changes>;

describe('balanceChanges', () => {
  it('match the account states before and after, for every trace', async () => {
    ofTraces = new Map();
    for (const { traceId } of await readStoredTraces(test.database.primary)) {
      const id = traceId.toString('base64');
      ofTraces.set(id, await changesOf({ trace_id: id }));
    }
    const byTrace = Map.groupBy(await readTransactions(), ({ trace }) => trace);
    let compared = 0;
    for (const [traceId, transactions] of byTrace) {
      if (!ofTraces.has(traceId)) continue;
      const { changes, fees } = ofTraces.get(traceId)!;
      for (const [account, own] of Map.groupBy(transactions, (row) => row.account)) {
        expect(fees[account]).toBeGreaterThanOrEqual(0);
        if (own.some(({ change }) => change === undefined)) continue;
        const sum = own.reduce((total, { change }) => total + change!, 0n);
        expect([traceId, account, changes[account]]).toEqual([traceId, account, Number(sum)]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(100);
  });

  it('of jettons add up to the balances of jetton wallets', async () => {
    const db = test.database.primary;
    const sums = new Map<string, bigint>();
    for (const { jettons } of ofTraces.values()) {
      for (const [owner, amounts] of Object.entries(jettons))
        for (const [jetton, amount] of Object.entries(amounts))
          sums.set(owner + jetton, (sums.get(owner + jetton) ?? 0n) + BigInt(amount));
    }
    const wallets = await db.selectFrom('jetton_wallets').select(['owner', 'jetton', 'balance']).execute();
    for (const { owner, jetton, balance } of wallets)
      expect(sums.get(formatAccount(owner) + formatAccount(jetton)) ?? 0n).toBe(BigInt(balance));
    expect(wallets.length).toBeGreaterThan(3);
    expect([...sums.values()].filter((sum) => sum !== 0n).length).toBeGreaterThan(2);
  });

  it('of an action count its own transactions only', async () => {
    const db = test.database.primary;
    const byTrace = Map.groupBy(await readTransactions(), ({ trace }) => trace);
    const [root, second, third] = [...byTrace.values()].find(
      (rows) => rows.length > 3 && new Set(rows.map(({ account }) => account)).size > 3,
    )!;
    const traces = await readStoredTraces(db);
    const { mcSeqnoEnd } = traces.find(({ traceId }) => traceId.equals(root!.traceId))!;
    const make = (name: string, startLt: bigint, hashes: Buffer[]) =>
      makeAction({
        type: 'call_contract',
        action_id: hashOf(name),
        trace_id: root!.traceId,
        start_lt: `${startLt}`,
        trace_mc_seqno_end: mcSeqnoEnd,
        tx_hashes: hashes,
      });
    const all = byTrace.get(root!.trace)!.map(({ hash }) => hash);
    await clearActions(db);
    await putActions(db, [
      make('all', root!.lt, all),
      make('first', root!.lt + 1n, [root!.hash, second!.hash]),
      make('later', second!.lt + 1n, [second!.hash, third!.hash]),
    ]);
    const ask = (name: string) => changesOf({ action_id: hashOf(name).toString('base64') });
    expect(await ask('all')).toEqual(await changesOf({ trace_id: root!.trace }));
    const first = await ask('first');
    expect(Object.keys(first.fees)).toEqual(expect.arrayContaining([root!.account, second!.account]));
    // The sender of the first message does not count, unless it is the first transaction of the trace.
    const later = await ask('later');
    expect(later.fees[third!.account]).toBe(Number(third!.totalFees));
    expect(Object.keys(later.changes).length).toBeLessThanOrEqual(2);
    const both = { action_id: hashOf('later').toString('hex'), trace_id: root!.traceId.toString('hex') };
    expect(await changesOf(both)).toEqual(later);
    const wrong = await inject({ ...both, trace_id: 'ab'.repeat(32) });
    expect([wrong.statusCode, wrong.json().error]).toEqual([404, 'action_id not found']);
  });

  it('match the contract', async () => {
    const transfer = await app.inject({ url: '/api/v3/jetton/transfers?limit=1' });
    const answer = await changesOf({ trace_id: transfer.json().jetton_transfers[0].trace_id });
    expect(Object.keys(answer.jettons).length).toBeGreaterThan(0);
    expect(documentCheck()('balanceChanges', answer)).toBe('');
    if (missingContract === '') expect(contractCheck()('balanceChanges', answer)).toBe('');
  });

  it('refuse unknown traces and actions', async () => {
    const nothing = 'ab'.repeat(32);
    for (const [query, code, error] of [
      [{}, 422, 'trace_id or action_id is required'],
      [{ trace_id: nothing }, 404, 'trace not found'],
      [{ action_id: nothing }, 404, 'action_id not found'],
      [{ trace_id: 'x' }, 422, 'failed to decode: schema: error converting value for "trace_id"'],
      [{ action_id: '' }, 422, 'failed to decode: schema: error converting value for "action_id"'],
    ] as const) {
      const answer = await inject(query);
      expect([answer.statusCode, answer.json()]).toEqual([code, { code, error }]);
    }
    const db = test.database.primary;
    const [{ traceId }] = (await readStoredTraces(db)) as [StoredTrace];
    const undo = await enlargeTrace(db, traceId, 4001);
    const large = await inject({ trace_id: traceId.toString('base64') });
    expect(large.json()).toEqual({ code: 422, error: 'trace_id: trace is too large' });
    await undo();
  });
});
