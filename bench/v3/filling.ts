/** How much there is of what in a database with so many transactions. */
export interface Filling {
  readonly transactions: number;
  readonly seqnos: number;
  readonly partitionSeqnos: number;
  readonly traces: number;
  readonly accounts: number;
  readonly jettons: number;
  readonly collections: number;
}

/** Transactions of the traces, in turn: most are short, some are long. */
export const TRACE_SIZES = [1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 10, 14, 20];
const TRANSACTIONS_A_TRACE = TRACE_SIZES.reduce((sum, size) => sum + size, 0) / TRACE_SIZES.length;
const TRANSACTIONS_A_SEQNO = 20;
const TRANSACTIONS_AN_ACCOUNT = 10;
/** As many as two to three years of mainnet have. */
const PARTITIONS = 24;

/** Busy accounts; each has a tenth of all transactions. */
export const BUSY_ACCOUNTS = 4;

export function fillingOf(transactions: number): Filling {
  const seqnos = Math.ceil(transactions / TRANSACTIONS_A_SEQNO);
  const accounts = Math.ceil(transactions / TRANSACTIONS_AN_ACCOUNT);
  return {
    transactions,
    seqnos,
    accounts,
    partitionSeqnos: Math.ceil(seqnos / PARTITIONS),
    traces: Math.ceil(transactions / TRANSACTIONS_A_TRACE),
    jettons: Math.max(10, Math.ceil(accounts / 500)),
    collections: Math.max(5, Math.ceil(accounts / 1000)),
  };
}
