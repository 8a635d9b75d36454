import { isNominatorPoolCode, readNominatorPool } from '../../chain/contracts/nominator-pool.ts';
import { type PoolEvents, poolEvents } from '../../chain/contracts/nominator-pool-events.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { StateSummary } from '../../index/write/decoded-seqno.ts';

/** Code and data of an account; undefined where there is none, or for data that is not known. */
export interface PoolState {
  readonly codeHash: Buffer | undefined;
  /** A bag of cells. */
  readonly data: Buffer | undefined;
}

/** The events of a transaction from the states around it; undefined if the account is not a pool afterwards. */
export function eventsOf(
  transaction: Pick<Transaction, 'inMessage' | 'description'>,
  before: PoolState,
  after: PoolState,
): PoolEvents | undefined {
  const pool = poolIn(after);
  return pool && poolEvents(transaction, poolIn(before), pool);
}

function poolIn({ codeHash, data }: PoolState) {
  return isNominatorPoolCode(codeHash) && data !== undefined ? readNominatorPool(data) : undefined;
}

/** Whether a state is that of a pool. */
export function isPool({ codeHash }: Pick<StateSummary, 'codeHash'>): boolean {
  return isNominatorPoolCode(codeHash);
}
