import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import type { Tables } from '../../src/db/tables/tables.ts';
import { compressPage, joinSlots, openPage } from '../../src/index/format/page.ts';
import type { PackedSlot } from '../../src/index/format/slots.ts';
import type { Verification } from '../../src/verify/verify-range.ts';

/** A corruption of an index. */
export interface Damage {
  readonly name: string;
  readonly table: string;
  /** The column that a difference must name; undefined for a missing or additional row. */
  readonly column?: string;
  /** Applies it and returns a function that reverts it. */
  readonly damage: (db: Kysely<Tables>) => Promise<() => Promise<void>>;
}

/** Expects that a verification names each of some damages, which are applied together and reverted later. */
export async function expectFound(
  db: Kysely<Tables>,
  damages: readonly Damage[],
  verify: () => Promise<Verification>,
): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const { damage } of damages) undo.unshift(await damage(db));
    const { differences } = await verify();
    for (const { name, table, column } of damages) {
      const expected = expect.objectContaining(column === undefined ? { table } : { table, column });
      expect(differences, name).toContainEqual(expected);
    }
    // A damage must not make everything else look wrong, but a page holds many transactions with several rows each.
    expect(differences.length).toBeLessThan(Math.max(200, 10 * damages.length));
  } finally {
    for (const step of undo) await step();
  }
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

/** A copy of a row, in which one column is another. */
function added(table: string, column: string, value: string, where = 'true'): Damage {
  return {
    name: `a row of ${table} that is too many (${column})`,
    table,
    damage: async (db) => {
      const { rows } = await sql
        .raw<{ tableoid: string; ctid: string }>(
          `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object('${column}', ${value}))).*
         from (select * from ${table} t where ${where} order by t::text limit 1) t returning tableoid, ctid`,
        )
        .execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error(`no row of ${table} where ${where}`);
      const isRow = `tableoid = ${row.tableoid} and ctid = '${row.ctid}'`;
      return async () => void (await sql.raw(`delete from ${table} where ${isRow}`).execute(db));
    },
  };
}

/** Rewrites a page with few slots, but at least `min`; the body can only be changed outside of SQL. */
function rewritten(
  column: string,
  name: string,
  rewrite: (slots: PackedSlot[]) => PackedSlot[],
  min = 1,
): Damage {
  return {
    name: `a page with ${name}`,
    table: 'tx_pages',
    column,
    damage: async (db) => {
      const rows = await db.selectFrom('tx_pages').selectAll().orderBy('count').orderBy('page').execute();
      const row = rows.find(
        ({ body, count }) => count >= min && openPage(0, body).states(0).after?.status === 'active',
      )!;
      const page = openPage(Number(row.page), row.body);
      const slots = Array.from({ length: page.count }, (_, slot) => page.packed(slot));
      const set = (body: Buffer) =>
        db.updateTable('tx_pages').set({ body }).where('page', '=', row.page).execute();
      await set(compressPage(joinSlots(rewrite(slots))));
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

const WRONG_PAGES: readonly Damage[] = [
  rewritten('block_seqno', 'another block', ([slot, ...rest]) => [
    { ...slot!, place: withWrongByte(slot!.place, 14) },
    ...rest,
  ]),
  // Flags of the states, flags of the state after, then its balance.
  rewritten('after_balance', 'another balance', ([slot, ...rest]) => [
    { ...slot!, states: withWrongByte(slot!.states, 3) },
    ...rest,
  ]),
];

const PAGE_DAMAGES: readonly Damage[] = [
  ...WRONG_PAGES,
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

/** Contracts with the data of another state. On a cluster, domains are on the coordinator and the others on workers. */
const WRONG_CONTRACTS: readonly Damage[] = ['dns_entries', 'jetton_wallets', 'vestings'].map((table) => ({
  name: `a wrong data_hash in ${table}`,
  table,
  column: 'data_hash',
  damage: async (db) => {
    const { rows } = await sql<{ readonly account: Buffer; readonly data_hash: Buffer }>`
      select account, data_hash from ${sql.table(table)} order by account limit 1`.execute(db);
    const { account, data_hash } = rows[0]!;
    const set = (hash: Buffer) =>
      sql`update ${sql.table(table)} set data_hash = ${hash} where account = ${account}`.execute(db);
    await set(Buffer.of(0));
    return async () => void (await set(data_hash));
  },
}));

const SMALLEST = 'count = (select min(count) from tx_pages)';
/** An account that has no code any more. */
const DESTROYED =
  'select account from latest_account_states where code_hash is null and mc_seqno > 0 order by 1 limit 1';
const ACTIVE = "status = 'active' and mc_seqno > 0";
/** Rows of different parts are different rows, also after a multiple of 16 was added to the column. */
const part = (column: string, number: number) => `abs(${column} % 16) = ${number}`;

/** A sent message; the next transaction has none at its place, for which it would be taken. */
const NO_NEXT =
  'ordinal > 0 and not exists (select from messages o where o.at = t.at + 1 and o.ordinal = t.ordinal)';
/** The rows that no other damage of keys takes. */
const OTHER_PARTS = 'abs(hash8 % 16) not in (0, 1, 2, 3, 4, 5, 6, 7, 9)';

const WRONG_KEYS: readonly Damage[] = [
  changed('transactions', 'acc8', 'acc8 + 1', part('hash8', 0)),
  changed('transactions', 'hash8', 'hash8 + 16', part('hash8', 1)),
  changed('transactions', 'in8', 'null', `in8 is not null and ${part('hash8', 2)}`),
  changed('transactions', 'now', 'now + 1', part('hash8', 3)),
  changed('transactions', 'at', 'at + 1', part('hash8', 4)),
  changed('messages', 'hash8', 'hash8 + 16', `ordinal > 0 and ${part('hash8', 0)}`),
  changed('messages', 'src8', 'null', `ordinal > 0 and ${part('hash8', 1)}`),
  changed('messages', 'src8', 'coalesce(src8 + 1, 7)', `created_at is null and ${part('hash8', 2)}`),
  changed('messages', 'dst8', 'dst8 + 1', `dst8 is not null and ${part('hash8', 3)}`),
  changed('messages', 'body8', 'body8 + 1', part('hash8', 4)),
  changed('messages', 'lt', 'lt + 1', `ordinal > 0 and ${part('hash8', 5)}`),
  changed('messages', 'created_at', 'null', `created_at is not null and ${part('hash8', 6)}`),
  changed('messages', 'opcode', 'opcode + 1', `opcode is not null and ${part('hash8', 7)}`),
  changed('messages', 'at', 'at + 1', `${NO_NEXT} and ${OTHER_PARTS}`),
  changed('messages', 'ordinal', 'ordinal + 40', `ordinal > 0 and ${part('hash8', 9)}`),
];

/** The id begins the bytes, then flags, the edges, the time of the start, and the positions; each takes a byte or more. */
const infoWith = (at: number, value: string) => `set_byte(info, ${at}, ${value})`;
const flipped = (at: number) => infoWith(at, `get_byte(info, ${at}) # 1`);

const WRONG_TRACES: readonly Damage[] = [
  { ...changed('traces', 'info', flipped(0), part('trace8', 0)), column: 'trace_id' },
  { ...changed('traces', 'info', flipped(25), part('trace8', 1)), column: 'edges' },
  { ...changed('traces', 'info', flipped(26), part('trace8', 2)), column: 'start_lt' },
  {
    ...changed('traces', 'info', infoWith(24, '1'), `get_byte(info, 24) = 0 and ${part('trace8', 3)}`),
    column: 'keeps_external',
  },
  {
    ...changed(
      'traces',
      'info',
      `set_byte(info, length(info) - 1, get_byte(info, length(info) - 1) # 1)`,
      'nodes > 1 and get_byte(info, 24) = 0 and abs(trace8 % 16) in (4, 6, 9, 10, 11, 12, 13)',
    ),
    column: 'positions',
  },
  changed('traces', 'info', 'substr(info, 1, 20)', part('trace8', 5)),
  changed('traces', 'trace8', 'trace8 + 1', part('trace8', 14)),
  changed('traces', 'end_utime', 'end_utime + 1', part('trace8', 7)),
  changed('traces', 'mc_seqno_start', 'mc_seqno_start + 1', part('trace8', 8)),
  changed('trace_accounts', 'end_utime', 'end_utime + 1', part('trace8', 9)),
  changed('trace_accounts', 'trace8', 'trace8 + 1', part('trace8', 10)),
];

const ORPHAN =
  "ordinal = 0 and hash8 in (select ('x' || encode(substr(hash, 1, 8), 'hex'))::bit(64)::bigint # (1::bigint << 63) from orphan_messages)";

/** For an index that ends within traces. */
export const OPEN_TRACE_DAMAGES: typeof DAMAGES = [
  {
    name: 'open traces that are wrong',
    damages: [
      changed('open_traces', 'edges', 'edges + 1'),
      changed('open_traces', 'pending_edges', 'pending_edges + 1'),
      changed('open_members', 'acc8', 'acc8 + 1'),
      changed('pending_messages', 'mc_seqno', 'mc_seqno - 1'),
    ],
  },
  {
    name: 'open traces with other transactions',
    damages: [changed('open_members', 'at', 'at + 1')],
  },
  {
    name: 'open traces that miss a transaction or a message',
    damages: [removed('open_members'), removed('pending_messages')],
  },
  {
    name: 'open traces that are missing or have a transaction twice',
    damages: [removed('open_traces'), added('open_members', 'at', 't.at')],
  },
];

/** For an index that begins within traces. */
export const BROKEN_TRACE_DAMAGES: typeof DAMAGES = [
  {
    name: 'messages without a sender that are missing',
    damages: [
      removed('messages', ORPHAN),
      removed('orphan_messages'),
      changed('open_traces', 'broken', 'false', 'broken'),
    ],
  },
  {
    name: 'messages without a sender that are wrong',
    damages: [changed('messages', 'src8', 'src8 + 1', ORPHAN), removed('open_members')],
  },
];

/** What can be damaged on a cluster: Citus does not tell the place of a row, by which others are damaged and restored. */
export const CLUSTER_DAMAGES: typeof DAMAGES = [
  { name: 'contracts and pages that are wrong', damages: [...WRONG_CONTRACTS, ...WRONG_PAGES] },
];

/** One of each kind, which do not meet: for a short run. */
export const SOME_DAMAGES: typeof DAMAGES = [
  {
    name: 'one damage of each kind',
    damages: [
      changed('blocks', 'gen_utime', 'gen_utime + 1'),
      ...WRONG_PAGES,
      ...WRONG_CONTRACTS.slice(0, 1),
      ...WRONG_KEYS.slice(0, 1),
      ...WRONG_TRACES.slice(0, 1),
      changed('latest_account_states', 'balance', 'balance + 1', ACTIVE),
      removed('jetton_transfers'),
      added('nft_transfers', 'lt', '5'),
    ],
  },
];

/** Each group is applied together. */
export const DAMAGES: readonly { readonly name: string; readonly damages: readonly Damage[] }[] = [
  {
    name: 'columns that are wrong',
    damages: [
      changed('blocks', 'gen_utime', 'gen_utime + 1'),
      changed('blocks', 'want_split', 'not want_split'),
      changed('shard_states', 'seqnos', 'array[1, 2]'),
      ...PAGE_DAMAGES,
      changed('jetton_transfers', 'dst8', 'dst8 + 1'),
      changed('jetton_burns', 'at', 'at + 1'),
      changed('nft_transfers', 'collection', `'\\x00'`),
      changed('latest_account_states', 'balance', 'balance + 1', ACTIVE),
      ...WRONG_CONTRACTS,
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
    name: 'a page that cannot be read',
    damages: [changed('tx_pages', 'body', "'\\x00'", SMALLEST)],
  },
  {
    name: 'a page in another order',
    damages: [rewritten('order', 'another order', (slots) => slots.toReversed(), 2)],
  },
  { name: 'keys of transactions and messages that are wrong', damages: WRONG_KEYS },
  { name: 'traces that are wrong', damages: WRONG_TRACES },
  {
    name: 'rows that are missing',
    damages: [
      removed('blocks', 'mc_seqno = 7 and workchain = -1'),
      removed('transactions'),
      removed('tx_pages', SMALLEST),
      removed('messages', 'ordinal > 0'),
      removed('messages', 'created_at is null'),
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
      // Also rows that no comparison of a seqno meets, and one that is there twice.
      added('transactions', 'lt', '5'),
      added('transactions', 'hash8', '5'),
      added('transactions', 'mc_seqno', 't.mc_seqno', 'mc_seqno > 5'),
      added('tx_pages', 'page', '(t.page + 1)', SMALLEST),
      added('messages', 'ordinal', '100'),
      added('messages', 'lt', '5'),
      added('messages', 'hash8', '5', 'ordinal = 0'),
      added('traces', 'trace8', '5', 'nodes > 1'),
      added('trace_accounts', 'acc8', '5'),
      added('trace_accounts', 'trace8', '5'),
      added('jetton_transfers', 'lt', '5'),
      added('nft_transfers', 'lt', '5'),
      added('nft_sales', 'account', `(${DESTROYED})`),
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
      {
        name: 'a row of open_members that is too many',
        table: 'open_members',
        damage: async (db) => {
          await db
            .insertInto('open_members')
            .values({ trace_id: Buffer.of(5), at: 5, acc8: 5 })
            .execute();
          return async () =>
            void (await db.deleteFrom('open_members').where('trace_id', '=', Buffer.of(5)).execute());
        },
      },
    ],
  },
];
