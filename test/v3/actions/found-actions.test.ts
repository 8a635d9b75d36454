import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import type { ActionRow } from '../../../src/index/action-row.ts';
import { ensurePartitions } from '../../../src/index/partitions.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { hashOf } from '../../db/support/filled-index.ts';
import { coverSeqnos, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { isLongRun } from '../../support/long-run.ts';
import { clearActions, putActions } from '../../support/stored-actions.ts';
import { buildV3App, NO_INDEX } from '../support/build-app.ts';
import { checkCombinations } from '../support/list-checks.ts';
import { createListClient } from '../support/list-queries.ts';
import { type DemoAction, makeAction } from '../support/made-actions.ts';
import { scatter } from '../support/made-rows.ts';
import { listReferenceActions } from '../support/reference-actions.ts';

let test: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  test = await createTestDatabase();
  await ensurePartitions(test.database.primary, { from: 0, to: 299, width: 100 });
  await coverSeqnos(test.database.primary, { first: 0, last: 299 });
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

const toDemo = (row: ActionRow): DemoAction => ({ row, transactions: new Set(), messages: new Set() });
const b64 = (hash: Buffer) => hash.toString('base64');

/** Replaces all actions by these and compares lists of them with a naive evaluation. */
async function compare(rows: readonly ActionRow[], choices: Record<string, (string | string[])[]>) {
  await clearActions(test.database.primary);
  await putActions(test.database.primary, rows);
  const actions = rows.map(toDemo);
  return checkCombinations(app, {
    name: 'actions',
    key: 'actions',
    choices: { ...choices, sort: ['asc', 'desc'] },
    idOf: ({ action_id }) => action_id!,
    expected: (query) => listReferenceActions(actions, query),
  });
}

describe('actions', () => {
  it('are exact where ids and accounts have the same prefixes', async () => {
    const alike = (name: string, prefix: number) =>
      Buffer.concat([Buffer.alloc(8, prefix), hashOf(name).subarray(8)]);
    const accounts = [0, 1, 2, 3].map((i) => accountKey(i % 3 === 0 ? 0 : -1, alike(`account ${i >> 1}`, 7)));
    const rows = Array.from({ length: 60 }, (_, i) => {
      const trace = i >> 1;
      // More with the same end and prefix than are read at once.
      const lt = 1000 + Math.floor(trace / 20);
      return makeAction({
        type: ['ton_transfer', 'jetton_swap', 'evaa_supply'][scatter(i, 3)]!,
        data: null,
        trace_id: alike(`trace ${trace}`, trace % 3 === 0 ? 0xee : 0x11),
        action_id: alike(`action ${i}`, i % 3 === 0 ? 0xdd : 0x22),
        trace_mc_seqno_end: lt % 300,
        trace_end_lt: `${lt}`,
        trace_end_utime: `${1_700_000_000 + (trace >> 3)}`,
        end_lt: `${lt - scatter(i, 2)}`,
        accounts: [accounts[scatter(i, 4)]!],
      });
    });
    const found = await compare(rows, {
      account: accounts.slice(0, 3).map(formatAccount),
      trace_id: [[rows[0]!, rows[20]!].map(({ trace_id }) => b64(trace_id))],
      action_id: [[rows[3]!, rows[4]!, rows[40]!].map(({ action_id }) => b64(action_id))],
      action_type: ['evaa_supply', 'jetton_swap'],
      start_utime: ['1700000001'],
    });
    expect(found).toBeGreaterThan(300);
  });

  it('of a type are found wherever they are in a long history', async () => {
    const SLICE = 2 ** 28;
    const rows = Array.from({ length: 200 }, (_, i) => {
      // Swaps only in the middle and at the end, where there are gaps without any action too.
      const isLate = i > 150;
      const place = isLate ? 40 * i : i;
      const type = (i > 80 && i < 90) || (isLate && i % 7 === 0) ? 'jetton_swap' : 'call_contract';
      return makeAction({
        type: i % 50 === 3 ? 'tgbtc_mint' : type,
        data: null,
        trace_id: hashOf(`slice ${i}`),
        action_id: hashOf(`slice action ${i}`),
        trace_mc_seqno_end: i,
        trace_end_lt: String(place * SLICE + scatter(i, SLICE)),
        trace_end_utime: String(1_700_000_000 + place),
      });
    });
    const found = await compare(rows, {
      action_type: ['jetton_swap', ['jetton_swap', 'tgbtc_mint'], 'tgbtc_mint', 'contract_deploy'],
      supported_action_types: ['latest,tgbtc'],
      start_lt: [String(85 * SLICE)],
      end_lt: [String(160 * 40 * SLICE)],
      end_utime: [String(1_700_000_000 + 170 * 40)],
    });
    expect(found).toBeGreaterThan(300);
  });

  it.skipIf(!isLongRun)('of very large traces are read one after the other', async () => {
    const rows = Array.from({ length: 4 }, (_, i) =>
      makeAction({
        type: 'ton_transfer',
        data: { ton_transfer_data: { content: `text ${randomBytes(5_000_000).toString('base64')}` } },
        trace_id: hashOf(`large ${i}`),
        action_id: hashOf(`large action ${i}`),
        trace_end_lt: String(1000 + i),
      }),
    );
    await clearActions(test.database.primary);
    await putActions(test.database.primary, rows);
    const { actions } = await createListClient(app, 'actions').ask({ sort: 'asc', limit: '10' });
    expect(actions.map(({ action_id }: { action_id: string }) => action_id)).toEqual(
      rows.map(({ action_id }) => b64(action_id)),
    );
  });
});
