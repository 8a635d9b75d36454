import { createHash } from 'node:crypto';
import type { Insertable, Kysely } from 'kysely';
import { accountKey, fromAccountOrText, parseAddress } from '../../../../src/chain/address.ts';
import type { MessagesTable, Tables } from '../../../../src/db/tables.ts';
import type { Action } from '../../../../src/indexer/actions/action.ts';
import type {
  MessageFacts,
  TraceFacts,
  TransactionFacts,
} from '../../../../src/indexer/actions/classifier-input.ts';
import { accountText } from '../../../../src/indexer/classify/contracts.ts';
import type { ActionRow } from '../../../../src/pages/actions.ts';
import type { TraceFixture } from '../../../conformance/traces/read-fixture.ts';

const NONE = Buffer.alloc(32);
const TABLES = [
  'traces',
  'transactions',
  'messages',
  'message_contents',
  'unclassified_traces',
  'account_data',
  'jetton_wallets',
  'nft_items',
  'nft_sales',
  'nft_auctions',
  'dex_pools',
  'trace_actions',
  'action_keys',
  'action_accounts',
] as const;

const hashOf = (text: string) => Buffer.from(text, 'base64');
const keyOf = (text: string) => {
  const { workchain, hash } = parseAddress(text)!;
  return accountKey(workchain, hash);
};
const keyOrNull = (text: string | null | undefined) => (text ? keyOf(text) : null);

/** Replaces the trace in an index with one partition, and queues it. */
export async function putTrace(db: Kysely<Tables>, trace: TraceFacts): Promise<void> {
  for (const table of TABLES) await db.deleteFrom(table as 'traces').execute();
  const { transactions } = trace;
  const row = { trace_id: hashOf(trace.traceId), mc_seqno_end: trace.mcSeqnoEnd, nodes: transactions.length };
  await db
    .insertInto('traces')
    .values({
      ...row,
      edges: 0,
      mc_seqno_start: Math.min(...transactions.map(({ mcSeqno }) => mcSeqno)),
      start_lt: trace.startLt,
      end_lt: trace.endLt,
      start_utime: trace.startUtime,
      end_utime: trace.endUtime,
      external_hash: trace.externalHash === null ? null : hashOf(trace.externalHash),
      external_hash_norm: null,
    })
    .execute();
  await db.insertInto('unclassified_traces').values(row).execute();
  await db
    .insertInto('transactions')
    .values(transactions.map((one) => transactionRow(one, row.trace_id)))
    .execute();
  const messages = transactions.flatMap((one) => [
    ...(one.inMessage ? [messageRow(one.inMessage, one, 0)] : []),
    ...one.outMessages.map((message, at) => messageRow(message, one, at + 1)),
  ]);
  await db.insertInto('messages').values(messages).execute();
  const contents = new Map(
    transactions
      .flatMap(({ inMessage, outMessages }) => [...(inMessage ? [inMessage] : []), ...outMessages])
      .flatMap(({ body, init }) => [body!, ...(init ? [init] : [])])
      .map((boc) => [contentHash(boc).toString('hex'), boc]),
  );
  await db
    .insertInto('message_contents')
    .values([...contents.values()].map((boc) => ({ hash: contentHash(boc), part: 0, boc })))
    .execute();
}

function transactionRow(one: TransactionFacts, trace_id: Buffer): Insertable<Tables['transactions']> {
  const row = {
    trace_id,
    account: keyOf(one.account),
    lt: one.lt,
    hash: hashOf(one.hash),
    mc_seqno: one.mcSeqno,
    block_shard: 0,
    block_seqno: 0,
    prev_hash: NONE,
    prev_lt: 0,
    now: one.now,
    total_fees: 0,
    kind: one.tickTock ? 'tick_tock' : 'ord',
    orig_status: one.origStatus,
    end_status: one.endStatus,
    state_hash_before: NONE,
    state_hash_after: NONE,
    aborted: one.aborted,
    compute_exit_code: one.exitCode,
    compute_skip_reason: one.skippedReason,
  };
  return row as Insertable<Tables['transactions']>;
}

function messageRow(
  message: MessageFacts,
  { account, lt, mcSeqno }: TransactionFacts,
  ordinal: number,
): Insertable<MessagesTable> {
  const { extraCurrencies } = message;
  const hasExtra = Object.keys(extraCurrencies).length > 0;
  return {
    account: keyOf(account),
    tx_lt: lt,
    ordinal,
    mc_seqno: mcSeqno,
    hash: hashOf(message.hash),
    hash_norm: null,
    peer: keyOrNull(ordinal === 0 ? message.source : message.destination),
    lt: message.createdLt ?? lt,
    created_at: message.createdAt,
    value: message.value,
    value_extra: hasExtra ? JSON.stringify(extraCurrencies) : null,
    fwd_fee: null,
    ihr_fee: null,
    extra_flags: null,
    import_fee: null,
    ihr_disabled: null,
    bounced: null,
    opcode: message.opcode === null ? null : message.opcode | 0,
    bounce: message.bounce,
    body_hash: contentHash(message.body!),
    init_hash: message.init ? contentHash(message.init) : null,
  };
}

const contentHash = (boc: Buffer) => createHash('sha256').update(boc).digest();

/** Inserts contracts into the index. */
export async function putContracts(
  db: Kysely<Tables>,
  interfaces: TraceFixture['interfaces'],
): Promise<void> {
  for (const [address, records] of Object.entries(interfaces)) {
    const account = keyOf(address);
    const state = { account, last_transaction_lt: 1, code_hash: NONE, data_hash: NONE };
    const {
      JettonWallet: wallet,
      NftItem: item,
      NftSale: sale,
      NftAuction: auction,
      DedustPool: pool,
    } = records;
    if (wallet)
      await db
        .insertInto('jetton_wallets')
        .values({
          ...state,
          balance: wallet.balance,
          owner: keyOf(wallet.owner),
          jetton: keyOf(wallet.jetton),
          mintless_is_claimed: null,
        })
        .execute();
    if (item)
      await db
        .insertInto('nft_items')
        .values({
          ...state,
          init: item.init,
          index: item.index,
          content: item.content ?? {},
          collection: keyOrNull(item.collection_address),
          owner: keyOrNull(item.owner_address),
        })
        .execute();
    if (sale) {
      const fees = { marketplace_fee_address: account, marketplace_fee: 0, royalty_address: account };
      await db
        .insertInto('nft_sales')
        .values({
          ...state,
          ...fees,
          royalty_amount: 0,
          is_complete: sale.is_complete,
          created_at: 0,
          marketplace: keyOf(sale.marketplace_address),
          nft: keyOf(sale.nft_address),
          nft_owner: keyOrNull(sale.nft_owner_address),
          full_price: sale.full_price,
          sold_at: null,
          sold_query_id: null,
          jetton_prices: null,
        })
        .execute();
    }
    if (auction) {
      const fees = { marketplace_fee_address: account, royalty_address: account, marketplace_fee_factor: 0 };
      const rest = { marketplace_fee_base: 0, royalty_factor: 0, royalty_base: 0, max_bid: 0, min_bid: 0 };
      await db
        .insertInto('nft_auctions')
        .values({
          ...state,
          ...fees,
          ...rest,
          end_flag: false,
          end_time: 0,
          created_at: 0,
          last_bid_at: 0,
          marketplace: keyOf(auction.mp_addr),
          nft: keyOf(auction.nft_addr),
          min_step: 0,
          nft_owner: keyOrNull(auction.nft_owner),
          last_bid: auction.last_bid ?? 0,
          is_canceled: false,
        } as Insertable<Tables['nft_auctions']>)
        .execute();
    }
    if (pool)
      await db
        .insertInto('dex_pools')
        .values({
          ...state,
          dex: 'dedust',
          is_stable: false,
          reserve_1: 0,
          reserve_2: 0,
          fee: 0,
          asset_1: keyOrNull(pool.assets[0].address),
          asset_2: keyOrNull(pool.assets[1].address),
        })
        .execute();
    const boc = records.data_boc && Buffer.from(records.data_boc.data_boc, 'base64');
    if (boc) await db.insertInto('account_data').values({ account, hash: NONE, boc }).execute();
  }
}

const textOrNull = (bytes: Buffer | null) => bytes && fromAccountOrText(bytes);
const base64OrNull = (hash: Buffer | null) => hash?.toString('base64') ?? null;

/** A row as the classifier returned it, except for numbers inside groups. */
export function actionOf(row: ActionRow): Action {
  return {
    type: row.type,
    success: row.success,
    ancestor_type: row.ancestor_type,
    trace_id: row.trace_id.toString('base64'),
    action_id: row.action_id.toString('base64'),
    parent_action_id: base64OrNull(row.parent_action_id),
    start_lt: BigInt(row.start_lt),
    end_lt: BigInt(row.end_lt),
    mc_seqno_end: row.mc_seqno_end,
    start_utime: Number(row.start_utime),
    end_utime: Number(row.end_utime),
    tx_hashes: row.tx_hashes.map((hash) => hash.toString('base64')),
    accounts: row.accounts.map(accountText),
    source: textOrNull(row.source),
    source_secondary: textOrNull(row.source_secondary),
    destination: textOrNull(row.destination),
    destination_secondary: textOrNull(row.destination_secondary),
    asset: textOrNull(row.asset),
    asset_secondary: textOrNull(row.asset_secondary),
    asset2: textOrNull(row.asset2),
    asset2_secondary: textOrNull(row.asset2_secondary),
    opcode: row.opcode === null ? null : Number(row.opcode),
    value: row.value === null ? null : BigInt(row.value),
    amount: row.amount === null ? null : BigInt(row.amount),
    value_extra_currencies: row.value_extra_currencies ?? {},
    data: row.data ?? {},
  };
}
