import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../src/db/tables/tables.ts';
import { pageNumber, positionOf } from '../../src/index/format/position.ts';
import { PARTITIONED_TABLES } from '../../src/index/partitions.ts';

/** A copy of all rows, and how its keys differ from those of other copies. */
interface Copy {
  /** Seqnos and positions are moved by as many seqnos. */
  readonly number: number;
  /** 63 random bits for prefixes: they keep the sign, which is the workchain of an account. */
  readonly mask: bigint;
  readonly startLt: bigint;
  readonly utime: number;
}

/** The SQL of a column in a copy. */
type Rule = (column: string, copy: Copy) => string;

const keep: Rule = (column) => column;
const moveSeqno: Rule = (column, { number }) => `${column} + ${number}`;
const mask: Rule = (column, copy) => `${column} # ${copy.mask}`;

const OTHER_RULES: Readonly<Record<string, Rule>> = {
  seqno: moveSeqno,
  mc_seqno: moveSeqno,
  mc_seqno_start: moveSeqno,
  mc_seqno_end: moveSeqno,
  last_seqno: moveSeqno,
  min_ref_mc_seqno: moveSeqno,
  master_ref_seqno: moveSeqno,
  prev_key_block_seqno: moveSeqno,
  page: (column, { number }) => `${column} + ${pageNumber(number, 0)}`,
  at: (column, { number }) => `${column} + ${positionOf(pageNumber(number, 0), 0)}`,
  // Either a prefix or the id of a type, which is small.
  key: (column, copy) => `case when abs(${column}) < 65536 then ${column} else ${mask(column, copy)} end`,
  root_hash: (column, { number }) => `sha256(${column} || int4send(${number}))`,
  file_hash: (column, { number }) => `sha256(${column} || int4send(${number}))`,
  // The only time with an index.
  gen_utime: (_, { utime }) => `${utime}`,
};

/** Columns of fixed size without an index of their own, and packed bytes. */
const KEPT_COLUMNS = new Set([
  'now',
  'end_utime',
  'trace_end_utime',
  'created_at',
  'opcode',
  'ordinal',
  'aborted',
  'nodes',
  'types',
  'body',
  'kind',
  'traces',
  'count',
  'info',
  'jetton',
  'collection',
  'index',
  'workchain',
  'shard',
  'tx_count',
  'global_id',
  'version',
  'flags',
  'after_merge',
  'before_split',
  'after_split',
  'want_merge',
  'want_split',
  'key_block',
  'vert_seqno_incr',
  'vert_seqno',
  'validator_list_hash_short',
  'gen_catchain_seqno',
  'rand_seed',
  'created_by',
  'prev_shards',
  'prev_seqnos',
  'workchains',
  'shards',
  'seqnos',
]);

const isLt = (column: string) => /(^|_)lt$/.test(column);

/**
 * Replaces the rows of all partitioned tables, which are those of one seqno, by copies with keys of their own. Copy follows
 * copy as seqno follows seqno, and all have their rows in the order of logical time, so that indexes grow as they do while
 * a chain is indexed. The blocks of a copy begin at the same logical time, however far apart they were.
 */
export async function copyRows(db: Kysely<Tables>, copies: number): Promise<void> {
  const { starts, length, utime } = await readBounds(db);
  const whens = (column: string) =>
    starts.map((start) => `when ${column} >= ${start} then ${column} - ${start}`);
  const sinceStart = (column: string) => `case ${whens(column).join(' ')} end`;
  const moveLt: Rule = (column, { startLt }) => `${startLt} + ${sinceStart(column)}`;

  function ruleOf(table: string, column: string): Rule {
    if (isLt(column)) return moveLt;
    if (column.endsWith('8')) return mask;
    if (KEPT_COLUMNS.has(column)) return keep;
    const rule = OTHER_RULES[column];
    if (rule === undefined) throw new Error(`No rule for copying the column ${column} of ${table}`);
    return rule;
  }

  await db.transaction().execute(async (transaction) => {
    const run = (text: string) => sql.raw(text).execute(transaction);
    const tables: { table: string; columns: readonly string[] }[] = [];
    for (const table of PARTITIONED_TABLES) {
      const columns = await readColumns(transaction, table);
      const ltColumn = columns.find(isLt);
      const order = ltColumn === undefined ? '' : `order by ${sinceStart(ltColumn)}`;
      // With the storage of the table: otherwise PostgreSQL might compress what the index stores as it is.
      await run(`create temp table one_${table} (like ${table} including storage) on commit drop`);
      await run(`insert into one_${table} select * from ${table} ${order}`);
      await run(`truncate ${table}`);
      tables.push({ table, columns });
    }
    for (let number = 0; number < copies; number++) {
      const copy: Copy = {
        number,
        mask: createHash('sha256').update(`copy ${number}`).digest().readBigUInt64BE() >> 1n,
        startLt: starts[0]! + BigInt(number) * length,
        utime: utime + number,
      };
      for (const { table, columns } of tables) {
        const values = columns.map((column) => ruleOf(table, column)(`"${column}"`, copy));
        await run(`insert into ${table} select ${values.join(', ')} from one_${table}`);
      }
    }
  });
}

/** The logical times at which blocks begin, latest first; the length of the longest block; the time of the newest. */
async function readBounds(
  db: Kysely<Tables>,
): Promise<{ readonly starts: readonly bigint[]; readonly length: bigint; readonly utime: number }> {
  const blocks = await db
    .selectFrom('blocks')
    .select(['start_lt', 'end_lt', 'gen_utime'])
    .orderBy('start_lt', 'desc')
    .execute();
  const lengths = blocks.map((block) => BigInt(block.end_lt) - BigInt(block.start_lt) + 1n);
  return {
    starts: blocks.map((block) => BigInt(block.start_lt)),
    length: lengths.reduce((most, one) => (one > most ? one : most)),
    utime: Math.max(...blocks.map((block) => Number(block.gen_utime))),
  };
}

/** The columns of a table in their order. */
async function readColumns(db: Kysely<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db);
  return rows.map(({ name }) => name);
}
