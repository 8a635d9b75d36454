import { sql } from 'kysely';
import type { Database } from '../../../src/db/connection.ts';
import { ensurePartitions } from '../../../src/db/partitions.ts';
import { hashOf } from './filled-index.ts';

const ROWS = 20_000;
const SEQNOS = 4_000;

/** The accounts of the filled tables: number 0 of each kind has many more rows than the others. */
export const tokenAccount = (kind: string, number: number): Buffer =>
  Buffer.concat([Buffer.of(0), hashOf(`${kind}${number}`)]);

/** The time and logical time in the middle of the events. */
export const MIDDLE_TIME = 1_700_000_000 + (SEQNOS / 2) * 20;
export const MIDDLE_LT = (SEQNOS / 2) * 1_000_000;

/** Tokens and events with statistics for the planner: a fifth of everything belongs to one owner and one token. */
export async function fillTokens(database: Database): Promise<void> {
  const db = database.primary;
  await ensurePartitions(db, { from: 0, to: SEQNOS - 1, width: 1000 });
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await sql`analyze`.execute(db);
}

const account = (kind: string, number: string) =>
  `('\\x00'::bytea || sha256(('${kind}' || (${number}))::bytea))`;
/** A number below a count; every fifth is 0. */
const some = (count: number, factor: number) =>
  `case when i * ${factor} % 5 = 0 then 0 else i * ${factor} % ${count} end`;
const owner = account('owner', some(5_000, 7919));
const other = account('owner', some(5_000, 10007));
const token = account('token', some(300, 613));
const asked = account('asked', some(9_000, 3571));
const rows = `from generate_series(1, ${ROWS}) i`;
const state = `i % 5000, '', ''`;
const stateColumns = 'last_transaction_lt, code_hash, data_hash';
const seqno = `(i * ${SEQNOS}::bigint / ${ROWS + 1})::int`;
const lt = `(${seqno} * 1000000::bigint + i % 10)`;
const time = `(1700000000 + ${seqno} * 20 + i % 3 * 30)`;
const event = `${asked}, ${lt}, ${seqno}, ${time}, i % 10 = 0, 0`;
const eventColumns = 'account, lt, mc_seqno, now, aborted, query_id';

const STATEMENTS = [
  `insert into blocks
   select m, -1, -9223372036854775808, m, sha256(('r' || m)::bytea), sha256(('f' || m)::bytea), 1700000000 + m * 20,
          m * 1000000::bigint, m * 1000000::bigint + 999000, -239, 0, 1, false, false, false, false, false, false, false,
          1, 1, 1, 1, 0, 1, '', '', 2, '{}', '{}'
   from generate_series(0, ${SEQNOS - 1}) m`,
  `insert into shard_states select m, '{-1}', array[-9223372036854775808], array[m] from generate_series(0, ${SEQNOS - 1}) m`,
  `insert into transactions (trace_id, account, lt, hash, mc_seqno, block_shard, block_seqno, prev_hash, prev_lt, now,
     kind, orig_status, end_status, total_fees, state_hash_before, state_hash_after, balance)
   select '', ${asked}, ${lt}, sha256(i::text::bytea), ${seqno}, 0, 0, '', 0, ${time}, 'ord', 'active', 'active', 5, '', '',
          7 ${rows} on conflict do nothing`,
  `insert into jetton_transfers (${eventColumns}, jetton, amount, source, destination, forward_ton_amount)
   select ${event}, ${token}, 1, ${owner}, ${other}, 0 ${rows} on conflict do nothing`,
  `insert into nft_transfers (${eventColumns}, collection, index, old_owner, new_owner, forward_amount)
   select ${event}, ${token}, 1, ${owner}, ${other}, 0 ${rows} on conflict do nothing`,
  `insert into jetton_burns (${eventColumns}, jetton, amount, owner)
   select ${event}, ${token}, 1, ${owner} ${rows} on conflict do nothing`,
  `insert into jetton_masters (account, ${stateColumns}, total_supply, mintable, admin, content, wallet_code_hash)
   select ${account('token', 'i')}, ${state}, 0, true, ${owner}, '{}', '' ${rows}`,
  `insert into jetton_wallets (account, ${stateColumns}, balance, owner, jetton)
   select ${account('wallet', 'i')}, ${state}, i % 700, ${owner}, ${token} ${rows}`,
  `insert into nft_collections (account, ${stateColumns}, next_item_index, owner, content)
   select ${account('token', 'i')}, ${state}, 0, ${owner}, '{}' ${rows}`,
  `insert into nft_items (account, ${stateColumns}, init, index, collection, owner, content)
   select ${account('item', 'i')}, ${state}, true, i, case when i % 9 <> 4 then ${token} end, ${owner}, '{}' ${rows}`,
  `insert into nft_sales (account, ${stateColumns}, is_complete, created_at, marketplace, nft, nft_owner, full_price,
     marketplace_fee_address, marketplace_fee, royalty_address, royalty_amount)
   select ${account('sale', 'i')}, ${state}, false, 0, '', ${account('item', 'i')}, ${account('owner', 'i % 5000')}, 0, '', 0,
          '', 0 ${rows}`,
  `insert into nft_auctions (account, ${stateColumns}, end_flag, end_time, marketplace, nft, nft_owner, last_bid, min_step,
     marketplace_fee_address, marketplace_fee_factor, marketplace_fee_base, royalty_address, royalty_factor,
     royalty_base, max_bid, min_bid, created_at, last_bid_at, is_canceled)
   select ${account('auction', 'i')}, ${state}, false, 0, '', ${account('item', 'i')}, ${account('owner', 'i % 5000')}, 0, 0,
          '', 0, 0, '', 0, 0, 0, 0, 0, 0, false ${rows}`,
  `insert into dns_entries (account, ${stateColumns}, domain, wallet)
   select ${account('domain', 'i')}, ${state}, 'name' || i || '.ton', ${owner} ${rows}`,
  `insert into multisigs (account, ${stateColumns}, next_order_seqno, threshold, signers, proposers)
   select ${account('multisig', 'i')}, ${state}, 0, 1, array[${account('owner', 'i % 5000')}], '{}' ${rows}`,
  `insert into multisig_orders (account, ${stateColumns}, multisig, order_seqno, threshold, sent_for_execution,
     approvals_mask, approvals_num, expiration_date, order_boc, signers)
   select ${account('order', 'i')}, ${state}, ${account('multisig', some(5_000, 7919))}, 0, 1, false, 0, 0, 0, '', '{}' ${rows}`,
  `insert into vestings (account, ${stateColumns}, start_time, total_duration, unlock_period, cliff_duration,
     total_amount, sender, owner, whitelist)
   select ${account('vesting', 'i')}, ${state}, 0, 0, 0, 0, 0, ${account('owner', 'i % 5000')},
          ${account('owner', 'i * 7 % 5000')}, array[${account('owner', 'i * 3 % 5000')}] ${rows}`,
];
