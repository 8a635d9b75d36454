import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import type { EmulatedTrace } from '../../pending/emulated-trace.ts';
import { accountRow, type UnindexedState } from '../unindexed/account-row.ts';
import { inOrder } from '../unindexed/in-order.ts';
import { transactionRow } from '../unindexed/transaction-row.ts';
import { formatHash } from '../value-texts.ts';

/** The transactions of an emulation as rows, and the states of accounts that they were made of. */
interface EmulatedRows {
  /** By logical time. */
  readonly rows: readonly WholeTransaction[];
  readonly states: readonly UnindexedState[];
}

/** Reads what an emulation made. */
export function emulatedRows({ transactions, mcSeqno }: EmulatedTrace, globalVersion: number): EmulatedRows {
  // The state after a transaction is that before the next one of its account.
  const states = new Map<Uint8Array, UnindexedState>();
  const stateOf = (shardAccount: Uint8Array): UnindexedState => {
    const known = states.get(shardAccount) ?? accountRow(shardAccount);
    states.set(shardAccount, known);
    return known;
  };
  const traceId = transactions[0]!.hash;
  const rows = inOrder(transactions).map(({ account: { workchain }, boc, before, after }) => {
    const around = { before: stateOf(before).state, after: stateOf(after).state };
    return transactionRow(
      { workchain, boc, mcSeqno, block: undefined, traceId, states: around },
      globalVersion,
    );
  });
  return { rows, states: [...states.values()] };
}

/** The code or the data of accounts as bags of cells, by their hashes. */
export function bagsOf(states: readonly UnindexedState[], part: 'code' | 'data'): Record<string, string> {
  const bags: Record<string, string> = {};
  for (const { cells, [part]: cell } of states) {
    if (cell < 0) continue;
    const hash = formatHash(cells.hash(cell, 0));
    bags[hash] ??= writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false }).toString('base64');
  }
  return bags;
}
