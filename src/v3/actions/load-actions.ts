import type { Kysely } from 'kysely';
import { type ActionRow, actionOrder } from '../../db/queries/action-order.ts';
import { readTransactionsByHash } from '../../db/queries/action-transactions.ts';
import { readActions } from '../../db/queries/actions.ts';
import { hasMasterchainBlock } from '../../db/queries/masterchain-blocks.ts';
import type { Tables } from '../../db/tables.ts';
import { Failure } from '../../lib/failure.ts';
import { loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage } from '../page.ts';
import { refuse } from '../params/kind.ts';
import { readIndex } from '../read-index.ts';
import { type TransactionJson, toTransaction } from '../transactions/transaction.ts';
import { formatHash } from '../value-texts.ts';
import { accountsOfAction } from './action.ts';
import { type ActionListValues, toActionFilters } from './action-params.ts';
import { createActionWriter } from './action-writer.ts';

/** A page of actions, and what is to be said of the addresses in them. */
export async function loadActions(call: V3Call, params: ActionListValues) {
  const [filters, { sort, include_accounts, include_transactions }] = [toActionFilters(call, params), params];
  const { mcSeqno: seqno } = filters;
  const keys = actionOrder({ filters, sort });
  const page = openPage(params, keys);
  return readIndex(call, async (db) => {
    if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
      throw new Failure('not_found', `masterchain block ${seqno} not found`);
    const rows = await readActions(db, { filters, sort, page });
    notePage(call, keys, page, rows);
    const transactionsOf = include_transactions ? await loadTransactionsOf(call, db, rows) : undefined;
    const writer = createActionWriter(call);
    const actions = rows.map((row) => ({
      ...writer.write(row),
      ...(include_accounts && { accounts: accountsOfAction(row) }),
      ...(transactionsOf && { transactions_full: transactionsOf(row) }),
    }));
    return { actions, ...(await loadBooks(call, db, writer.accounts)) };
  });
}

/** An answer with more would take minutes to read: a transaction is shown again with every action that it has part in. */
export const MAX_SHOWN_MESSAGES = 50_000;

/** Reads the transactions of actions, each once. They are shown by logical time. */
async function loadTransactionsOf(
  call: V3Call,
  db: Kysely<Tables>,
  rows: readonly ActionRow[],
): Promise<(row: ActionRow) => TransactionJson[]> {
  const found = await readTransactionsByHash(db, { hashes: rows.flatMap(({ tx_hashes }) => tx_hashes) });
  const byHash = new Map(
    found.map((whole) => [formatHash(whole.row.hash), toTransaction(whole, call.bodies)]),
  );
  const transactionsOf = (row: ActionRow) =>
    row.tx_hashes
      .flatMap((hash) => byHash.get(formatHash(hash)) ?? [])
      .sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)) || (a.account < b.account ? -1 : 1));
  let messages = 0;
  for (const row of rows) {
    for (const { out_msgs } of transactionsOf(row)) messages += 1 + out_msgs.length;
    if (messages > MAX_SHOWN_MESSAGES)
      throw refuse('limit', 'limit is too large for this many messages with include_transactions');
  }
  return transactionsOf;
}
