import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { createDatabase, type Database } from '../../../src/db/connection.ts';
import { ensurePartitions } from '../../../src/db/partitions.ts';
import { createFilledTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createQuietLog } from '../../support/quiet-log.ts';

const SEQNOS = 4000;
const WIDTH = 1000;
const TRANSACTIONS = 20_000;
const ACCOUNTS = 2_500;

/** The hash of a generated row, by name. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Account 0 has every fifth transaction. */
export const accountOf = (number: number): Buffer => Buffer.concat([Buffer.of(0), hashOf(`a${number}`)]);

/**
 * A separate database with an index of four partitions: 20 000 transactions, three per trace, each with one in message and
 * one out message; large enough for the planner to choose as it would with billions.
 */
export function openFilledIndex(): Promise<TestDatabase> {
  return createFilledTestDatabase('index', async (url) => {
    const database = createDatabase({ url, replicaUrls: [], poolSize: 1, log: createQuietLog() });
    try {
      await fillIndex(database);
    } finally {
      await database.close();
    }
  });
}

async function fillIndex(database: Database): Promise<void> {
  const db = database.primary;
  await ensurePartitions(db, { from: 0, to: SEQNOS - 1, width: WIDTH });
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await sql`analyze`.execute(db);
}

const hash = (expression: string) => `sha256((${expression})::bytea)`;
const number = `case when i % 5 = 0 then 0 else i * 7919 % ${ACCOUNTS} end`;
const account = (i: string) =>
  `(case when ${i} % 10 = 1 then '\\xff'::bytea else '\\x00'::bytea end || ${hash(`'a' || ${number.replaceAll('i ', `${i} `)}`)})`;
const seqno = `((i - 1) / ${TRANSACTIONS / SEQNOS})`;
const lt = `(${seqno} * 1000000::bigint + i % 10 * 1000)`;
const time = `(1700000000 + ${seqno} * 20)`;
const rows = `generate_series(1, ${TRANSACTIONS}) i`;

const STATEMENTS = [
  `insert into blocks
   select m, least(w, 0), case when w < 0 then -9223372036854775808 else 2305843009213693952 * (2 * w - 3) end, m + greatest(w, 0),
          ${hash(`'r' || m || w`)}, ${hash(`'f' || m || w`)}, 1700000000 + m * 20, m * 1000000::bigint,
          m * 1000000::bigint + 999000, -239, 0, 1, false, false, false, false, false, false, false, 1, 1, 1, 1, 0, 1,
          '', '', 2, '{}', '{}'
   from generate_series(0, ${SEQNOS - 1}) m, generate_series(-1, 2) w`,
  `insert into shard_states
   select m, '{-1,0,0,0}',
          array[-9223372036854775808, -6917529027641081856, -2305843009213693952, 2305843009213693952],
          array[m, m, m + 1, m + 2]
   from generate_series(0, ${SEQNOS - 1}) m`,
  `insert into transactions (trace_id, account, lt, hash, mc_seqno, block_shard, block_seqno, prev_hash, prev_lt, now,
     kind, orig_status, end_status, total_fees, state_hash_before, state_hash_after, balance)
   select ${hash(`'t' || ((i - 1) / 3 * 3 + 1)`)}, ${account('i')}, ${lt}, ${hash(`'t' || i`)}, ${seqno},
          -9223372036854775808, ${seqno}, '', 0, ${time}, 'ord', 'active', 'active', 5, '', '', 7
   from ${rows}`,
  `insert into messages (account, tx_lt, ordinal, mc_seqno, hash, hash_norm, peer, lt, created_at, opcode, body_hash)
   select ${account('i')}, ${lt}, 0, ${seqno}, ${hash(`case when i % 3 = 1 then 'x' || i else 'm' || (i - 1) end`)},
          case when i % 6 = 1 then ${hash(`'n' || i`)} end, case when i % 3 <> 1 then ${account('(i - 1)')} end, ${lt} - 1,
          case when i % 3 <> 1 then ${time} end, i % 50, ${hash(`'b' || i % 100`)}
   from ${rows}`,
  `insert into messages (account, tx_lt, ordinal, mc_seqno, hash, peer, lt, created_at, opcode, body_hash)
   select ${account('i')}, ${lt}, 1, ${seqno}, ${hash(`'m' || i`)}, case when i % 3 <> 0 then ${account('(i + 1)')} end,
          ${lt} + 1, ${time}, i % 50, ${hash(`'b' || i % 100`)}
   from ${rows}`,
  `insert into message_contents
   select ${hash(`'b' || b`)}, part, '\\x00' from generate_series(0, 99) b, generate_series(0, ${SEQNOS - 1}, ${WIDTH}) part`,
  `insert into traces
   select trace_id, ${hash(`'x' || min(lt)`)}, ${hash(`'n' || min(lt)`)}, min(mc_seqno), max(mc_seqno), min(lt), min(now),
          max(lt), max(now), 3, 4
   from transactions group by trace_id`,
  `insert into trace_accounts
   select distinct account, end_lt, trace_id, mc_seqno_end, end_utime from transactions join traces using (trace_id)`,
  `insert into latest_account_states
   select '\\x00'::bytea || ${hash(`'a' || i`)}, ${hash(`'s' || i`)}, 'active', i * 1000 % 9999, null,
          ${hash(`'c' || i % 200`)}, ${hash(`'d' || i`)}, null, 1, '', 1, 1
   from generate_series(0, 15000) i`,
  `insert into account_data select account, data_hash, '\\x00' from latest_account_states`,
  `insert into contract_codes select distinct code_hash, '\\x00'::bytea from latest_account_states`,
];
