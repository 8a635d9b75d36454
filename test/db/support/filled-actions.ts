import { sql } from 'kysely';
import type { Database } from '../../../src/db/connection.ts';

/**
 * Adds an action per transaction to the filled index: half of them calls, a few of a rare type, some parts of others. Each
 * contains all transactions of its trace, so that busy accounts have many.
 */
export async function fillActions(database: Database): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(database.primary);
  await sql`analyze`.execute(database.primary);
}

const TYPE = `case when i % 2 = 0 then 'call_contract' when i % 997 = 3 then 'tgbtc_mint' when i % 11 = 0 then 'evaa_supply'
  when i % 3 = 0 then 'jetton_transfer' else 'ton_transfer' end`;

const STATEMENTS = [
  `insert into actions (trace_id, action_id, trace_mc_seqno_end, trace_end_lt, trace_end_utime, type, ancestor_type,
     success, start_lt, end_lt, start_utime, end_utime, mc_seqno_end, tx_hashes, accounts)
   select trace_id, sha256(('action' || i)::bytea), mc_seqno_end, traces.end_lt, traces.end_utime, ${TYPE},
          case when i % 7 = 0 then '{evaa_supply}'::text[] else '{}' end, true, lt, lt + 1, now, now, mc_seqno_end,
          hashes, accounts
   from (select *, row_number() over (order by hash) as i from transactions) t
   join traces using (trace_id)
   join (select trace_id, array_agg(hash) as hashes, array_agg(distinct account) as accounts
         from transactions group by 1) of_trace using (trace_id)`,
  `insert into action_accounts
   select account, trace_end_lt, action_id, trace_mc_seqno_end, trace_id, trace_end_utime, end_lt, end_utime, type,
          ancestor_type
   from actions, unnest(accounts) account`,
];
