import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatAccount } from '../../src/v3/values.ts';
import { hashOf } from '../db/support/filled-index.ts';
import { FIRST_START, madeHistory, PERIOD, writeHistory } from '../ingest/validators/made-history.ts';
import { coverSeqnos, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { adnlOf, DESCRIPTION, keyOf, RULES, setCell, setOf } from '../support/made-elector.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { checkCombinations, checkForms, checkRefusals } from './support/list-checks.ts';
import { createListClient, type ListQuery, sortBy } from './support/list-queries.ts';
import { accountOf, EVENTS, putValidators } from './support/made-validators.ts';

const rawOf = (number: number) => formatAccount(accountOf(number));
const hex = (key: Buffer) => key.toString('hex').toUpperCase();
const [E1, E2, E3, E4] = [0, 1, 2, 3].map((number) => FIRST_START + number * PERIOD) as [
  number,
  number,
  number,
  number,
];

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  await coverSeqnos(test.database.primary, { first: 1, last: EVENTS.length });
  await putValidators(test);
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

const client = (name: string) => createListClient(app, `validators/${name}`, name);
/** A row that is one of the wanted ones, whose parameters have one value each. */
const isWanted = (query: ListQuery, name: string, value: unknown) =>
  query[name] === undefined || query[name] === String(value);
const isWithin = ({ start_utime, end_utime }: ListQuery, time: number) =>
  time >= Number(start_utime ?? 0) && time <= Number(end_utime ?? Number.MAX_SAFE_INTEGER);
const inOrder = (query: ListQuery, ids: readonly string[]) => (query.sort === 'asc' ? ids : ids.toReversed());
const BOTH = ({ stake_holder_address, adnl_address, ...query }: ListQuery) =>
  (stake_holder_address !== undefined && adnl_address !== undefined) ||
  Number(query.start_utime ?? 0) > Number(query.end_utime ?? Number.MAX_SAFE_INTEGER);
const STAKES = {
  stake_holder_address: [rawOf(2), rawOf(77)],
  adnl_address: [hex(adnlOf(2)), adnlOf(3).toString('base64')],
  validator_pubkey: [hex(keyOf(2)), keyOf(3).toString('base64url')],
};
const isStake = (query: ListQuery, number: number) =>
  isWanted(query, 'stake_holder_address', rawOf(number)) &&
  [hex(adnlOf(number)), adnlOf(number).toString('base64'), undefined].includes(
    query.adnl_address as string,
  ) &&
  [hex(keyOf(number)), keyOf(number).toString('base64url'), undefined].includes(
    query.validator_pubkey as string,
  );

describe('validators/events', () => {
  it('lists events by every filter, in both orders, whole and in pages', async () => {
    const rows = await checkCombinations(app, {
      name: 'validators/events',
      key: 'events',
      choices: {
        ...STAKES,
        type: ['stake_rejected', 'recover_failed', 'stake_recovered'],
        start_utime: ['1790000003'],
        end_utime: ['1790000007'],
        sort: ['asc', 'desc'],
      },
      idOf: (row) => row.tx_hash!,
      isRefused: BOTH,
      expected: (query) => {
        const found = EVENTS.filter((row) => {
          const number = [0, 1, 2, 3].find((one) => accountOf(one).equals(row.holder))!;
          const hasKeys = row.pubkey !== null || (query.adnl_address ?? query.validator_pubkey) === undefined;
          return (
            hasKeys &&
            isStake(query, number) &&
            isWanted(query, 'type', row.type) &&
            isWithin(query, Number(row.utime))
          );
        });
        const sorted = sortBy(
          found,
          ({ utime }) => Number(utime),
          ({ lt }) => BigInt(lt),
          ({ tx_hash }) => tx_hash,
        );
        return inOrder(
          query,
          sorted.map(({ tx_hash }) => tx_hash.toString('base64')),
        );
      },
    });
    expect(rows).toBeGreaterThan(60);
  });

  it('shows keys and reasons only where there are some, and echoes the bounds', async () => {
    const [row] = EVENTS.filter(({ type }) => type === 'stake_rejected');
    const answer = await client('events').ask({
      type: 'stake_rejected',
      limit: '1000',
      start_utime: '5',
      end_utime: '4e9',
    });
    expect(answer).toMatchObject({ start_utime: 5, end_utime: 4_000_000_000 });
    expect(answer.events).toContainEqual({
      tx_hash: row!.tx_hash.toString('base64'),
      tx_lt: row!.lt,
      utime: Number(row!.utime),
      type: 'stake_rejected',
      stake_holder_address: formatAccount(row!.holder),
      validator_pubkey: hex(row!.pubkey!),
      adnl_addr: hex(row!.adnl!),
      election_id: 1_790_010_000,
      query_id: '18446744073709551615',
      amount: row!.amount,
      reason: row!.reason,
    });
    const other = await client('events').ask({ type: 'recover_failed', limit: '1' });
    expect(Object.keys(other)).toEqual(['events', 'address_book']);
    expect(Object.keys(other.events[0]).sort()).toEqual(
      ['amount', 'query_id', 'stake_holder_address', 'tx_hash', 'tx_lt', 'type', 'utime'].sort(),
    );
  });
});

describe('validators/elections', () => {
  const PARTICIPANTS: Readonly<Record<number, readonly number[]>> = {
    [E1]: [1, 2, 3, 6],
    [E2]: [2, 3, 4],
    [E3]: [3, 4, 5],
    [E4]: [7],
  };

  it('lists elections by every filter, in both orders, whole and in pages', async () => {
    await checkCombinations(app, {
      name: 'validators/elections',
      key: 'elections',
      choices: {
        ...STAKES,
        election_id: [`${E2}`, '5'],
        finished: ['true', 'false'],
        start_utime: [`${E2}`],
        end_utime: [`${E3}`],
        sort: ['asc', 'desc'],
      },
      idOf: (row) => `${row.election_id}`,
      isRefused: BOTH,
      expected: (query) =>
        inOrder(
          query,
          [E1, E2, E3, E4]
            .filter(
              (id) =>
                isWanted(query, 'election_id', id) &&
                isWanted(query, 'finished', id !== E4) &&
                isWithin(query, id) &&
                PARTICIPANTS[id]!.some((number) => isStake(query, number)),
            )
            .map(String),
        ),
    });
  });

  it('keeps participants after the election was closed, with their places in the set', async () => {
    const { elections, address_book } = await client('elections').ask({
      election_id: `${E1}`,
      return_participants: '1',
    });
    const participant = (number: number, index?: number) => ({
      validator_pubkey: hex(keyOf(number)),
      ...(index !== undefined && { validator_index: index }),
      stake: `${5000 + number}`,
      max_factor: 65_536 + number,
      stake_holder_address: rawOf(number),
      adnl_addr: hex(adnlOf(number)),
    });
    expect(elections).toEqual([
      {
        election_id: E1,
        elect_close: E1 - 100,
        min_stake: '300',
        total_stake: '20012',
        total_participants: 4,
        failed: false,
        finished: true,
        participants: [participant(6), participant(3, 2), participant(2, 1), participant(1, 0)],
      },
    ]);
    expect(Object.keys(address_book).sort()).toEqual([1, 2, 3, 6].map(rawOf).sort());
  });

  it('includes only the participants that match, and none unless requested', async () => {
    const query = { stake_holder_address: rawOf(2), return_participants: 'true' };
    const { elections, address_book } = await client('elections').ask(query);
    expect(elections.map(({ election_id }: { election_id: number }) => election_id)).toEqual([E2, E1]);
    for (const { participants, total_participants } of elections) {
      expect(participants.map((one: { stake: string }) => one.stake)).toEqual(['5002']);
      expect(total_participants).toBeGreaterThan(2);
    }
    expect(Object.keys(address_book)).toEqual([rawOf(2)]);
    const [plain] = (await client('elections').ask({})).elections;
    expect(plain).toEqual({
      election_id: E4,
      elect_close: E4 - 100,
      min_stake: '1',
      total_stake: '5007',
      total_participants: 1,
      failed: true,
      finished: false,
    });
  });
});

describe('validators/cycles', () => {
  const MEMBERS: Readonly<Record<number, readonly number[]>> = {
    [E1]: [1, 2, 3],
    [E2]: [2, 3, 4],
    [E3 + 50]: [3, 4, 5],
  };
  const ELECTIONS: Readonly<Record<number, number>> = { [E1]: E1, [E2]: E2, [E3 + 50]: E3 };

  it('lists cycles by every filter, in both orders, whole and in pages', async () => {
    await checkCombinations(app, {
      name: 'validators/cycles',
      key: 'cycles',
      choices: {
        ...STAKES,
        cycle_start: [`${E2}`, `${E3}`],
        election_id: [`${E3}`, '5'],
        start_utime: [`${E2}`],
        end_utime: [`${E2}`],
        sort: ['asc', 'desc'],
      },
      idOf: (row) => `${row.cycle_start}`,
      isRefused: BOTH,
      expected: (query) =>
        inOrder(
          query,
          [E1, E2, E3 + 50]
            .filter(
              (start) =>
                isWanted(query, 'cycle_start', start) &&
                isWanted(query, 'election_id', ELECTIONS[start]) &&
                isWithin(query, start) &&
                MEMBERS[start]!.some((number) => isStake(query, number)),
            )
            .map(String),
        ),
    });
  });

  it('finds the election by the hash of the set, and shows the rules and the members', async () => {
    const { cycles } = await client('cycles').ask({ cycle_start: `${E3 + 50}`, return_validators: '1' });
    expect(cycles).toEqual([
      {
        election_id: E3,
        cycle_start: E3 + 50,
        cycle_end: E3 + 1050,
        total: 3,
        main: 1,
        total_weight: '42',
        total_stake: '3042',
        validators_elected_for: RULES.electedFor,
        elections_start_before: RULES.startBefore,
        elections_end_before: RULES.endBefore,
        stake_held_for: RULES.stakeHeldFor,
        max_validators: 400,
        max_main_validators: 100,
        min_validators: 2,
        min_stake: '1013',
        max_stake: '1015',
        min_stake_limit: '300',
        max_stake_limit: '10000',
        min_total_stake: '600',
        max_stake_factor: 196_608,
        validators: [3, 4, 5].map((number, index) => ({
          validator_index: index,
          validator_pubkey: hex(keyOf(number)),
          adnl_addr: hex(adnlOf(number)),
          weight: `${number + 10}`,
          stake_holder_address: rawOf(number),
          stake: `${1010 + number}`,
          max_factor: 65_536 + number,
          complaints: [],
        })),
      },
    ]);
  });

  it('shows stakes as they were before a fine, with the complaints about each validator', async () => {
    const query = { election_id: `${E1}`, validator_pubkey: hex(keyOf(1)), return_validators: 'true' };
    const { cycles, address_book } = await client('cycles').ask(query);
    expect(cycles).toMatchObject([{ total: 3, min_stake: '1011', total_stake: '3036' }]);
    const [{ validators }] = cycles;
    expect(validators).toHaveLength(1);
    expect(validators[0]).toMatchObject({ validator_index: 0, stake: '1011' });
    const { complaints } = await client('complaints').ask({ validator_pubkey: hex(keyOf(1)) });
    expect(validators[0].complaints).toEqual(complaints);
    const complainer = formatAccount(Buffer.concat([Buffer.of(0xff), hashOf('complainer')]));
    expect(Object.keys(address_book).sort()).toEqual([rawOf(1), complainer].sort());
  });

  it('leaves out the least and greatest stake if one is unknown', async () => {
    const other = await createTestDatabase();
    try {
      await writeHistory(other.url, [madeHistory()]);
      const db = other.database.primary;
      await db
        .updateTable('validator_cycle_members')
        .set({ stake: null })
        .where('cycle_start', '=', `${E2}`)
        .where('index', '=', 1)
        .execute();
      const separate = await buildV3App({ ports: { ...NO_INDEX, database: other.database } });
      const url = `/api/v3/validators/cycles?cycle_start=${E2}&return_validators=1`;
      const [cycle] = (await separate.inject({ url })).json().cycles;
      expect(cycle).toMatchObject({ total_stake: '3039' });
      expect(cycle).not.toHaveProperty('min_stake');
      expect(cycle).not.toHaveProperty('max_stake');
      expect(cycle.validators.map((one: object) => 'stake' in one)).toEqual([true, false, true]);
      await separate.close();
    } finally {
      await other.drop();
    }
  });
});

describe('validators/complaints', () => {
  const common = {
    severity: 1,
    reward_address: formatAccount(Buffer.concat([Buffer.of(0xff), hashOf('complainer')])),
    paid: '100',
    suggested_fine: '101',
    suggested_fine_part: 2 ** 31,
  };

  it('shows votes of a known set, negative remaining weight once passed', async () => {
    const { complaints } = await client('complaints').ask({ validator_pubkey: keyOf(1).toString('base64') });
    expect(complaints).toEqual([
      {
        ...common,
        cycle_start: E1,
        election_id: E1,
        complaint_hash: hashOf('complaint 1').toString('base64'),
        validator_pubkey: hex(keyOf(1)),
        adnl_addr: hex(adnlOf(1)),
        stake_holder_address: rawOf(1),
        description_boc: DESCRIPTION.toBoc({ idx: false, crc32: true }).toString('base64'),
        created_at: 1_790_076_001,
        voted_validators: [
          [0, 2],
          [2, 4],
        ].map(([index, number]) => ({
          validator_index: index,
          validator_pubkey: hex(keyOf(number!)),
          adnl_addr: hex(adnlOf(number!)),
          weight: `${number! + 10}`,
        })),
        vset_id: setCell(setOf(E2, [2, 3, 4]))
          .hash()
          .toString('base64'),
        weight_remaining: '-3',
        approved_percent: 74.359,
        is_passed: true,
      },
    ]);
  });

  it('needs two thirds of the current set without votes; a foreign key has no ADNL address', async () => {
    const { complaints } = await client('complaints').ask({ validator_pubkey: hex(keyOf(9)) });
    expect(complaints).toEqual([
      {
        ...common,
        cycle_start: E1,
        election_id: E1,
        complaint_hash: hashOf('complaint 9').toString('base64'),
        validator_pubkey: hex(keyOf(9)),
        adnl_addr: null,
        description_boc: '',
        created_at: 1_790_076_009,
        voted_validators: [],
        vset_id: Buffer.alloc(32).toString('base64'),
        weight_remaining: '26',
        approved_percent: 0,
        is_passed: false,
      },
    ]);
  });

  it('shows votes of an unknown set without keys, with the weight of its own cycle', async () => {
    const { complaints } = await client('complaints').ask({ election_id: `${E2}` });
    expect(complaints).toMatchObject([
      {
        cycle_start: E2,
        stake_holder_address: rawOf(2),
        voted_validators: [{ validator_index: 1 }],
        weight_remaining: '4',
        approved_percent: 56.41,
        is_passed: false,
      },
    ]);
    expect(complaints[0].voted_validators).toEqual([{ validator_index: 1 }]);
  });

  it('lists complaints by every filter, in both orders, whole and in pages', async () => {
    const rows = [
      { number: 1, election: E1, isMember: true },
      { number: 2, election: E2, isMember: true },
      { number: 9, election: E1, isMember: false },
    ];
    await checkCombinations(app, {
      name: 'validators/complaints',
      key: 'complaints',
      choices: {
        ...STAKES,
        cycle_start: [`${E1}`, '5'],
        election_id: [`${E1}`, `${E2}`],
        start_utime: ['1790076002'],
        end_utime: ['1790076002'],
        sort: ['asc', 'desc'],
      },
      idOf: (row) => `${row.created_at}`,
      isRefused: BOTH,
      expected: (query) =>
        inOrder(
          query,
          rows
            .filter(
              ({ number, election, isMember }) =>
                (isMember || (query.adnl_address ?? query.stake_holder_address) === undefined) &&
                isStake(query, number) &&
                isWanted(query, 'cycle_start', election) &&
                isWanted(query, 'election_id', election) &&
                isWithin(query, 1_790_076_000 + number),
            )
            .map(({ number }) => `${1_790_076_000 + number}`),
        ),
    });
  });
});

describe.each(['events', 'elections', 'cycles', 'complaints'])('validators/%s', (key) => {
  const name = `validators/${key}`;

  it('finds the same rows by a key in hex, base64 and base64url', async () => {
    for (const parameter of ['validator_pubkey', 'adnl_address']) {
      const value = parameter === 'adnl_address' ? adnlOf(2) : keyOf(2);
      const forms = [
        hex(value),
        value.toString('hex'),
        value.toString('base64'),
        value.toString('base64url'),
      ];
      const answers = await Promise.all(
        forms.map((form) =>
          client(key)
            .rows({ [parameter]: form })
            .catch(() => []),
        ),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]!.length).toBeGreaterThan(0);
    }
  });

  it('matches the contract', () =>
    checkForms(app, name, [{}, { sort: 'asc' }, { validator_pubkey: hex(keyOf(2)), start_utime: '1' }]));

  it('matches the contract with members of sets', async () => {
    const flag = { elections: 'return_participants', cycles: 'return_validators' }[key];
    if (flag === undefined) return;
    const answer = await client(key).inject({ [flag]: 'true', limit: '101' });
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { code: 422, error: `limit must not exceed 100 when ${flag} is true` },
    ]);
    expect((await client(key).inject({ [flag]: 'false', limit: '101' })).statusCode).toBe(200);
    expect((await client(key).inject({ [flag]: 'true', limit: '100' })).statusCode).toBe(200);
  });

  it('refuses malformed and conflicting parameters', async () => {
    const short = 'ab'.repeat(31);
    const text = (parameter: string) =>
      `${parameter} must be a 32-byte value in hex, base64 or base64url format`;
    const refusals: [ListQuery, string][] = [
      [
        { stake_holder_address: rawOf(1), adnl_address: hex(adnlOf(1)) },
        'provide either stake_holder_address or adnl_address, not both',
      ],
      [{ validator_pubkey: short }, text('validator_pubkey')],
      [{ adnl_address: short }, text('adnl_address')],
      [{ adnl_address: 'x' }, text('adnl_address')],
      [{ start_utime: '2', end_utime: '1' }, 'start_utime must be less than or equal to end_utime'],
      [{ sort: 'up' }, 'wrong value for sort parameter'],
      [{ limit: '1001' }, 'limit is not allowed: 1001 > 1000'],
      [{ limit: '0' }, 'limit is not allowed: 0 < 1'],
    ];
    for (const [query, error] of refusals) {
      const answer = await client(key).inject(query);
      expect([answer.statusCode, answer.json()]).toEqual([422, { code: 422, error }]);
    }
    await checkRefusals(app, name, {
      stake_holder_address: ['x', ''],
      start_utime: ['x', '-1'],
      ...(key === 'events' && { type: ['AAA', 'stake'] }),
      ...(key !== 'events' && { election_id: ['x', '1.5', '2147483648'] }),
      ...(key === 'cycles' && { return_validators: ['x'] }),
    });
  });

  it('tells the first of several errors in the order of the contract', async () => {
    const both = { stake_holder_address: rawOf(1), adnl_address: 'x' };
    const late = { start_utime: 'x', end_utime: 'x', sort: 'up' };
    const bounds = { start_utime: '2', end_utime: '1' };
    const decoding = (parameter: string) =>
      `failed to decode: schema: error converting value for "${parameter}"`;
    const keyText = (parameter: string) =>
      `${parameter} must be a 32-byte value in hex, base64 or base64url format`;
    const embedding = { elections: 'return_participants', cycles: 'return_validators' }[key as string];
    const refusals: [ListQuery, string][] = [
      [{ ...both, ...late, limit: 'x', offset: 'x' }, `${decoding('limit')} (and 1 other error)`],
      [
        { ...both, ...late, validator_pubkey: 'x', limit: '1001' },
        'provide either stake_holder_address or adnl_address, not both',
      ],
      [{ ...late, adnl_address: 'x', validator_pubkey: 'x', limit: '1001' }, keyText('validator_pubkey')],
      [{ ...late, adnl_address: 'x', limit: '1001' }, keyText('adnl_address')],
      [{ ...late, limit: '1001' }, `${decoding('start_utime')} (and 1 other error)`],
      [{ ...bounds, sort: 'up', limit: '1001' }, 'start_utime must be less than or equal to end_utime'],
      [{ sort: 'up', limit: '1001' }, 'wrong value for sort parameter'],
    ];
    if (embedding !== undefined)
      refusals.push([
        { ...late, [embedding]: 'true', limit: '1001' },
        `limit must not exceed 100 when ${embedding} is true`,
      ]);
    for (const [query, error] of refusals)
      expect((await client(key).inject(query)).json(), JSON.stringify(query)).toEqual({ code: 422, error });
  });

  it('has ten rows by default, and an empty address book on request', async () => {
    const query = { stake_holder_address: rawOf(1) };
    expect((await client(key).inject({})).json()[key].length).toBeLessThanOrEqual(10);
    if (key !== 'cycles') expect((await client(key).inject(query)).json().address_book).not.toEqual({});
    const answer = await client(key).inject(query, { 'x-no-address-book': '1' });
    expect(answer.json().address_book).toEqual({});
  });
});
