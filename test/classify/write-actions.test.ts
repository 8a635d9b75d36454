import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Action } from '../../src/actions/rules/action.ts';
import { accountKey } from '../../src/chain/address.ts';
import { toActionRow } from '../../src/classify/action-rows.ts';
import { accountPrefix, hashPrefix, storedTime } from '../../src/index/format/position.ts';
import { ensurePartitions } from '../../src/index/partitions.ts';
import { packTrace, replaceActions } from '../../src/index/write/stored-actions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { putTraces, readStoredActions } from '../support/stored-actions.ts';
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

/** A classified trace; its only account with a transaction is that of workchain 0 in `ACTION`. */
function classified(traceId: Buffer, actions: readonly Action[], endLt = 20n) {
  const trace = { traceId, mcSeqnoEnd: 9 };
  return {
    taken: { ...trace, nodes: 1, anySize: false, tries: 1 },
    facts: {
      ...trace,
      traceId: traceId.toString('base64'),
      externalHash: base64(10),
      externalHashNorm: null,
      startLt: 1n,
      endLt,
      startUtime: 2,
      endUtime: 4_294_967_000,
      transactions: [],
    },
    accounts: new Map([[raw(0, 5), accountKey(0, hash(5))]]),
    actions,
  };
}

async function write(...traces: readonly ReturnType<typeof classified>[]): Promise<void> {
  await putTraces(
    database.database.primary,
    traces.map(({ taken, facts }) => ({
      traceId: taken.traceId,
      end_lt: `${facts.endLt}`,
      end_utime: storedTime(facts.endUtime),
      mc_seqno_end: taken.mcSeqnoEnd,
    })),
  );
  const connections = openConnections(database);
  await connections.transact((client) =>
    replaceActions(
      client,
      traces.map(({ taken }) => taken),
      traces.flatMap(
        (trace) =>
          packTrace({
            ...trace,
            actions: trace.actions.map((action) => toActionRow(action, trace.facts)),
          }) ?? [],
      ),
    ),
  );
  await connections.close();
}

const rowsOf = async (table: 'action_keys' | 'action_accounts') => {
  const column = sql.ref(table === 'action_keys' ? 'key' : 'acc8');
  const { rows } = await sql<{ text: string }>`
    select trace8 || ' ' || ${column} as text from ${sql.table(table)} order by 1`.execute(
    database.database.primary,
  );
  return rows.map(({ text }) => text);
};

it('stored actions are read back unchanged, as far as columns exist', async () => {
  await write(classified(hash(1), [ACTION]));
  const db = database.database.primary;
  expect(await readStoredActions(db)).toEqual([
    {
      trace_id: hash(1),
      trace_mc_seqno_end: 9,
      trace_end_lt: '20',
      trace_end_utime: '4294967000',
      action_id: hash(2),
      type: 'jetton_swap',
      ancestor_type: ['a', 'b'],
      end_lt: String(2n ** 62n),
      end_utime: '4294967295',
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
  expect(await rowsOf('action_keys')).toEqual([]);
  expect(await rowsOf('action_accounts')).toEqual([
    `${hashPrefix(hash(1))} ${accountPrefix(accountKey(-1, hash(6)))}`,
  ]);
});

/** A trace id that shares its prefix with `hash(1)`. */
const ALIKE = Buffer.concat([hash(1).subarray(0, 8), Buffer.alloc(24, 9)]);

it('replacing the actions of a trace leaves a trace with the same prefix and end alone', async () => {
  const of = (id: Buffer, type: string, byte: number): Action => ({
    ...ACTION,
    trace_id: id.toString('base64'),
    type,
    action_id: base64(byte),
    accounts: [raw(0, 6)],
  });
  const other = [of(ALIKE, 'evaa_supply', 30), of(ALIKE, 'ton_transfer', 31)];
  await write(
    classified(hash(1), [of(hash(1), 'evaa_supply', 20), of(hash(1), 'unknown', 21)]),
    classified(ALIKE, other),
  );
  const trace8 = hashPrefix(hash(1));
  const types = async () => {
    const rows = await readStoredActions(database.database.primary);
    return rows.map(({ trace_id, type }) => `${trace_id.at(-1)} ${type}`).sort();
  };
  expect(await types()).toEqual(['1 evaa_supply', '1 unknown', '9 evaa_supply', '9 ton_transfer']);
  expect(await rowsOf('action_keys')).toHaveLength(4);
  await write(classified(hash(1), [of(hash(1), 'ton_transfer', 22)]));
  expect(await types()).toEqual(['1 ton_transfer', '9 evaa_supply', '9 ton_transfer']);
  const account = accountPrefix(accountKey(0, hash(6)));
  expect(await rowsOf('action_accounts')).toEqual([`${trace8} ${account}`, `${trace8} ${account}`]);
  expect(await rowsOf('action_keys')).toHaveLength(2);
  // Without actions nothing of it remains.
  await write(classified(hash(1), []));
  expect(await types()).toEqual(['9 evaa_supply', '9 ton_transfer']);
  expect(await rowsOf('action_accounts')).toEqual([`${trace8} ${account}`]);
  expect(await rowsOf('action_keys')).toHaveLength(2);
});
