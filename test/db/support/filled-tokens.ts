import { sql } from 'kysely';
import { MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { readFilledTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type MadeBlock, putOrigin, seqnosOf, storeSeqnos } from '../../support/store-transactions.ts';
import { hashOf } from './filled-index.ts';

/** Of each table. */
const [EVENTS, CONTRACTS] = [20_000, 10_000];
const SEQNOS = 4_000;
const [FIRST_UTIME, STEP_SECONDS] = [1_700_000_000, 20];

/** The accounts of the filled tables: number 0 of each kind has many more rows than the others. */
export const tokenAccount = (kind: string, number: number): Buffer =>
  Buffer.concat([Buffer.of(0), hashOf(`${kind}${number}`)]);

/** The time and logical time in the middle of the events. */
export const MIDDLE_TIME = FIRST_UTIME + (SEQNOS / 2) * STEP_SECONDS;
export const MIDDLE_LT = (SEQNOS / 2) * 1_000_000;

/** Tokens and events with statistics for the planner: a fifth of everything belongs to one owner and one token. */
export const openFilledTokens = (): Promise<TestDatabase> =>
  readFilledTestDatabase({
    name: 'tokens',
    source: 'test/db/support/filled-tokens.ts',
    fill: fillTokens,
  });

async function fillTokens(test: Pick<TestDatabase, 'url' | 'database'>): Promise<void> {
  const db = test.database.primary;
  await putOrigin(db, 0, 1000);
  const seqnos = seqnosOf([], { first: 0, last: SEQNOS - 1 });
  await storeSeqnos(
    test,
    seqnos.map((one) => ({ ...one, blocks: [blockOf(one.mcSeqno)] })),
  );
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await sql`analyze`.execute(db);
}

const blockOf = (mcSeqno: number): MadeBlock => ({
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno: mcSeqno,
  genUtime: FIRST_UTIME + mcSeqno * STEP_SECONDS,
  startLt: BigInt(mcSeqno) * 1_000_000n,
  endLt: BigInt(mcSeqno) * 1_000_000n + 999_000n,
});

const account = (kind: string, number: string) =>
  `('\\x00'::bytea || sha256(('${kind}' || (${number}))::bytea))`;
/** A number below a count; every fifth is 0. */
const some = (count: number, factor: number) =>
  `case when i * ${factor} % 5 = 0 then 0 else i * ${factor} % ${count} end`;
const owner = account('owner', some(5_000, 7919));
const other = account('owner', some(5_000, 10007));
const token = account('token', some(300, 613));
const asked = account('asked', some(9_000, 3571));
const events = `from generate_series(1, ${EVENTS}) i`;
const contracts = `from generate_series(1, ${CONTRACTS}) i`;
const state = `i % 5000, '', ''`;
const stateColumns = 'last_transaction_lt, code_hash, data_hash';
const seqno = `(i * ${SEQNOS}::bigint / ${EVENTS + 1})::int`;
const lt = `(${seqno} * 1000000::bigint + i % 10)`;
const time = `(1700000000 + ${seqno} * 20 + i % 3 * 30)`;
/** The prefix of an account in the basechain. */
const prefix = (of: string) =>
  `(('x' || encode(substring(${of} from 2 for 8), 'hex'))::bit(64)::bigint >> 1 & 9223372036854775807)`;
// Nothing is read from pages, so positions only have to differ.
const event = `${prefix(asked)}, ${lt}, ${time}, i, ${prefix(owner)}, ${prefix(token)}, ${seqno}, i % 10 = 0, ${token}`;
const eventColumns = 'acc8, lt, now, at, src8, token8, mc_seqno, aborted';

const STATEMENTS = [
  `insert into jetton_transfers (${eventColumns}, jetton, dst8) select ${event}, ${prefix(other)} ${events}`,
  `insert into nft_transfers (${eventColumns}, collection, index, dst8) select ${event}, 1, ${prefix(other)} ${events}`,
  `insert into jetton_burns (${eventColumns}, jetton) select ${event} ${events}`,
  `insert into jetton_masters (account, ${stateColumns}, total_supply, mintable, admin, content, wallet_code_hash)
   select ${account('token', 'i')}, ${state}, 0, true, ${owner}, '{}', '' ${contracts}`,
  `insert into jetton_wallets (account, ${stateColumns}, balance, owner, jetton)
   select ${account('wallet', 'i')}, ${state}, i % 700, ${owner}, ${token} ${contracts}`,
  `insert into nft_collections (account, ${stateColumns}, next_item_index, owner, content)
   select ${account('token', 'i')}, ${state}, 0, ${owner}, '{}' ${contracts}`,
  `insert into nft_items (account, ${stateColumns}, init, index, collection, owner, content)
   select ${account('item', 'i')}, ${state}, true, i, case when i % 9 <> 4 then ${token} end, ${owner}, '{}' ${contracts}`,
  `insert into nft_sales (account, ${stateColumns}, is_complete, created_at, marketplace, nft, nft_owner, full_price,
     marketplace_fee_address, marketplace_fee, royalty_address, royalty_amount)
   select ${account('sale', 'i')}, ${state}, false, 0, '', ${account('item', 'i')}, ${account('owner', 'i % 5000')}, 0, '', 0,
          '', 0 ${contracts}`,
  `insert into nft_auctions (account, ${stateColumns}, end_flag, end_time, marketplace, nft, nft_owner, last_bid, min_step,
     marketplace_fee_address, marketplace_fee_factor, marketplace_fee_base, royalty_address, royalty_factor,
     royalty_base, max_bid, min_bid, created_at, last_bid_at, is_canceled)
   select ${account('auction', 'i')}, ${state}, false, 0, '', ${account('item', 'i')}, ${account('owner', 'i % 5000')}, 0, 0,
          '', 0, 0, '', 0, 0, 0, 0, 0, 0, false ${contracts}`,
  `insert into dns_entries (account, ${stateColumns}, domain, wallet)
   select ${account('domain', 'i')}, ${state}, 'name' || i || '.ton', ${owner} ${contracts}`,
  `insert into multisigs (account, ${stateColumns}, next_order_seqno, threshold, signers, proposers)
   select ${account('multisig', 'i')}, ${state}, 0, 1, array[${account('owner', 'i % 5000')}], '{}' ${contracts}`,
  `insert into multisig_orders (account, ${stateColumns}, multisig, order_seqno, threshold, sent_for_execution,
     approvals_mask, approvals_num, expiration_date, order_boc, signers)
   select ${account('order', 'i')}, ${state}, ${account('multisig', some(5_000, 7919))}, 0, 1, false, 0, 0, 0, '', '{}' ${contracts}`,
  `insert into vestings (account, ${stateColumns}, start_time, total_duration, unlock_period, cliff_duration,
     total_amount, sender, owner, whitelist)
   select ${account('vesting', 'i')}, ${state}, 0, 0, 0, 0, 0, ${account('owner', 'i % 5000')},
          ${account('owner', 'i * 7 % 5000')}, array[${account('owner', 'i * 3 % 5000')}] ${contracts}`,
];
