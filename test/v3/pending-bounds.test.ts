import { Cell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PendingTrace, PendingTraces } from '../../src/pending/pending-traces.ts';
import { hashOf } from '../db/support/filled-index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { MadeChain, type MadeTransaction } from '../support/made-chain.ts';
import { putOrigin, storeSeqnos } from '../support/store-transactions.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { createMadePending, makeTrace, PENDING_ACCOUNTS, PENDING_SEQNO } from './support/made-pending.ts';

const [ALICE, BOB] = PENDING_ACCOUNTS as [string, string];
/** An account that no pending message is for. */
const ANYBODY = Buffer.concat([Buffer.of(0), hashOf('anybody')]);
const NAMES = ['pendingTransactions', 'pendingTraces', 'pendingActions'];

let test: TestDatabase;
const apps: FastifyInstance[] = [];
beforeAll(async () => {
  test = await createTestDatabase();
  await putOrigin(test.database.primary, 1, 2 * PENDING_SEQNO);
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await test.drop();
});

/** v3 with some pending messages. */
async function open(pending: PendingTraces | undefined) {
  const app = await buildV3App({ ports: { ...NO_INDEX, database: test.database, pending } });
  apps.push(app);
  return async (name: string, query: Readonly<Record<string, string>>) => {
    const answer = await app.inject({ url: `/api/v3/${name}?${new URLSearchParams(query)}` });
    return { status: answer.statusCode, body: answer.json() };
  };
}

/** The message that a transaction received, as a bag of cells. */
function messageOf(boc: Buffer): Buffer {
  return Cell.fromBoc(boc)[0]!.refs[0]!.refs[0]!.toBoc();
}

const only = (...traces: PendingTrace[]): PendingTraces => ({ find: async () => traces });

describe('pending operations without followed messages', () => {
  it('fail with the error of the reference server without Redis', async () => {
    const ask = await open(undefined);
    const error = 'emulatedTracesRepository is not initialized';
    for (const name of NAMES)
      expect(await ask(name, { account: ALICE })).toEqual({ status: 500, body: { code: 500, error } });
  });
});

describe('an account with very many pending traces', () => {
  it('returns the newest', async () => {
    const ask = await open(createMadePending(510));
    const { body: traces } = await ask('pendingTraces', { account: ALICE });
    expect(traces.traces).toHaveLength(500);
    const times = traces.traces.map(({ end_lt }: { end_lt: string }) => Number(end_lt));
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
    expect((await ask('pendingTransactions', { account: ALICE })).body.transactions).toHaveLength(509);
    const both = await ask('pendingTransactions', { account: `${ALICE},${BOB}` });
    expect(both.body.transactions).toHaveLength(1000);
    expect((await ask('pendingActions', { account: BOB })).body.actions).toHaveLength(1000);
    const full = await ask('pendingActions', { account: BOB, include_transactions: '1' });
    expect(full.body.actions).toHaveLength(1000);
    for (const { transactions, transactions_full } of full.body.actions)
      expect(transactions_full.map(({ hash }: { hash: string }) => hash)).toEqual(transactions);
  });
});

describe('a pending trace', () => {
  it('is marked incomplete if its emulation stopped early', async () => {
    const [whole, cut] = [makeTrace(1, false), { ...makeTrace(2, true), bound: 'depth' } as const];
    const { body } = await (await open(only(whole, cut)))('pendingTraces', { account: ALICE });
    expect(body.traces.map(({ is_incomplete }: { is_incomplete: boolean }) => is_incomplete)).toEqual([
      true,
      false,
    ]);
    expect(body.traces[0]).toMatchObject({
      trace_id: cut.transactions[0]!.hash.toString('base64'),
      trace_info: { messages: 2, transactions: 2, pending_messages: 0 },
      mc_seqno_start: `${PENDING_SEQNO}`,
    });
    expect(body.traces[1]).toMatchObject({ trace_id: null, trace_info: { pending_messages: 2 } });
  });

  it('reports that it is unclassified or failed', async () => {
    for (const state of ['unclassified', 'failed'] as const) {
      const trace = { ...makeTrace(1, false), classification: { state, actions: [] } };
      const ask = await open(only(trace));
      const { body } = await ask('pendingTraces', { account: ALICE });
      expect(body.traces[0]).toMatchObject({ trace_info: { classification_state: state }, actions: [] });
      expect((await ask('pendingActions', { account: ALICE })).body.actions).toEqual([]);
    }
  });

  it('hides parts of actions that the client supports', async () => {
    const trace = makeTrace(1, false);
    const [first, ...rest] = trace.classification.actions;
    const part = { ...first!, ancestor_type: ['multisig_execute'] };
    const ask = await open(only({ ...trace, classification: { state: 'ok', actions: [part, ...rest] } }));
    const count = async (query: object) =>
      (await ask('pendingActions', { account: ALICE, ...query })).body.actions.length;
    expect(await count({})).toBe(2);
    expect(await count({ supported_action_types: 'v1' })).toBe(3);
  });
});

describe('pending transactions and the index', () => {
  const accountsOf = async (ask: Awaited<ReturnType<typeof open>>) => {
    const { status, body } = await ask('pendingTransactions', { account: `${ALICE},${BOB}` });
    return [status, body.transactions?.map(({ account }: { account: string }) => account)];
  };

  it('leave out transactions whose message is indexed, and complete traces', async () => {
    const trace = makeTrace(7, false);
    const ask = await open(only(trace));
    expect(await accountsOf(ask)).toEqual([200, [ALICE, BOB]]);
    const chain = new MadeChain();
    const external = chain.given(messageOf(trace.transactions[0]!.boc));
    const receive = (mcSeqno: number) => {
      const [lt, now] = [BigInt(mcSeqno) * 10n, 1_800_000_000];
      const out = [chain.internal({ from: ANYBODY, to: ANYBODY, lt: lt + 1n, at: now })];
      return chain.transaction({ account: ANYBODY, lt, now, mcSeqno, in: external, out });
    };
    const store = (transaction: MadeTransaction) =>
      storeSeqnos(test, [{ mcSeqno: transaction.mcSeqno, transactions: [transaction] }]);
    // The same message may have been processed long ago.
    await store(receive(PENDING_SEQNO - 1));
    expect(await accountsOf(ask)).toEqual([200, [ALICE, BOB]]);
    const [first, mcSeqno] = [receive(PENDING_SEQNO), PENDING_SEQNO + 1];
    await store(first);
    expect(await accountsOf(ask)).toEqual([200, [BOB]]);
    // The trace ended otherwise than it was predicted.
    const { cell, hash } = first.transaction.outMessages[0]!;
    const [lt, now] = [BigInt(mcSeqno) * 10n, 1_800_000_000];
    await store(chain.transaction({ account: ANYBODY, lt, now, mcSeqno, in: { cell, hash } }));
    expect(await accountsOf(ask)).toEqual([200, []]);
    // A trace with actions stays pending until its actions are indexed too.
    expect((await ask('pendingTraces', { account: ALICE })).body.traces).toHaveLength(1);
  });
});
