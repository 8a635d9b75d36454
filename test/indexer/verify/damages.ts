import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../src/db/tables.ts';
import { compressPage, joinSlots, openPage } from '../../../src/pages/page.ts';
import type { PackedSlot } from '../../../src/pages/slot-list.ts';

/** A corruption of an index. */
export interface Damage {
  readonly name: string;
  readonly table: string;
  /** The column that a difference must name; undefined for a missing or additional row. */
  readonly column?: string;
  /** Applies it and returns a function that reverts it. */
  readonly damage: (db: Kysely<Tables>) => Promise<() => Promise<void>>;
}

/** Changes one column of a row in the middle of a table. */
function changed(table: string, column: string, value: string, where = 'true'): Damage {
  return {
    name: `a wrong ${column} in ${table}`,
    table,
    column,
    damage: (db) => change(db, table, `update ${table} t set ${column} = ${value}`, where),
  };
}

/** Changes a row and restores it later. Any row will do, but the choice must be deterministic. */
async function change(db: Kysely<Tables>, table: string, statement: string, where: string) {
  const pick = `select tableoid, ctid from ${table} t where ${where} order by t::text limit 1`;
  const { rows } = await sql
    .raw<{ row: string; tableoid: string }>(
      `select t::text as row, tableoid from ${table} t where (tableoid, ctid) = (${pick})`,
    )
    .execute(db);
  if (rows[0] === undefined) throw new Error(`no row of ${table} where ${where}`);
  const { rows: after } = await sql
    .raw<{ row: string }>(`${statement} where (t.tableoid, t.ctid) = (${pick}) returning t::text as row`)
    .execute(db);
  const kept = rows[0].row.replaceAll("'", "''");
  const left = after[0]!.row.replaceAll("'", "''");
  return async () => {
    await sql.raw(`delete from ${table} t where t::text in ('${left}', '${kept}')`).execute(db);
    await sql.raw(`insert into ${table} select ('${kept}'::${table}).*`).execute(db);
  };
}

function removed(table: string, where = 'true'): Damage {
  return {
    name: `a row of ${table} that is missing`,
    table,
    damage: (db) => change(db, table, `delete from ${table} t`, where),
  };
}

/** A copy of a row with another key. */
function added(table: string, key: string, value: string, where = 'true'): Damage {
  return {
    name: `a row of ${table} that is too many`,
    table,
    damage: async (db) => {
      const { rows } = await sql
        .raw<{ row: string }>(
          `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object('${key}', ${value}))).*
         from (select * from ${table} t where ${where} order by t::text limit 1) t returning ${table}::text as row`,
        )
        .execute(db);
      const row = rows[0]!.row.replaceAll("'", "''");
      return async () => void (await sql.raw(`delete from ${table} t where t::text = '${row}'`).execute(db));
    },
  };
}

/** Rewrites a page with few slots; the body can only be changed outside of SQL. */
function rewritten(column: string, name: string, rewrite: (slots: PackedSlot[]) => PackedSlot[]): Damage {
  return {
    name: `a page with ${name}`,
    table: 'tx_pages',
    column,
    damage: async (db) => {
      const rows = await db.selectFrom('tx_pages').selectAll().orderBy('count').orderBy('page').execute();
      const row = rows.find(({ body }) => openPage(0, body).states(0).after?.status === 'active')!;
      const page = openPage(Number(row.page), row.body);
      const slots = Array.from({ length: page.count }, (_, slot) => page.packed(slot));
      const set = (body: Buffer) =>
        db.updateTable('tx_pages').set({ body }).where('page', '=', row.page).execute();
      await set(await compressPage(joinSlots(rewrite(slots))));
      return async () => void (await set(row.body));
    },
  };
}

/** A copy of bytes with one of them changed. */
function withWrongByte(bytes: Buffer, at: number): Buffer {
  const wrong = Buffer.from(bytes);
  wrong[at]! ^= 1;
  return wrong;
}

const PAGE_DAMAGES: readonly Damage[] = [
  rewritten('block_seqno', 'another block', ([slot, ...rest]) => [
    { ...slot!, place: withWrongByte(slot!.place, 14) },
    ...rest,
  ]),
  // Flags of the states, flags of the state after, then its balance.
  rewritten('after_balance', 'another balance', ([slot, ...rest]) => [
    { ...slot!, states: withWrongByte(slot!.states, 3) },
    ...rest,
  ]),
  changed('tx_pages', 'last_seqno', 'last_seqno + 1'),
  {
    ...changed(
      'tx_pages',
      'traces',
      "set_byte(traces, 0, 129) || sha256('one') || sha256('two')",
      'get_byte(traces, 0) = 0',
    ),
    column: 'trace_id',
  },
];

const SMALLEST = 'count = (select min(count) from tx_pages)';
const OTHER_HASH = "sha256('other')";
const ACTIVE = "status = 'active' and mc_seqno > 0";

/** Each group is applied together. */
export const DAMAGES: readonly { readonly name: string; readonly damages: readonly Damage[] }[] = [
  {
    name: 'columns that are wrong',
    damages: [
      changed('blocks', 'gen_utime', 'gen_utime + 1'),
      changed('blocks', 'want_split', 'not want_split'),
      changed('shard_states', 'seqnos', 'array[1, 2]'),
      changed('transactions', 'total_fees', 'total_fees + 1'),
      changed('transactions', 'balance', 'null', 'balance is not null'),
      changed('transactions', 'compute_exit_code', '77', 'compute_exit_code = 0'),
      changed('transactions', 'trace_id', OTHER_HASH, 'trace_id <> hash'),
      changed('transactions', 'at', 'at + 1'),
      changed('messages', 'at', 'at + 1'),
      changed('messages', 'peer', 'account', 'peer is not null'),
      changed('messages', 'hash_norm', OTHER_HASH, 'ordinal = 0 and peer is null'),
      ...PAGE_DAMAGES,
      changed('traces', 'edges', 'edges + 1'),
      changed('trace_accounts', 'end_utime', 'end_utime + 1'),
      changed('jetton_transfers', 'amount', 'amount + 1'),
      changed('jetton_burns', 'custom_payload', `'\\x00'`),
      changed('nft_transfers', 'collection', 'account'),
      changed('latest_account_states', 'balance', 'balance + 1', ACTIVE),
      changed(
        'contract_codes',
        'methods',
        "'{1,2}'",
        `hash in (select code_hash from latest_account_states where ${ACTIVE})`,
      ),
      changed(
        'account_data',
        'boc',
        "'\\x00'",
        `account in (select account from latest_account_states where ${ACTIVE})`,
      ),
    ],
  },
  {
    name: 'rows that are missing',
    damages: [
      removed('blocks', 'mc_seqno = 7 and workchain = -1'),
      removed('transactions'),
      removed('tx_pages', SMALLEST),
      removed('messages', 'ordinal > 0'),
      removed('traces'),
      removed('trace_accounts'),
      removed('latest_account_states', ACTIVE),
      removed('jetton_transfers'),
      removed('nft_transfers'),
    ],
  },
  {
    name: 'rows that are too many',
    damages: [
      added('blocks', 'seqno', '1000000'),
      added('transactions', 'lt', '5'),
      added('tx_pages', 'page', '(t.page + 1)', SMALLEST),
      added('messages', 'ordinal', '100'),
      added('messages', 'tx_lt', '5'),
      added('traces', 'trace_id', "'\\x05'", 'nodes > 1'),
      added('trace_accounts', 'account', "'\\x05'"),
      added('jetton_transfers', 'lt', '5'),
      added('nft_transfers', 'lt', '5'),
      ...(['pending_messages', 'orphan_messages'] as const).map((table) => ({
        name: `a row of ${table} that is too many`,
        table,
        damage: async (db: Kysely<Tables>) => {
          await db
            .insertInto(table)
            .values({ hash: Buffer.of(5), trace_id: Buffer.of(5), mc_seqno: 7 })
            .execute();
          return async () => void (await db.deleteFrom(table).where('hash', '=', Buffer.of(5)).execute());
        },
      })),
    ],
  },
];
