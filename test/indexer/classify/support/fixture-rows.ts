import type { Insertable, Kysely } from 'kysely';
import type { Action } from '../../../../src/actions/rules/action.ts';
import type {
  MessageFacts,
  TraceFacts,
  TransactionFacts,
} from '../../../../src/actions/rules/classifier-input.ts';
import { accountKey, fromAccountOrText, parseAddress } from '../../../../src/chain/address.ts';
import { byLtAndAccount } from '../../../../src/chain/logical-time.ts';
import type { Tables } from '../../../../src/db/tables.ts';
import { accountText } from '../../../../src/indexer/classify/contracts.ts';
import { readTraceTransactions } from '../../../../src/indexer/classify/read-facts.ts';
import { wipeIndex } from '../../../../src/indexer/coverage.ts';
import type { ActionRow } from '../../../../src/pages/actions.ts';
import type { TraceFixture } from '../../../conformance/traces/read-fixture.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { MadeChain, type MadeMessage, type MadeTransaction } from '../../../support/made-chain.ts';
import { putOrigin, seqnosOf, storeSeqnos } from '../../../support/store-transactions.ts';

const NONE = Buffer.alloc(32);
const keyOf = (text: string) => {
  const { workchain, hash } = parseAddress(text)!;
  return accountKey(workchain, hash);
};
const keyOrNull = (text: string | null | undefined) => (text ? keyOf(text) : null);

/**
 * Replaces everything in an index with a trace whose transactions are made anew as cells, so that all hashes are others;
 * returns the trace with these hashes.
 */
export async function putTrace(database: TestDatabase, trace: TraceFacts): Promise<TraceFacts> {
  const db = database.database.primary;
  await wipeIndex(db);
  const made = makeTransactions(trace.transactions);
  const seqnos = made.map(({ mcSeqno }) => mcSeqno);
  const [first, last] = [Math.min(...seqnos), Math.max(...seqnos)];
  await putOrigin(db, first, WIDTH);
  await storeSeqnos(database, seqnosOf(made, { first, last }));
  const [root] = made;
  const { inMessage } = root!.transaction;
  return {
    ...trace,
    traceId: root!.hash.toString('base64'),
    externalHash: trace.externalHash === null ? null : inMessage!.hash.toString('base64'),
    transactions: readTraceTransactions(
      made.toSorted((a, b) => byLtAndAccount(a.transaction, b.transaction)),
    ),
  };
}

const WIDTH = 1_000_000_000;

function makeTransactions(transactions: readonly TransactionFacts[]): MadeTransaction[] {
  const chain = new MadeChain();
  const messages = new Map<string, MadeMessage>();
  const messageOf = (facts: MessageFacts): MadeMessage => {
    const message = messages.get(facts.hash) ?? makeMessage(chain, facts);
    messages.set(facts.hash, message);
    return message;
  };
  const sent = new Set(transactions.flatMap(({ outMessages }) => outMessages.map(({ hash }) => hash)));
  return transactions.map((facts) =>
    chain.transaction({
      isSystem: Boolean(facts.inMessage?.source) && !sent.has(facts.inMessage!.hash),
      account: keyOf(facts.account),
      lt: facts.lt,
      now: facts.now,
      mcSeqno: facts.mcSeqno,
      in: facts.inMessage && messageOf(facts.inMessage),
      out: facts.outMessages.map(messageOf),
      origStatus: facts.origStatus,
      endStatus: facts.endStatus,
      isTickTock: facts.tickTock,
      aborted: facts.aborted,
      exitCode: facts.exitCode ?? 0,
    }),
  );
}

function makeMessage(chain: MadeChain, facts: MessageFacts): MadeMessage {
  const { source, destination, createdLt, createdAt, body, init } = facts;
  if (source === null) return chain.external({ to: keyOf(destination!), body, init });
  const sent = { from: keyOf(source), lt: createdLt!, at: createdAt!, body };
  if (destination === null) return chain.log(sent);
  return chain.internal({
    ...sent,
    to: keyOf(destination),
    value: facts.value ?? 0n,
    extraCurrencies: facts.extraCurrencies,
    bounce: facts.bounce ?? false,
    init,
  });
}

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
