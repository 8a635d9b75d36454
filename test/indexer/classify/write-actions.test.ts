import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { ensurePartitions } from '../../../src/db/partitions.ts';
import type { Action } from '../../../src/indexer/actions/action.ts';
import {
  ACTION_ACCOUNT_COLUMNS,
  ACTION_COLUMNS,
  ActionRows,
} from '../../../src/indexer/classify/write-actions.ts';
import { copyIn } from '../../../src/indexer/write/copy-in.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openConnections } from './support/classifying.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await ensurePartitions(database.database.primary, { from: 0, to: 0, width: 100 });
});
afterAll(() => database?.drop());

const hash = (byte: number) => Buffer.alloc(32, byte);
const base64 = (byte: number) => hash(byte).toString('base64');
const raw = (workchain: number, byte: number) => `${workchain}:${hash(byte).toString('hex').toUpperCase()}`;

const ACTION: Action = {
  trace_id: base64(1),
  action_id: base64(2),
  parent_action_id: base64(3),
  type: 'jetton_swap',
  ancestor_type: ['a', 'b'],
  success: false,
  start_lt: 5n,
  end_lt: 2n ** 62n,
  start_utime: 7,
  end_utime: 4_294_967_295,
  mc_seqno_end: 8,
  tx_hashes: [base64(1), base64(4)],
  accounts: [raw(0, 5), raw(-1, 6), raw(0, 5), raw(300, 5)],
  source: raw(-1, 0xab),
  source_secondary: null,
  destination: raw(1000, 1),
  destination_secondary: 'none',
  asset: raw(0, 7),
  asset_secondary: null,
  asset2: null,
  asset2_secondary: null,
  opcode: 0xffff_ffff,
  value: 2n ** 256n,
  amount: -1n,
  value_extra_currencies: { '7': '12' },
  data: {
    jetton_swap_data: {
      amount: 2n ** 100n,
      text: 'a\0b\ud800c',
      flag: true,
      nothing: null,
      number: 7,
      list: [{ deep: 3n }, 'x'],
    },
  },
};

it('stored actions are read back unchanged, as far as columns exist', async () => {
  const rows = new ActionRows();
  rows.add({
    taken: { traceId: hash(1), mcSeqnoEnd: 9, nodes: 1, anySize: false, tries: 1 },
    facts: {
      traceId: base64(1),
      externalHash: base64(10),
      externalHashNorm: null,
      mcSeqnoEnd: 9,
      startLt: 1n,
      endLt: 20n,
      startUtime: 2,
      endUtime: 30,
      transactions: [],
    },
    accounts: new Map(),
    undetected: [],
    classification: { state: 'ok', actions: [ACTION] },
  });
  const connections = openConnections(database);
  await connections.transact(
    async (client) => {
      await copyIn(client, 'actions', ACTION_COLUMNS, [rows.actions.rows()]);
      await copyIn(client, 'action_accounts', ACTION_ACCOUNT_COLUMNS, [rows.accounts.rows()]);
    },
    (commit) => commit(),
  );
  await connections.close();
  const db = database.database.primary;
  const trace = { trace_id: hash(1), trace_mc_seqno_end: 9, trace_end_lt: '20', trace_end_utime: '30' };
  const own = { action_id: hash(2), type: 'jetton_swap', ancestor_type: ['a', 'b'] };
  const ends = { end_lt: String(2n ** 62n), end_utime: '4294967295' };
  expect(await db.selectFrom('actions').selectAll().execute()).toEqual([
    {
      ...trace,
      ...own,
      ...ends,
      trace_external_hash: hash(10),
      trace_external_hash_norm: null,
      parent_action_id: hash(3),
      success: false,
      start_lt: '5',
      start_utime: '7',
      mc_seqno_end: 8,
      tx_hashes: [hash(1), hash(4)],
      accounts: [accountKey(0, hash(5)), accountKey(-1, hash(6))],
      source: accountKey(-1, hash(0xab)),
      source_secondary: null,
      destination: Buffer.from(raw(1000, 1)),
      destination_secondary: Buffer.from('none'),
      asset: accountKey(0, hash(7)),
      asset_secondary: null,
      asset2: null,
      asset2_secondary: null,
      opcode: '4294967295',
      value: String(2n ** 256n),
      amount: '-1',
      value_extra_currencies: { '7': '12' },
      data: {
        jetton_swap_data: {
          amount: String(2n ** 100n),
          text: 'ab\ufffdc',
          flag: true,
          nothing: null,
          number: 7,
          list: [{ deep: '3' }, 'x'],
        },
      },
    },
  ]);
  expect(await db.selectFrom('action_accounts').selectAll().orderBy('account').execute()).toEqual([
    { ...trace, ...own, ...ends, account: accountKey(0, hash(5)) },
    { ...trace, ...own, ...ends, account: accountKey(-1, hash(6)) },
  ]);
});
