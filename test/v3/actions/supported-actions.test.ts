import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAccountOrText } from '../../../src/chain/address.ts';
import type { Tables } from '../../../src/db/tables/tables.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import type { TestDatabase } from '../../support/database.ts';
import { clearActions, putActions } from '../../support/stored-actions.ts';
import { readStoredTraces, type StoredTrace } from '../../support/stored-traces.ts';
import { buildV3App, NO_INDEX } from '../support/build-app.ts';
import { openIndexedDemo } from '../support/indexed-demo.ts';
import { createListClient } from '../support/list-queries.ts';
import { makeAction, rawOf } from '../support/made-actions.ts';

let test: TestDatabase;
let app: FastifyInstance;
let db: Kysely<Tables>;
let trace: StoredTrace;
let jettonWallet: { account: Buffer; jetton: Buffer };

beforeAll(async () => {
  test = await openIndexedDemo();
  db = test.database.primary;
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  for (const table of ['unclassified_traces', 'classification_ranges', 'classification_faults'] as const)
    await db.deleteFrom(table).execute();
  await clearActions(db);
  const traces = await readStoredTraces(db);
  trace = traces.reduce((last, one) => (one.endLt > last.endLt ? one : last));
  jettonWallet = await db
    .selectFrom('jetton_wallets')
    .select(['account', 'jetton'])
    .executeTakeFirstOrThrow();
  const rows = PARTS.map(({ type, ancestor_type, start_lt }, at) =>
    makeAction({
      type,
      ancestor_type: [...ancestor_type],
      start_lt,
      end_lt: String(Number(start_lt) + 5),
      action_id: hashOf(`part ${at}`),
      trace_id: trace.traceId,
      trace_end_lt: `${trace.endLt}`,
      trace_end_utime: `${trace.endUtime}`,
      trace_mc_seqno_end: trace.mcSeqnoEnd,
      tx_hashes: [trace.traceId],
      accounts: [toAccountOrText(rawOf('somebody'))],
      columns: { source: `0:${jettonWallet.account.toString('hex', 1).toUpperCase()}` },
    }),
  );
  await putActions(db, rows);
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

/** An action that newer clients support, with parts that older clients support, and parts of parts. */
const PARTS = [
  { type: 'layerzero_send_tokens', ancestor_type: [], start_lt: '10' },
  { type: 'layerzero_send', ancestor_type: ['layerzero_send_tokens'], start_lt: '12' },
  { type: 'call_contract', ancestor_type: ['layerzero_send', 'layerzero_send_tokens'], start_lt: '14' },
  { type: 'jetton_transfer', ancestor_type: ['layerzero_send_tokens'], start_lt: '11' },
  { type: 'tgbtc_mint', ancestor_type: [], start_lt: '13' },
  { type: 'jetton_mint', ancestor_type: ['tgbtc_mint'], start_lt: '9' },
  { type: 'unknown', ancestor_type: [], start_lt: '8' },
] as const;

interface Shown {
  readonly type: string;
  readonly start_lt: string;
}

const typesOf = (actions: readonly Shown[]) => actions.map(({ type }) => type);

/** What clients that support some types get, in the order of action starts. */
const SHOWN: readonly (readonly [known: string[], types: string[]])[] = [
  [[], ['unknown', 'jetton_mint', 'layerzero_send_tokens']],
  [['v1'], ['jetton_mint', 'jetton_transfer', 'call_contract']],
  [['v2'], ['unknown', 'jetton_mint', 'jetton_transfer', 'call_contract']],
  [['layerzero_send'], ['jetton_mint', 'jetton_transfer', 'layerzero_send']],
  [
    ['latest', 'tgbtc'],
    ['unknown', 'layerzero_send_tokens', 'tgbtc_mint'],
  ],
  [['tgbtc,v1'], ['jetton_transfer', 'tgbtc_mint', 'call_contract']],
];

describe('actions by supported types', () => {
  const asker = () => createListClient(app, 'actions');
  const id = () => trace.traceId.toString('base64');

  it.each(SHOWN)('are filtered for a client that supports %j', async (known, types) => {
    const query = { trace_id: id(), ...(known.length > 0 && { supported_action_types: known }) };
    const { actions } = await asker().ask(query);
    expect(typesOf(actions).toSorted()).toEqual([...types].toSorted());
    for (const [name, key] of [
      ['traces', 'traces'],
      ['events', 'events'],
    ] as const) {
      const answer = await createListClient(app, name).ask({ ...query, include_actions: 'true' });
      expect(typesOf(answer[key][0].actions)).toEqual(types);
      // Inside a trace they look the same.
      const sorted = actions.toSorted((a: Shown, b: Shown) => Number(a.start_lt) - Number(b.start_lt));
      expect(answer[key][0].actions).toEqual(sorted);
    }
  });

  it('the X-Actions-Version header overrides supported_action_types', async () => {
    const inject = async (version: string) =>
      typesOf(
        (
          await asker().inject(
            { trace_id: id(), supported_action_types: 'latest', sort: 'asc' },
            { 'x-actions-version': version },
          )
        ).json().actions,
      ).toSorted();
    expect(await inject('v1')).toEqual(['call_contract', 'jetton_mint', 'jetton_transfer']);
    expect(await inject('tgbtc')).toEqual(['call_contract', 'jetton_transfer', 'tgbtc_mint']);
    // A single name, not a list.
    expect(await inject('tgbtc,latest')).toEqual(['call_contract', 'jetton_mint', 'jetton_transfer']);
    const traces = await createListClient(app, 'traces').inject(
      { trace_id: id(), include_actions: '1' },
      { 'x-actions-version': 'v1' },
    );
    expect(typesOf(traces.json().traces[0].actions)).toEqual([
      'jetton_mint',
      'jetton_transfer',
      'call_contract',
    ]);
  });

  it('action_type returns unsupported types too, but no parts of supported actions', async () => {
    const ask = async (action_type: string, known: string) =>
      typesOf(
        (await asker().ask({ trace_id: id(), action_type, supported_action_types: known })).actions,
      ).toSorted();
    expect(await ask('tgbtc_mint,jetton_mint', 'latest')).toEqual(['jetton_mint', 'tgbtc_mint']);
    expect(await ask('tgbtc_mint,jetton_mint', 'tgbtc')).toEqual(['tgbtc_mint']);
    // Names of sets are not types.
    expect((await asker().inject({ action_type: 'v1' })).statusCode).toBe(422);
  });

  it('address book and metadata cover the accounts of actions and the jettons of jetton wallets', async () => {
    const raw = (account: Buffer) => `0:${account.toString('hex', 1).toUpperCase()}`;
    const { address_book, metadata } = await asker().ask({
      trace_id: id(),
      action_type: 'jetton_transfer',
      supported_action_types: 'v1',
    });
    expect(Object.keys(address_book)).toEqual(
      expect.arrayContaining([
        raw(jettonWallet.account),
        rawOf('column.asset2_secondary'),
        rawOf('jetton.response_destination'),
      ]),
    );
    expect(metadata[raw(jettonWallet.account)].token_info[0].type).toBe('jetton_wallets');
    expect(metadata[raw(jettonWallet.jetton)].token_info[0].type).toBe('jetton_masters');
    const [traces] = (
      await createListClient(app, 'traces').ask({
        trace_id: id(),
        include_actions: 'true',
        supported_action_types: 'v1',
      })
    ).traces;
    expect(Object.keys(traces.transactions).length).toBeGreaterThan(0);
    const plain = await asker().inject({ trace_id: id(), x_no_address_book: '1', x_no_metadata: '1' });
    expect(plain.json()).toMatchObject({ address_book: {}, metadata: {} });
  });

  it('a trace reports its classification state', async () => {
    const state = async () =>
      (await createListClient(app, 'traces').ask({ trace_id: id() })).traces[0].trace_info
        .classification_state;
    const { traceId: trace_id, mcSeqnoEnd: mc_seqno_end } = trace;
    expect(await state()).toBe('ok');
    await db.insertInto('unclassified_traces').values({ trace_id, mc_seqno_end, nodes: 1 }).execute();
    expect(await state()).toBe('unclassified');
    await db.updateTable('unclassified_traces').set({ again: true }).execute();
    expect(await state()).toBe('ok');
    await db.deleteFrom('unclassified_traces').execute();
    const range = { first_seqno: mc_seqno_end - 1, last_seqno: mc_seqno_end };
    await db
      .insertInto('classification_ranges')
      .values({ ...range, types: null, again: true })
      .execute();
    expect(await state()).toBe('ok');
    await db.updateTable('classification_ranges').set({ again: false }).execute();
    expect(await state()).toBe('unclassified');
    await db
      .updateTable('classification_ranges')
      .set({ last_seqno: mc_seqno_end - 1 })
      .execute();
    expect(await state()).toBe('ok');
    const fault = { trace_id, mc_seqno_end, too_large: false, reason: 'a rule failed' };
    await db.insertInto('classification_faults').values(fault).execute();
    expect(await state()).toBe('failed');
    await db.updateTable('classification_faults').set({ too_large: true }).execute();
    expect(await state()).toBe('unclassified');
    await db.deleteFrom('classification_faults').execute();
  });
});
