import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { ChainSeqno } from './chain-seqno.ts';
import { slotKey } from './check-pages.ts';
import { rootOf } from './core-readers.ts';
import { type Findings, type Row, rowsByKey } from './differences.ts';
import {
  blockRow,
  messageRows,
  type PlacedTransaction,
  shardStateRow,
  transactionRow,
} from './expected-rows.ts';

const BLOCK_KEY = ['mc_seqno', 'workchain', 'shard', 'seqno'];
const TRANSACTION_KEY = ['mc_seqno', 'account', 'lt'];
const MESSAGE_KEY = ['mc_seqno', 'account', 'tx_lt', 'ordinal'];
/** The flag of a bag of cells with a checksum. */
export const HAS_CRC = 0x40;

/** What other checks have found out about the transactions of a seqno. */
interface KnownOfTransactions {
  /** In the order of the transactions. */
  readonly traceIds: readonly Buffer[];
  /** By `slotKey`. */
  readonly positions: ReadonlyMap<string, number>;
}

/** Compares the rows of one seqno: blocks, transactions with their traces, messages. */
export async function checkSeqno(
  db: Kysely<Tables>,
  findings: Findings,
  chain: ChainSeqno,
  placed: readonly PlacedTransaction[],
  { traceIds, positions }: KnownOfTransactions,
): Promise<void> {
  const { mcSeqno, blocks, globalVersion } = chain;
  const found = async (table: 'blocks' | 'shard_states' | 'transactions') =>
    (await sql<Row>`select * from ${sql.table(table)} where mc_seqno = ${mcSeqno}`.execute(db)).rows;
  const expectedBlocks = blocks.map((block) => blockRow(mcSeqno, block));
  findings.compare(
    'blocks',
    rowsByKey(expectedBlocks, BLOCK_KEY),
    rowsByKey(await found('blocks'), BLOCK_KEY),
  );
  findings.compare(
    'shard_states',
    rowsByKey([shardStateRow(chain)], ['mc_seqno']),
    rowsByKey(await found('shard_states'), ['mc_seqno']),
  );
  // A missing slot is reported already.
  const positionOf = ({ account, transaction }: PlacedTransaction): Row => {
    const at = positions.get(slotKey(account, transaction.lt));
    return at === undefined ? {} : { at };
  };
  const transactions = placed.map((one, i) => ({
    ...transactionRow(mcSeqno, one),
    trace_id: traceIds[i],
    ...positionOf(one),
  }));
  findings.compare(
    'transactions',
    rowsByKey(transactions, TRANSACTION_KEY),
    rowsByKey(await found('transactions'), TRANSACTION_KEY),
  );
  const messages: Row[] = placed.flatMap((one) =>
    messageRows(mcSeqno, globalVersion, one).map((row) => ({ ...row, ...positionOf(one) })),
  );
  const foundMessages = await messagesOf(db, mcSeqno, placed);
  findings.compare('messages', rowsByKey(messages, MESSAGE_KEY), rowsByKey(foundMessages, MESSAGE_KEY));
}

async function messagesOf(
  db: Kysely<Tables>,
  mcSeqno: number,
  placed: readonly PlacedTransaction[],
): Promise<Row[]> {
  const accounts = placed.map(({ account }) => account);
  const lts = placed.map(({ transaction }) => String(transaction.lt));
  const { rows } = await sql<Row>`
    select m.* from unnest(${accounts}::bytea[], ${lts}::bigint[]) as page (account, lt)
    join messages m on m.account = page.account and m.tx_lt = page.lt and m.mc_seqno = ${mcSeqno}`.execute(
    db,
  );
  return rows;
}

/** The root hash of a bag of cells, or why it cannot be read. */
export function hashInside(boc: Buffer, flags = 0): Buffer | string {
  try {
    if (((boc[4] ?? 0) & flags) !== flags) return 'no checksum';
    return rootOf(boc).hash();
  } catch (error) {
    return String(error);
  }
}
