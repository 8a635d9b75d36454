import { CellFault } from '../../chain/boc/cell-fault.ts';
import { Slice } from '../../chain/boc/slice.ts';
import type { FoundCell } from './open-proof.ts';

/** The beginning of a transaction: whose it is, when it was, and which one came before. */
export interface TransactionHead {
  /** The 32 bytes of the account's address. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly prevTransHash: Buffer;
  readonly prevTransLt: bigint;
}

const TRANSACTION = 0b0111;

/** Reads the beginning of a transaction; `readTransaction` reads all of it. */
export function readTransactionHead({ cells, cell }: FoundCell): TransactionHead {
  const slice = new Slice(cells, cell);
  if (slice.uint(4) !== TRANSACTION) throw new CellFault('not a transaction');
  return {
    account: slice.hash(),
    lt: slice.uint64(),
    prevTransHash: slice.hash(),
    prevTransLt: slice.uint64(),
  };
}
