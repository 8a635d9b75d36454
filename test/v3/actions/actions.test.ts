import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../../src/v3/values.ts';
import type { TestDatabase } from '../../support/database.ts';
import { sampled } from '../../support/long-run.ts';
import { MadeChain } from '../../support/made-chain.ts';
import { storeSeqnos } from '../../support/store-transactions.ts';
import { changeActions } from '../../support/stored-actions.ts';
import { buildV3App, NO_INDEX } from '../support/build-app.ts';
import { openIndexedDemo } from '../support/indexed-demo.ts';
import { checkCombinations, checkForms, checkRefusals } from '../support/list-checks.ts';
import { createListClient } from '../support/list-queries.ts';
import { type DemoAction, writeDemoActions } from '../support/made-actions.ts';
import { actionValues, listReferenceActions } from '../support/reference-actions.ts';

let test: TestDatabase;
let app: FastifyInstance;
let asker: ReturnType<typeof createListClient>;
let all: DemoAction[];
beforeAll(async () => {
  test = await openIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  asker = createListClient(app, 'actions');
  all = await writeDemoActions(test.database.primary);
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

describe('actions', () => {
  it('match a naive evaluation for every pair of filters, on one page and on many', async () => {
    expect(all.length).toBeGreaterThan(100);
    const found = await checkCombinations(app, {
      name: 'actions',
      key: 'actions',
      choices: actionValues(all),
      idOf: ({ action_id }) => action_id!,
      expected: (query) => listReferenceActions(all, query),
    });
    expect(found).toBeGreaterThan(sampled(250, 2000));
  });

  it('match the contract and our own document', async () => {
    await checkForms(app, 'actions', [
      {},
      { include_accounts: 'true', include_transactions: 'true' },
      { supported_action_types: 'tgbtc', sort: 'asc' },
      { action_type: 'tgbtc_dkg_log_fallback' },
    ]);
  });

  it('refuse malformed values and name the parameter', async () => {
    const [hash, time, number] = [
      ['zz', 'AAAA'],
      ['-1', 'x', ''],
      ['-1', '1.5'],
    ];
    const names = ['jetton transfer', 'a,b c', '\0', 'é', '-'];
    await checkRefusals(app, 'actions', {
      account: ['0:12', 'x', '', 'null'],
      trace_id: hash,
      tx_hash: hash,
      msg_hash: hash,
      action_id: hash,
      mc_seqno: ['x', '99999999999'],
      start_utime: time,
      end_utime: time,
      start_lt: number,
      end_lt: number,
      action_type: names,
      exclude_action_type: names,
      supported_action_types: ['\0'],
      include_accounts: ['yes'],
      include_transactions: ['2'],
      sort: ['up'],
    });
    for (const name of ['action_type', 'exclude_action_type'])
      expect((await asker.inject({ [name]: 'ton_transfer,jeton_transfer' })).json()).toEqual({
        code: 422,
        error: `${name}: unknown type "jeton_transfer"; did you mean "jetton_transfer"?`,
      });
    expect((await asker.inject({ action_type: 'foo' })).json().error).toBe('action_type: unknown type "foo"');
    const refused = await asker.inject({ action_type: ['x', 'y!'] });
    expect(refused.json()).toEqual({ code: 422, error: 'action_type contains invalid characters' });
    const missing = await asker.inject({ mc_seqno: '4000', action_id: 'ab'.repeat(32) });
    expect([missing.statusCode, missing.json().error]).toEqual([404, 'masterchain block 4000 not found']);
    const twice = await asker.inject({ limit: '2' });
    const cursor = /cursor=([^&>]*)/.exec(`${twice.headers.link}`)![1]!;
    expect((await asker.inject({ sort: 'asc', cursor })).statusCode).toBe(422);
  });

  it('include accounts and transactions on request', async () => {
    const { actions: plain } = await asker.ask({ limit: '1000' });
    const { actions } = await asker.ask({
      limit: '1000',
      include_accounts: 'true',
      include_transactions: 'true',
    });
    expect(actions.length).toBe(plain.length);
    const byId = new Map(all.map((action) => [action.row.action_id.toString('base64'), action]));
    for (const [at, { accounts, transactions_full: full, ...rest }] of actions.entries()) {
      expect(rest).toEqual(plain[at]);
      const { row } = byId.get(rest.action_id)!;
      expect(accounts).toEqual(row.accounts.map(formatAccount).sort());
      expect(full.map(({ hash }: { hash: string }) => hash).sort()).toEqual([...rest.transactions].sort());
      for (const { trace_id } of full) expect(trace_id).toBe(rest.trace_id);
    }
    const [{ hash }] = actions[0].transactions_full;
    const { transactions } = await createListClient(app, 'transactions').ask({ hash });
    expect(actions[0].transactions_full).toContainEqual(transactions[0]);
  });

  it('refuse include_transactions above the limit of messages', async () => {
    const chain = new MadeChain();
    const account = all[0]!.row.accounts[0]!;
    const place = { account, lt: 10n ** 12n, now: 1_900_000_000, mcSeqno: 1_000_000 };
    const out = Array.from({ length: 1000 }, (_, i) =>
      chain.log({ from: account, lt: place.lt + BigInt(i), at: place.now }),
    );
    const transaction = chain.transaction({ ...place, in: chain.external({ to: account }), out });
    await storeSeqnos(test, [{ mcSeqno: place.mcSeqno, transactions: [transaction] }]);
    // One transaction with many messages in each of many actions.
    await changeActions(test.database.primary, (action) => ({ ...action, tx_hashes: [transaction.hash] }));
    const asked = { include_transactions: 'true' };
    const refused = await asker.inject({ ...asked, limit: '1000', x_no_address_book: '1' });
    expect(refused.json()).toEqual({ code: 422, error: expect.stringContaining('limit') });
    expect((await asker.ask({ ...asked, limit: '3' })).actions.length).toBe(3);
  });
});
