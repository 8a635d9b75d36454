import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionRow } from '../../../src/index/action-row.ts';
import { accountActionsOrder, readAccountActions } from '../../../src/index/read/account-actions.ts';
import { TransactionReader } from '../../../src/index/read/transaction-reader.ts';
import { ACTION_ROLES, rolesOf } from '../../../src/v3/action-roles.ts';
import { expandActionTypes } from '../../../src/v3/action-types.ts';
import { formatAccount, formatHash } from '../../../src/v3/values.ts';
import type { TestDatabase } from '../../support/database.ts';
import { readStoredActions } from '../../support/stored-actions.ts';
import { readStoredTransactions } from '../../support/stored-transactions.ts';
import { buildV3App, NO_INDEX } from '../support/build-app.ts';
import { readIndexedDemo } from '../support/indexed-demo.ts';
import { checkRefusals } from '../support/list-checks.ts';
import { bothOrders, common, createListClient, type ListQuery } from '../support/list-queries.ts';
import { documentCheck } from '../support/response-schemas.ts';

const NAME = 'actions/byAccount';

interface ShownAction {
  readonly action_id: string;
  readonly trace_id: string;
  readonly roles: readonly string[];
}

let test: TestDatabase;
let app: FastifyInstance;
let client: ReturnType<typeof createListClient>;
let rows: readonly ActionRow[];
let initiators: ReadonlyMap<string, Buffer>;
/** One with many actions, one that is an observer and one that begins traces, as raw addresses. */
let accounts: readonly string[];
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  client = createListClient(app, NAME, 'actions');
  const { primary } = test.database;
  rows = await readStoredActions(primary);
  const transactions = await readStoredTransactions(primary);
  initiators = new Map(transactions.map(({ hash, account }) => [formatHash(hash), account]));
  const initiatorOf = (row: ActionRow) => initiators.get(formatHash(row.trace_id));
  const observed = rows.flatMap((row) =>
    row.accounts.filter((one) => rolesOf(row, one, initiatorOf(row)).includes('observer')),
  );
  const [most, begun] = [rows.flatMap((row) => row.accounts), [...initiators.values()]];
  accounts = [most, observed, begun].map((all) => common(all.map(formatAccount))[0]!);
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

/** What the list of a query has, from all stored actions. */
function expectedOf(query: ListQuery) {
  const sign = query.sort === 'asc' ? 1 : -1;
  const supported = expandActionTypes([]);
  const compare = (a: ActionRow, b: ActionRow) =>
    Number(BigInt(a.trace_end_lt) - BigInt(b.trace_end_lt)) ||
    Buffer.compare(a.trace_id, b.trace_id) ||
    Number(BigInt(a.end_lt) - BigInt(b.end_lt)) ||
    Buffer.compare(a.action_id, b.action_id);
  const isIn = (value: string, start: unknown, end: unknown) =>
    (start === undefined || BigInt(value) >= BigInt(start as string)) &&
    (end === undefined || BigInt(value) < BigInt(end as string));
  return rows
    .filter(
      ({ type, ancestor_type: ancestors }) =>
        supported.has(type) && !ancestors.some((one) => supported.has(one)),
    )
    .filter((row) => isIn(row.trace_end_lt, query.start_lt, query.end_lt))
    .filter((row) => isIn(row.trace_end_utime, query.start_utime, query.end_utime))
    .flatMap((row) => {
      const account = row.accounts.find((one) => formatAccount(one) === query.account);
      if (account === undefined) return [];
      const roles = rolesOf(row, account, initiators.get(formatHash(row.trace_id)));
      return query.role === undefined || roles.some((role) => role === query.role) ? [{ row, roles }] : [];
    })
    .sort((a, b) => sign * compare(a.row, b.row))
    .map(
      ({ row, roles }): ShownAction => ({
        action_id: formatHash(row.action_id),
        trace_id: formatHash(row.trace_id),
        roles,
      }),
    );
}

const shown = (actions: readonly ShownAction[]) =>
  actions.map(({ action_id, trace_id, roles }): ShownAction => ({ action_id, trace_id, roles }));
const tracesOf = (actions: readonly ShownAction[]) => [...new Set(actions.map(({ trace_id }) => trace_id))];

/** All accounts with all roles, and with bounds. */
function queries(): ListQuery[] {
  const byEnd = rows.toSorted((a, b) => Number(BigInt(a.trace_end_lt) - BigInt(b.trace_end_lt)));
  const [early, late] = [0.3, 0.7].map((part) => byEnd[Math.floor(part * byEnd.length)]!);
  return accounts.flatMap((account): ListQuery[] => [
    { account },
    ...ACTION_ROLES.map((role) => ({ account, role })),
    { account, start_lt: early!.trace_end_lt, end_lt: late!.trace_end_lt },
    { account, start_utime: early!.trace_end_utime, end_utime: late!.trace_end_utime },
  ]);
}

describe('actions of an account', () => {
  it('match a naive evaluation, with roles and bounds', async () => {
    const found = new Set<string>();
    for (const query of bothOrders(queries())) {
      const actions: ShownAction[] = await client.rows(query);
      expect(shown(actions), JSON.stringify(query)).toEqual(expectedOf(query));
      for (const { roles } of actions) for (const role of roles) found.add(role);
    }
    expect([...found].sort()).toEqual([...ACTION_ROLES].sort());
  });

  it('come in pages of whole traces by cursor, without repetitions or gaps', async () => {
    for (const query of bothOrders(
      accounts.flatMap((account): ListQuery[] => [{ account }, { account, role: 'initiated' }]),
    )) {
      const whole = expectedOf(query);
      const limit = Math.ceil((tracesOf(whole).length + 1) / 4);
      const all: ShownAction[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const answer = await client.inject({ ...query, limit: `${limit}`, ...(cursor && { cursor }) });
        const page: { actions: ShownAction[]; cursor?: string } = answer.json();
        expect(tracesOf(page.actions).length).toBe(
          Math.min(limit, tracesOf(whole).length - tracesOf(all).length),
        );
        expect(answer.headers['x-tongate-next-cursor']).toBe(page.cursor);
        all.push(...page.actions);
        cursor = page.cursor;
      }
      expect(shown(all), JSON.stringify(query)).toEqual(whole);
    }
  });

  it('are skipped by whole traces', async () => {
    const [account] = accounts as [string];
    const whole = expectedOf({ account });
    const [, second, third] = tracesOf(whole);
    const { actions } = await client.ask({ account, offset: '1', limit: '2' });
    expect(shown(actions)).toEqual(whole.filter(({ trace_id }) => trace_id === second || trace_id === third));
  });

  it('end early where traces without them are many, with a cursor', async () => {
    const [account] = accounts as [string];
    const supported = [...expandActionTypes([])];
    const reader = new TransactionReader(test.database.primary);
    const query = {
      account: rows.flatMap((row) => row.accounts).find((one) => formatAccount(one) === account)!,
      span: {},
      types: { shown: supported, hiding: supported },
      wanted: { needsInitiator: false, isWanted: (row: ActionRow) => row.type === 'jetton_transfer' },
      sort: 'desc',
      maxMisses: 2,
    } as const;
    expect(accountActionsOrder(query)).toHaveLength(2);
    const all: ActionRow[] = [];
    let [after, short]: [readonly string[] | undefined, number] = [undefined, 0];
    do {
      const page = await readAccountActions(reader, { ...query, page: { limit: 3, offset: 0, after } });
      all.push(...page.rows);
      after = page.cursor;
      if (after !== undefined && new Set(page.rows.map((row) => formatHash(row.trace_id))).size < 3) short++;
    } while (after !== undefined);
    const wanted = rows
      .filter(({ type }) => type === 'jetton_transfer')
      .map((row) => formatHash(row.action_id));
    expect(all.map((row) => formatHash(row.action_id))).toEqual(
      expectedOf({ account }).flatMap(({ action_id: id }) => (wanted.includes(id) ? [id] : [])),
    );
    expect(short).toBeGreaterThan(1);
  });

  it('match our document, with accounts and transactions on request, also by POST', async () => {
    const [account] = accounts as [string];
    const check = documentCheck();
    const plain = await client.ask({ account, limit: '5' });
    const full = await client.ask({ account, limit: '5', include_accounts: '1', include_transactions: '1' });
    for (const answer of [plain, full]) expect(check(NAME, answer)).toBe('');
    for (const action of full.actions) {
      expect(action.accounts).toContain(account);
      expect(action.transactions_full).toHaveLength(action.transactions.length);
    }
    const posted = await app.inject({
      method: 'POST',
      url: `/api/v3/${NAME}`,
      payload: { account, limit: 5, supported_action_types: ['latest'] },
    });
    expect(posted.json()).toEqual(plain);
    expect((await client.ask({ account: `0:${'12'.repeat(32)}` })).actions).toEqual([]);
  });

  it('refuse a missing account, an unknown role, a wrong limit and a cursor of another list', async () => {
    const [account] = accounts as [string];
    const refusal = async (query: ListQuery) => {
      const answer = await client.inject(query);
      expect(answer.statusCode, answer.body).toBe(422);
      return answer.json().error;
    };
    expect(await refusal({ role: 'sender' })).toBe('account is required');
    expect(await refusal({ account, role: 'owner' })).toBe(
      'role should be one of: sender, receiver, initiated, observer',
    );
    const { cursor } = await client.ask({ account, limit: '1' });
    expect(await refusal({ account, sort: 'asc', cursor })).toContain('cursor is not one of this list');
    await checkRefusals(
      app,
      NAME,
      {
        account: ['0:12', 'x', '', 'null'],
        role: ['Sender', 'all', '1'],
        start_utime: ['-1', 'x', ''],
        end_utime: ['-1', 'x', ''],
        start_lt: ['-1', '1.5'],
        end_lt: ['-1', '1.5'],
        supported_action_types: ['\0'],
        include_accounts: ['yes'],
        include_transactions: ['2'],
        sort: ['up'],
      },
      { account },
    );
  });
});
