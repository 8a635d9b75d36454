import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../src/index/partitions.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { coverSeqnos, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { putActions } from '../../support/stored-actions.ts';
import { buildV3App, NO_INDEX } from '../support/build-app.ts';
import { checkCombinations } from '../support/list-checks.ts';
import { type DemoAction, makeAction } from '../support/made-actions.ts';
import { blocksOf, made, rawMade, scatter, shardStateOf } from '../support/made-rows.ts';
import { listReferenceActions } from '../support/reference-actions.ts';

const [BLOCKS, FIRST_TIME, STEP_SECONDS, STEP_LT, AHEAD_SECONDS] = [60, 1_700_000_000, 100, 1_000_000, 800];
const TYPES = ['ton_transfer', 'jetton_swap', 'nft_mint', 'evaa_supply'];

/**
 * Actions of traces that ended in two shards, one with a clock ahead of the other: the order of time differs from that of
 * logical time. Several traces have the same time or logical time, and several actions belong to one trace.
 */
const ACTIONS: readonly DemoAction[] = Array.from({ length: 2 * BLOCKS }, (_, i) => {
  const trace = Math.max(0, i - scatter(i, 2));
  const block = Math.floor(trace / 2);
  const time = FIRST_TIME + block * STEP_SECONDS + scatter(trace, 2) * AHEAD_SECONDS;
  const row = makeAction({
    type: TYPES[scatter(i + 5000, TYPES.length)]!,
    data: null,
    action_id: hashOf(`timed ${i}`),
    trace_id: hashOf(`timed trace ${trace}`),
    trace_mc_seqno_end: block,
    trace_end_lt: String(block * STEP_LT),
    trace_end_utime: String(time),
    end_lt: String(block * STEP_LT - scatter(i, 7)),
    end_utime: String(time - scatter(i, 9)),
    ancestor_type: i % 9 === 4 ? ['evaa_supply'] : [],
    accounts: [made('person', scatter(i, 4)), made('other', scatter(i, 3))],
  });
  return { row, transactions: new Set(), messages: new Set() };
});

let test: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  test = await createTestDatabase();
  const db = test.database.primary;
  await ensurePartitions(db, { from: 0, to: BLOCKS, width: 20 });
  await coverSeqnos(db, { first: 0, last: BLOCKS });
  const seqnos = Array.from({ length: BLOCKS }, (_, i) => i);
  const blocks = seqnos.flatMap((i) =>
    blocksOf(i, FIRST_TIME + i * STEP_SECONDS, i * STEP_LT, AHEAD_SECONDS),
  );
  await db.insertInto('blocks').values(blocks).execute();
  await db.insertInto('shard_states').values(seqnos.map(shardStateOf)).execute();
  const rows = ACTIONS.map(({ row }) => row);
  await putActions(db, rows);
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

describe('actions in the order of time', () => {
  it('include all actions of a span even if shard clocks disagree', async () => {
    const time = (blocks: number) => `${FIRST_TIME + blocks * STEP_SECONDS}`;
    const found = await checkCombinations(app, {
      name: 'actions',
      key: 'actions',
      bases: [{ start_utime: time(10) }, { end_utime: time(45) }],
      choices: {
        account: [rawMade('person', 0), rawMade('other', 1)],
        action_type: ['jetton_swap', 'nft_mint,ton_transfer'],
        exclude_action_type: ['ton_transfer'],
        supported_action_types: ['v1'],
        mc_seqno: ['30'],
        start_utime: [time(20)],
        end_utime: [time(30)],
        start_lt: [`${15 * STEP_LT}`],
        end_lt: [`${40 * STEP_LT}`],
        sort: ['asc', 'desc'],
      },
      idOf: ({ action_id }) => action_id!,
      expected: (query) => listReferenceActions(ACTIONS, query),
    });
    expect(found).toBeGreaterThan(500);
  });
});
