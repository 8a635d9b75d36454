import type { FastifyInstance } from 'fastify';
import type { Selectable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlocksTable } from '../../src/db/tables/tables.ts';
import { createV3Operations } from '../../src/v3/operations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled, sampleOf } from '../support/long-run.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import {
  bothOrders,
  createListClient,
  expectRefusals,
  filterPairs,
  type ListQuery,
  pageSizes,
  type ValuesToTry,
} from './support/list-queries.ts';
import { contractCheck, documentCheck, missingContract } from './support/response-schemas.ts';

type Block = Selectable<BlocksTable>;
type Json = Readonly<Record<string, unknown>>;

let test: TestDatabase;
let app: FastifyInstance;
let blocks: ReturnType<typeof createListClient>;
let shards: ReturnType<typeof createListClient>;
let state: ReturnType<typeof createListClient>;
let all: Block[];
beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  blocks = createListClient(app, 'blocks');
  shards = createListClient(app, 'masterchainBlockShards', 'blocks');
  state = createListClient(app, 'masterchainBlockShardState', 'blocks');
  all = await test.database.primary.selectFrom('blocks').selectAll().execute();
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const b64 = (hash: Buffer) => hash.toString('base64');
const hex = (shard: string) => BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase();
const idOf = ({ workchain, shard, seqno }: Json) => `${workchain},${shard},${seqno}`;
const idOfRow = ({ workchain, shard, seqno }: Block) => `${workchain},${hex(shard)},${seqno}`;

const TESTS: Readonly<Record<string, (row: Block, value: string) => boolean>> = {
  workchain: (row, value) => row.workchain === Number(value),
  shard: (row, value) => hex(row.shard) === value,
  seqno: (row, value) => row.seqno === Number(value),
  root_hash: (row, value) => b64(row.root_hash) === value,
  file_hash: (row, value) => b64(row.file_hash) === value,
  mc_seqno: (row, value) => row.mc_seqno === Number(value),
  start_utime: (row, value) => BigInt(row.gen_utime) >= BigInt(value),
  end_utime: (row, value) => BigInt(row.gen_utime) <= BigInt(value),
  start_lt: (row, value) => BigInt(row.start_lt) >= BigInt(value),
  end_lt: (row, value) => BigInt(row.start_lt) <= BigInt(value),
};

/** `workchains` is -1 where their order is the opposite. */
function listSlowly(query: ListQuery, workchains: 1 | -1 = -1): string[] {
  const way = query.sort === 'asc' ? 1 : -1;
  const order = (a: bigint | number, b: bigint | number) => (a < b ? -way : a > b ? way : 0);
  return all
    .filter((row) =>
      Object.entries(query).every(([name, value]) => TESTS[name]?.(row, value as string) ?? true),
    )
    .toSorted(
      (a, b) =>
        order(BigInt(a.gen_utime), BigInt(b.gen_utime)) ||
        order(workchains * a.workchain, workchains * b.workchain) ||
        order(BigInt(a.shard), BigInt(b.shard)) ||
        order(a.seqno, b.seqno),
    )
    .map(idOfRow);
}

function valuesOf(): ValuesToTry {
  const sorted = all.toSorted((a, b) => Number(a.start_lt) - Number(b.start_lt));
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]!;
  const big = `${2n ** 64n - 1n}`;
  return {
    workchain: ['0', '-1', '5', '256'],
    shard: [hex(at(0.3).shard), hex(at(0.9).shard), 'ABCD'],
    seqno: [`${at(0.5).seqno}`, '1', '-7'],
    root_hash: [b64(at(0.2).root_hash)],
    file_hash: [b64(at(0.6).file_hash)],
    mc_seqno: [`${at(0.4).mc_seqno}`, '0'],
    start_utime: ['0', at(0.4).gen_utime],
    end_utime: [at(0.6).gen_utime, '4294967295'],
    start_lt: ['0', at(0.3).start_lt, big],
    end_lt: [at(0.7).start_lt, `${BigInt(at(0.5).start_lt) - 1n}`, big],
  };
}

describe('blocks', () => {
  it('matches a naive evaluation for every pair of filters and both orders', async () => {
    const queries = filterPairs(valuesOf());
    expect(queries.length).toBeGreaterThan(sampled(17, 500));
    for (const query of queries)
      expect((await blocks.rows(query)).map(idOf), JSON.stringify(query)).toEqual(listSlowly(query));
  });

  const LISTS: readonly (() => ListQuery)[] = [
    () => ({}),
    () => ({ workchain: '0', start_utime: '1' }),
    () => ({ start_lt: valuesOf().start_lt![1]! }),
    () => ({ seqno: '1' }),
  ];
  it.each(LISTS.map((query, at) => [at, query] as const))(
    'pages of list %i add up to the list',
    async (at, query) => {
      for (const asked of sampleOf(bothOrders([query()]), 1, at)) {
        const whole = listSlowly(asked);
        expect(whole.length).toBeGreaterThan(0);
        for (const limit of pageSizes(whole.length, at)) {
          expect((await blocks.byOffset(asked, limit)).map(idOf)).toEqual(whole);
          expect((await blocks.byCursor(asked, limit)).map(idOf)).toEqual(whole);
        }
      }
    },
    300_000,
  );

  it(`matches the contract and contains all columns of the index${missingContract}`, async () => {
    const answer = await blocks.ask({ limit: '1000' });
    expect(answer.blocks).toHaveLength(all.length);
    expect(documentCheck()('blocks', answer)).toBe('');
    if (missingContract === '') expect(contractCheck()('blocks', answer)).toBe('');
    const byId = new Map(all.map((row) => [idOfRow(row), row]));
    for (const block of answer.blocks) {
      const row = byId.get(idOf(block))!;
      const { shard: _, prev_shards, prev_seqnos, mc_seqno, ...columns } = row;
      const { masterchain_block_ref, prev_blocks, shard: __, ...shown } = block;
      expect(masterchain_block_ref).toEqual({ workchain: -1, shard: '8000000000000000', seqno: mc_seqno });
      const previous = prev_shards.map((shard, at) => ({
        workchain: row.workchain,
        shard: hex(shard),
        seqno: prev_seqnos[at],
      }));
      expect(prev_blocks).toEqual(previous);
      for (const [name, value] of Object.entries(columns))
        expect(`${shown[name]}`, name).toBe(Buffer.isBuffer(value) ? b64(value) : `${value}`);
    }
    expect(typeof answer.blocks[0].gen_utime).toBe('string');
    expect(typeof answer.blocks[0].vert_seqno).toBe('number');
  });

  it('refuses malformed values and names the parameter', async () => {
    const operation = operationOf('blocks');
    const [hash, number, int, time] = [
      ['zz', ''],
      ['-1', '1.5'],
      ['x', '2147483648'],
      ['-1', 'x', ''],
    ];
    await expectRefusals(operation, blocks, {
      workchain: int,
      shard: ['x', '0xg', ''],
      seqno: int,
      mc_seqno: int,
      root_hash: hash,
      file_hash: hash,
      start_utime: time,
      end_utime: time,
      start_lt: number,
      end_lt: number,
      limit: ['0', '-1', '1001', 'x'],
      offset: ['-1', 'x'],
      sort: ['up'],
      cursor: ['x', 'W10', 'e30'],
    });
  });
});

function operationOf(wanted: string) {
  return createV3Operations({ defaultLimit: 10, maxLimit: 1000 }).find(({ name }) => name === wanted)!;
}

const seqnos = () => [...new Set(all.map(({ mc_seqno }) => mc_seqno))].toSorted((a, b) => a - b);
const NO_BLOCKS = [404, { code: 404, error: 'blocks not found' }];

describe('masterchainBlockShards', () => {
  it('returns the blocks of a masterchain block in both orders and page by page', async () => {
    for (const seqno of sampleOf(seqnos(), 8)) {
      for (const query of bothOrders([{ seqno: `${seqno}` }])) {
        const whole = listSlowly({ mc_seqno: `${seqno}`, sort: query.sort! }, 1);
        expect((await shards.rows(query)).map(idOf)).toEqual(whole);
        expect((await shards.byOffset(query, 2)).map(idOf)).toEqual(whole);
        expect((await shards.byCursor(query, 3)).map(idOf)).toEqual(whole);
      }
    }
  });

  it('answers 404 for an unknown block', async () => {
    for (const seqno of ['0', '-1', '99999']) {
      const answer = await shards.inject({ seqno });
      expect([answer.statusCode, answer.json()]).toEqual(NO_BLOCKS);
    }
    expect(await shards.ask({ seqno: '3', offset: '1000' })).toEqual({ blocks: [] });
    const given = { ...shards, inject: (query: ListQuery) => shards.inject({ seqno: '3', ...query }) };
    await expectRefusals(operationOf('masterchainBlockShards'), given, {
      seqno: ['x', '1.5'],
      limit: ['0'],
      offset: ['-1'],
      sort: ['up'],
      cursor: ['x'],
    });
  });
});

describe('masterchainBlockShardState', () => {
  it(`returns the newest block of every shard${missingContract}`, async () => {
    const ours = documentCheck();
    const theirs = missingContract === '' ? contractCheck() : () => '';
    for (const seqno of seqnos()) {
      const found = (await state.ask({ seqno: `${seqno}` })) as { blocks: Json[] };
      expect([ours, theirs].map((check) => check('masterchainBlockShardState', found))).toEqual(['', '']);
      const known = all.filter(({ mc_seqno }) => mc_seqno <= seqno);
      const isPrevious = new Set(
        known.flatMap(({ workchain, prev_shards, prev_seqnos }) =>
          prev_shards.map((shard, at) => `${workchain},${hex(shard)},${prev_seqnos[at]}`),
        ),
      );
      const tops = known
        .filter((row) => !isPrevious.has(idOfRow(row)))
        .toSorted((a, b) => a.workchain - b.workchain || (BigInt(a.shard) < BigInt(b.shard) ? -1 : 1));
      expect(found.blocks.map(idOf)).toEqual(tops.map(idOfRow));
    }
  });

  it('answers 404 for an unknown block and 422 without a seqno', async () => {
    const answer = await state.inject({ seqno: '99999' });
    expect([answer.statusCode, answer.json()]).toEqual(NO_BLOCKS);
    const without = await state.inject({});
    expect([without.statusCode, without.json()]).toEqual([422, { code: 422, error: 'seqno is required' }]);
    await expectRefusals(operationOf('masterchainBlockShardState'), state, { seqno: ['x', '1e3'] });
  });
});

describe('masterchainInfo', () => {
  it(`returns the first and last block of the index${missingContract}`, async () => {
    const answer = await app.inject({ url: '/api/v3/masterchainInfo' });
    const { first, last } = answer.json();
    const masterchain = seqnos();
    expect([first.workchain, first.seqno]).toEqual([-1, masterchain[0]]);
    expect([last.workchain, last.seqno]).toEqual([-1, masterchain.at(-1)]);
    expect(documentCheck()('masterchainInfo', answer.json())).toBe('');
    if (missingContract === '') expect(contractCheck()('masterchainInfo', answer.json())).toBe('');
    const { etag } = answer.headers;
    const again = await app.inject({
      url: '/api/v3/masterchainInfo',
      headers: { 'if-none-match': `${etag}` },
    });
    expect(again.statusCode).toBe(304);
  });

  it('answers 404 while nothing is indexed', async () => {
    const empty = await createTestDatabase();
    const bare = await buildV3App({ ports: { ...NO_INDEX, database: empty.database } });
    const answer = await bare.inject({ url: '/api/v3/masterchainInfo' });
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      { code: 404, error: 'masterchain info not found' },
    ]);
    await bare.close();
    await empty.drop();
  });
});
